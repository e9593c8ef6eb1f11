#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page in a headless Chromium, as wide as a phone and as a desk, and on A4: it is drawn, nothing is
# wider than the window (but what scrolls in a box of its own), a dark desktop gets a dark page, and paper has a few
# pages. Part of `make check-long`; fails where there is no Chromium. KEEP_SCREENSHOTS=DIR keeps what was seen.
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
# A copy that measures itself: the page has no script, the test's copy gets one. Chromium's window is never narrower than
# 500, so the page lies in a frame that is as wide as a phone, and tells the frame's owner.
sed 's|</body>|<script>parent.postMessage("wide "+document.documentElement.scrollWidth+" of "+window.innerWidth+" texts "+document.querySelectorAll("svg text").length+" on "+getComputedStyle(document.body).backgroundColor.replace(/ /g,""),"*")</script></body>|' \
    "$dir/out/report.html" >"$dir/out/measured.html"
show() {
    "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$dir/profile" "$@" 2>/dev/null
}
for width in 360 412 1280; do
    printf '<!DOCTYPE html><title>-</title><body style="margin:0"><script>onmessage=e=>document.title=e.data</script><iframe src="measured.html" style="border:0;width:%spx;height:900px"></iframe></body>' \
        "$width" >"$dir/out/frame.html"
    for scheme in light:1 dark:0; do
        title=$(show --window-size=1300,900 --blink-settings="preferredColorScheme=${scheme#*:}" --virtual-time-budget=5000 \
            --dump-dom "file://$dir/out/frame.html" | sed -n 's|.*<title>\(.*\)</title>.*|\1|p')
        echo "$width, ${scheme%:*}: $title"
        echo "$title" | awk -v scheme="${scheme%:*}" '{
            split($8, part, /[(),]/)
            exit !($1 == "wide" && $2 <= $4 && $6 > 200 && (scheme == "dark") == (part[2] < 128))
        }' || exit 1
        show --window-size=1300,900 --blink-settings="preferredColorScheme=${scheme#*:}" --virtual-time-budget=5000 \
            --screenshot="$dir/$width-${scheme%:*}.png" "file://$dir/out/frame.html" >/dev/null
        [ "$(wc -c <"$dir/$width-${scheme%:*}.png")" -gt 10000 ] || exit 1
    done
done
show --no-pdf-header-footer --print-to-pdf="$dir/page.pdf" "file://$dir/out/report.html" >/dev/null
pages=$(grep -a -c '/Type */Page$\|/Type */Page[^s]' "$dir/page.pdf")
echo "A4: $pages pages"
[ "$pages" -ge 2 ] && [ "$pages" -le 12 ]
[ -z "${KEEP_SCREENSHOTS:-}" ] || cp "$dir"/*.png "$dir/page.pdf" "$KEEP_SCREENSHOTS"
