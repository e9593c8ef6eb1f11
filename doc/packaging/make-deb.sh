#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Debian packages from a tarball of `make dist`:
#   make dist && sh doc/packaging/make-deb.sh saltplan-VERSION.tar.xz FOLDER [dpkg-buildpackage's options]
# The version stands in configure.ac alone; the changelog is made from it.
set -eu
tarball=$1
target=$2
shift 2
name=$(basename "$tarball" .tar.xz)
version=${name#saltplan-}
mkdir -p "$target"
tar -xJf "$tarball" -C "$target"
cp -R "$target/$name/doc/packaging/debian" "$target/$name/debian"
cat >"$target/$name/debian/changelog" <<CHANGELOG
saltplan ($version) unstable; urgency=medium

  * See doc/NEWS.

 -- saltplan developers <saltplan@localhost>  Mon, 30 Nov 2026 00:00:00 +0000
CHANGELOG
cd "$target/$name"
exec dpkg-buildpackage -us -uc -b "$@"
