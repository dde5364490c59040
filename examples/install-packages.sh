#!/usr/bin/env bash
# Installs those Debian packages among the arguments that are missing; uses sudo if needed.
# SPDX-License-Identifier: MIT
set -euo pipefail
if ! command -v dpkg-query >/dev/null; then
  echo "this is not Debian: the counterparts of these packages are needed: $*" >&2
  exit 0
fi
missing=()
for package in "$@"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
echo "installing: ${missing[*]}"
sudo=(); [ "$(id -u)" -eq 0 ] || sudo=(sudo)
if [ ${#sudo[@]} -gt 0 ] && ! command -v sudo >/dev/null; then
  echo "there is no sudo; as root: apt-get install ${missing[*]}" >&2
  exit 1
fi
"${sudo[@]}" apt-get update -qq
"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
