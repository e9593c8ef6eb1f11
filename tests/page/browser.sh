#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page in a headless Chromium, as wide as a phone and as a desk, and on A4: it is drawn, nothing is
# wider than the window (but what scrolls in a box of its own), and paper has a few pages. Part of
# `make check-long`; fails where there is no Chromium.
set -eu
program=${SALTPLAN:-./saltplan}
srcdir=${srcdir:-.}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
browser=
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null 2>&1 && browser=$name && break
done
[ -n "$browser" ] || {
    echo "browser.sh: there is no Chromium"
    exit 1
}
"$program" sim "$srcdir/scenarios/iot-telemetry.ini" --duration 5m -o "$dir/out" >/dev/null
"$program" report "$dir/out" >/dev/null
# A copy that measures itself: the page has no script, the test's copy gets one.
sed 's|</body>|<script>document.title="wide "+document.documentElement.scrollWidth+" of "+window.innerWidth+" texts "+document.querySelectorAll("svg text").length</script></body>|' \
    "$dir/out/report.html" >"$dir/out/measured.html"
show() {
    "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$dir/profile" "$@" 2>/dev/null
}
for width in 500 1280; do # Chromium's window is never narrower than 500
    title=$(show --window-size="$width,900" --dump-dom "file://$dir/out/measured.html" | sed -n 's|.*<title>\(.*\)</title>.*|\1|p')
    echo "$width: $title"
    echo "$title" | awk '{ exit !($1 == "wide" && $2 <= $4 && $6 > 200) }' || exit 1
    show --window-size="$width,900" --screenshot="$dir/page.png" "file://$dir/out/report.html" >/dev/null
    [ "$(wc -c <"$dir/page.png")" -gt 10000 ] || exit 1
done
show --no-pdf-header-footer --print-to-pdf="$dir/page.pdf" "file://$dir/out/report.html" >/dev/null
pages=$(grep -a -c '/Type */Page$\|/Type */Page[^s]' "$dir/page.pdf")
echo "A4: $pages pages"
[ "$pages" -ge 2 ] && [ "$pages" -le 12 ]
