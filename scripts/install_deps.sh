#!/usr/bin/env bash
# Installs the Debian packages that are missing, and does nothing otherwise.
#   scripts/install_deps.sh           what a build and the tests need
#   scripts/install_deps.sh --spreadsheets  also what spreadsheet tasks need
#   scripts/install_deps.sh --spreadsheets --upgrade-office  25.2 in place of 7.4
#   scripts/install_deps.sh --osworld  also what local desktops of OSWorld need
#   scripts/install_deps.sh --ci      all of it, and what .ci/run needs
#   scripts/install_deps.sh --check   only says what is missing (exit 1 if any)
set -euo pipefail

packages=(
  g++ cmake ninja-build pkg-config python3     # to build, and the layer check
  libcaf-dev                                   # actors
  libboost-dev                                 # HTTP (Asio and Beast headers)
  cppzmq-dev                                   # between processes, with CURVE
  libmsgpack-cxx-dev nlohmann-json3-dev libtomlplusplus-dev # formats
  libsqlite3-dev libzstd-dev zlib1g-dev libssl-dev # event log, compression, SHA-256
  libxxhash-dev                                # telling known texts from new ones
  libstemmer-dev libutf8proc-dev               # tokenizer, characters
  libhnswlib-dev                               # graphs of large vector indexes
  liburiparser-dev                             # addresses of model servers
  libcli11-dev libspdlog-dev libfmt-dev        # command line, logs, text
  prometheus-cpp-dev                           # metrics
  libmimalloc-dev                              # malloc of the program
  catch2                                       # tests
  bubblewrap python3-openpyxl python3-pandas   # kernels of spreadsheet episodes
)
# LibreOffice is taken from backports: the one of bookworm (7.4) does not know
# XLOOKUP, FILTER and LET, and grades differ with it.
office=(libreoffice-calc python3-uno)
spreadsheets=(python3-openpyxl python3-pandas bubblewrap "${office[@]}")
desktop_office=(libreoffice-writer libreoffice-impress libreoffice-gtk3)
osworld=(
  bubblewrap xvfb openbox wmctrl dbus dbus-x11    # a desktop of its own
  at-spi2-core gir1.2-atspi-2.0 libatk-adaptor    # which describes itself
  python3-gi python3-lxml python3-pil python3-xlib # to its server
  desktop-file-utils shared-mime-info xdg-utils gsettings-desktop-schemas
  dconf-gsettings-backend gnome-settings-daemon-common fonts-dejavu-core
  gnome-terminal gimp vlc chromium thunderbird ffmpeg xclip bc procps
  libreoffice-calc "${desktop_office[@]}"
  # For official tasks: sar, settings of GNOME Shell, a second player, a sink.
  sysstat jq gnome-shell-common mpv pulseaudio-utils
)
# It would end the sound of a machine that has PipeWire for that.
dpkg-query -W -f '${db:Status-Status}' pipewire-audio 2>/dev/null \
  | grep -qx installed || osworld+=(pulseaudio)
only_check=0
upgrade=0
wants_office=0
for argument in "$@"; do
  case "$argument" in
    --spreadsheets) packages+=("${spreadsheets[@]}"); wants_office=1 ;;
    --osworld) packages+=("${osworld[@]}"); office+=("${desktop_office[@]}")
               wants_office=1 ;;
    --upgrade-office) upgrade=1 ;;
    --ci) wants_office=1
          office+=("${desktop_office[@]}")
          # Other packages of Node.js bring their own npm, and exclude Debian's.
          command -v npm >/dev/null || packages+=(nodejs npm)
          packages+=(clang-format clang-tidy
                     clang libclang-rt-14-dev # to lint and to fuzz
                     iproute2 nftables        # chaos
                     slurm-wlm munge          # workers on Slurm
                     openssh-server           # and by ssh
                     prometheus python3-pip   # dashboards, alerts
                     chromium                 # pages
                     man-db zsh fish          # man pages, completions
                     python3-venv             # the wheel
                     python3-requests         # official evaluators of OSWorld
                     "${spreadsheets[@]}" "${osworld[@]}") ;;
    --check) only_check=1 ;;
    *) echo "install_deps: unknown argument '$argument' (known:" \
            "--spreadsheets, --osworld, --upgrade-office, --ci, --check)" >&2
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

# An office that is there already is not exchanged without being asked.
is_bookworm() { grep -qx 'VERSION_CODENAME=bookworm' /etc/os-release; }
office_version=$(dpkg-query -W -f '${Version}' libreoffice-calc 2>/dev/null \
                   | sed 's/^[0-9]*://' || true)
keeps_office=0
if ((wants_office)) && [[ $office_version == 7.* ]] && is_bookworm; then
  if ((upgrade)); then
    missing+=("${office[@]}")
  else
    keeps_office=1
    echo "install_deps: LibreOffice ${office_version%%-*} is installed, which" \
         "does not know XLOOKUP, FILTER and LET; for 25.2 from" \
         "bookworm-backports: $0 --spreadsheets --upgrade-office" >&2
  fi
fi

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

update_lists() { "${as_root[@]}" apt-get update -qq; }
install() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# Backports have a lower priority than everything else: having the list changes
# nothing but what is asked for by its name. A list of ours that cannot be read
# is taken away again.
backports=bookworm-backports
backports_list=/etc/apt/sources.list.d/$backports.list
has_backports() { apt-cache policy | grep -qF "n=$backports"; }
enable_backports() {
  has_backports && return
  [[ ! -e $backports_list ]] || return 1
  echo "install_deps: adding $backports_list, for LibreOffice 25.2"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
       "http://deb.debian.org/debian $backports main" \
    | "${as_root[@]}" tee "$backports_list" >/dev/null
  if update_lists && has_backports; then return; fi
  "${as_root[@]}" rm -f "$backports_list"
  update_lists || true
  return 1
}

update_lists \
  || echo "install_deps: apt-get update failed; trying with the lists there are" >&2

# Its other parts must be of the version of the one that is kept.
if ((!keeps_office)) && is_bookworm \
   && printf '%s\n' "${missing[@]}" \
        | grep -qxFf <(printf '%s\n' "${office[@]}"); then
  if ! enable_backports || ! install -t "$backports" "${office[@]}"; then
    echo "install_deps: no $backports here: LibreOffice will be 7.4, without" \
         "XLOOKUP, FILTER and LET" >&2
  fi
fi
install "${missing[@]}" || fail "apt-get install failed"
