#!/usr/bin/env bash
# install_packages.sh LIST [SECTION...]
# Installs the Debian packages of LIST that are missing; when none is, it takes a few milliseconds. With sections, only what
# stands below their headings [SECTION] is needed.
set -euo pipefail

list=$1
shift
sections=" $* "
wanted=()
section=
while read -r line; do
  case $line in
    '') continue ;;
    \[*\]) section=${line:1:-1} && continue ;;
  esac
  [[ $# -eq 0 || $sections == *" $section "* ]] || continue
  [[ " ${wanted[*]} " == *" $line "* ]] || wanted+=("$line")
done < <(sed -e 's/#.*//' -e 's/[[:space:]]//g' "$list")
for section; do
  grep -q "^\[$section\]" "$list" || { echo "camber: $list has no section [$section]" >&2; exit 2; }
done

if ! command -v dpkg-query >/dev/null; then
  echo "camber: no dpkg on this machine; install these yourself: ${wanted[*]}" >&2
  exit 0
fi

# A package is there also if another provides it: nodejs from elsewhere than Debian brings npm along,
# and conflicts with Debian's.
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}, ${Provides}\n' 2>/dev/null |
  sed -e '/^installed /!d' -e 's/^installed //' -e 's/([^)]*)//g' -e 's/ //g' -e 's/,/\n/g' || true)
missing=()
for package in "${wanted[@]}"; do
  grep -qxF "$package" <<<"$installed" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null; then
  echo "camber: no apt-get on this machine; install these yourself: ${missing[*]}" >&2
  exit 0
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "camber: packages are missing; as root run: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "camber: installing ${missing[*]}" >&2
apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@"
}
apt update
apt install -y --no-install-recommends "${missing[@]}"
