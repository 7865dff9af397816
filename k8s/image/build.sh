#!/usr/bin/env bash
# Makes a container image from Debian packages and a finished build.
#   k8s/image/build.sh PROGRAM [brewery|brewery-spreadsheet]
# The result is localhost/NAME:$TAG (dev) in the local store of buildah and
# podman, and what it takes on disk is printed. Debian's files are fetched anew
# after a day; REFRESH=1 does it at once.
set -euo pipefail
program=$1
name=${2:-brewery}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
context=$root/build/image/$name

fail() { echo "image: $1" >&2; exit 1; }
for tool in mmdebstrap buildah; do
  command -v "$tool" >/dev/null \
    || fail "$tool is missing: apt-get install mmdebstrap buildah"
done
[[ -x $program ]] || fail "no program at $program: make build"

case $name in
brewery)
  file=Containerfile
  # What is linked, and certificates for model servers.
  variant=extract
  packages=(libcaf-core0.17 libfmt9 libmimalloc2.0 libprometheus-cpp-core1.0
            libspdlog1.10 libsqlite3-0 libssl3 libstdc++6 libstemmer0d
            libtomlplusplus3 liburiparser1 libutf8proc2 libzmq5 libzstd1 zlib1g
            ca-certificates netbase) ;;
brewery-spreadsheet)
  file=Containerfile.spreadsheet
  variant=minbase
  packages=(libcaf-core0.17 libfmt9 libmimalloc2.0 libprometheus-cpp-core1.0
            libspdlog1.10 libsqlite3-0 libssl3 libstdc++6 libstemmer0d
            libtomlplusplus3 liburiparser1 libutf8proc2 libzmq5 libzstd1 zlib1g
            ca-certificates netbase python3-openpyxl python3-pandas
            libreoffice-calc python3-uno) ;;
*) fail "unknown image '$name' (known: brewery, brewery-spreadsheet)" ;;
esac

# LibreOffice of backports, as scripts/install_deps.sh has it: that of bookworm
# does not know XLOOKUP, FILTER and LET.
sources() {
  local at=http://deb.debian.org
  echo "deb $at/debian bookworm main"
  echo "deb $at/debian bookworm-updates main"
  echo "deb $at/debian-security bookworm-security main"
  [[ $name == brewery ]] || echo "deb $at/debian bookworm-backports main"
}
# Run in the new root by mmdebstrap; "$1" is that root.
pin='mkdir -p "$1/etc/apt/preferences.d"
printf "Package: src:libreoffice\nPin: release n=bookworm-backports\nPin-Priority: 500\n" >"$1/etc/apt/preferences.d/libreoffice"'
finish='mkdir -p "$1/tmp" "$1/data" "$1/spool" "$1/config" "$1/models" "$1/keys/own" "$1/keys/allowed" "$1/etc/ssl/certs"
chmod 1777 "$1/tmp"
cat "$1"/usr/share/ca-certificates/mozilla/*.crt >"$1/etc/ssl/certs/ca-certificates.crt"
grep -qs ^root: "$1/etc/passwd" || { echo "root:x:0:0::/:/usr/sbin/nologin" >"$1/etc/passwd"; echo "root:x:0:" >"$1/etc/group"; }
echo "brewery:x:10001:10001::/tmp:/usr/sbin/nologin" >>"$1/etc/passwd"
echo "brewery:x:10001:" >>"$1/etc/group"
[ -e "$1/etc/nsswitch.conf" ] || echo "hosts: files dns" >"$1/etc/nsswitch.conf"
rm -rf "$1/var/cache/apt" "$1/var/lib/apt/lists"/* "$1/usr/share/doc" "$1/usr/share/man" "$1/usr/share/locale" "$1/usr/share/info"
rm -f "$1/etc/hostname" "$1/etc/resolv.conf"'

mkdir -p "$context"
rootfs=$context/rootfs.tar
if [[ -n ${REFRESH:-} || ! -e $rootfs || $0 -nt $rootfs \
      || -n $(find "$rootfs" -mmin +1440) ]]; then
  echo "image: fetching ${#packages[@]} packages of Debian and what they need"
  sources | mmdebstrap --format=tar --variant="$variant" \
    --include="$(IFS=,; echo "${packages[*]}")" --setup-hook="$pin" \
    --customize-hook="$finish" bookworm "$rootfs.new" -
  mv "$rootfs.new" "$rootfs"
fi
strip --strip-unneeded -o "$context/brewery" "$program"
chmod 755 "$context/brewery"
if [[ $name == brewery ]]; then
  rm -rf "$context/telecom"
  cp -r "$root/examples/telecom" "$context/telecom"
  chmod -R a+rX "$context/telecom"
fi
tag=localhost/$name:${TAG:-dev}
buildah build --quiet --pull-never --isolation chroot --layers=false \
  -f "$here/$file" -t "$tag" "$context" >/dev/null
buildah images --format '{{.Name}}:{{.Tag}} {{.Size}}' "$tag"
