#!/usr/bin/env bash
# Installs the Debian packages that are missing, and does nothing otherwise.
#   scripts/install_deps.sh           what a build and the tests need
#   scripts/install_deps.sh --ci      also what .ci/run needs
#   scripts/install_deps.sh --check   only says what is missing (exit 1 if any)
set -euo pipefail

packages=(
  g++ cmake ninja-build pkg-config python3     # to build, and the layer check
  libcaf-dev                                   # actors
  libboost-dev                                 # HTTP (Asio and Beast headers)
  cppzmq-dev                                   # between processes, with CURVE
  libmsgpack-cxx-dev nlohmann-json3-dev libtomlplusplus-dev # formats
  libsqlite3-dev zlib1g-dev libssl-dev         # event log, compression, SHA-256
  libstemmer-dev                               # tokenizer
  libcli11-dev libspdlog-dev libfmt-dev        # command line, logs, text
  prometheus-cpp-dev                           # metrics
  catch2                                       # tests
  bubblewrap python3-openpyxl python3-pandas   # kernels of spreadsheet episodes
)
only_check=0
for argument in "$@"; do
  case "$argument" in
    --ci) packages+=(clang-format clang libclang-rt-14-dev # to fuzz
                     iproute2 nftables) ;;                 # chaos
    --check) only_check=1 ;;
    *) echo "install_deps: unknown argument '$argument' (known: --ci, --check)" >&2
       exit 2 ;;
  esac
done

fail() {
  echo "install_deps: $1; missing packages: ${missing[*]}" >&2
  exit 1
}

missing=("${packages[@]}")
if ! command -v dpkg-query >/dev/null; then
  fail "this is not Debian; install the like of these, then use 'make SKIP_DEPS=1 ...'"
fi
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' \
              "${packages[@]}" 2>/dev/null | sed -n 's/^installed //p' || true)
missing=()
for package in "${packages[@]}"; do
  grep -qxF -- "$package" <<<"$installed" || missing+=("$package")
done

if ((${#missing[@]} == 0)); then
  exit 0
fi
if ((only_check)); then
  fail "not everything is installed"
fi

as_root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null \
    || fail "not root and no sudo; run 'apt-get install' as root"
  as_root=(sudo)
fi
echo "install_deps: installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq \
  || echo "install_deps: apt-get update failed; trying with the lists there are" >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null \
  || fail "apt-get install failed"
