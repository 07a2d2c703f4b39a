# shellcheck shell=bash
# Shared by run.sh and test.sh: finds a Python that can make virtual environments, and where it may
# (as root, with apt-get) installs what Debian leaves out. Sourced, not run. After
# `require_python` the command to call is in $PYTHON.

# Debian packages without which nothing starts.
readonly APT_PACKAGES=(python3-venv)

# What Qt needs of a Debian or Ubuntu to show a window, and fonts for Latin and Chinese text. Without
# the fonts Qt draws boxes and says nothing.
readonly WINDOW_PACKAGES=(libegl1 libgl1 libdbus-1-3 libfontconfig1 libxkbcommon-x11-0
  libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0
  libxcb-shape0 libxcb-xinerama0 libxcb-xkb1 fonts-dejavu-core fonts-noto-cjk)

readonly NEW_ENOUGH='import sys; sys.exit(sys.version_info < (3, 11))'
readonly CAN_MAKE_ENVIRONMENTS='import importlib.util, sys
has = lambda module: importlib.util.find_spec(module) is not None
sys.exit(sys.version_info < (3, 11) or not (has("venv") and (has("ensurepip") or has("pip"))))'

fail() {
  printf '%s\n' "$1" >&2
  exit 1
}

# Sets PYTHON to the first Python for which the given code exits with zero.
find_python() {
  local code="$1" name
  for name in python3 python3.14 python3.13 python3.12 python3.11; do
    if PYTHON="$(command -v "$name")" && "$PYTHON" -I -c "$code" 2>/dev/null; then
      return 0
    fi
  done
  PYTHON=""
  return 1
}

has_old_python() {
  command -v python3 >/dev/null && ! find_python "$NEW_ENOUGH"
}

is_root_with_apt() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null
}

install_apt_packages() {
  local log began=$SECONDS
  log="$(mktemp "${TMPDIR:-/tmp}/batchdesk-apt.XXXXXX")"
  printf 'Installing %s with apt-get ...' "$*"
  # A list that cannot be refreshed need not be the one that is wanted: install decides.
  if ! { apt-get update || true; DEBIAN_FRONTEND=noninteractive apt-get install --yes \
    --no-install-recommends "$@"; } </dev/null >"$log" 2>&1; then
    printf '\n'
    tail -n 20 "$log" >&2
    printf 'apt-get could not install %s. The whole log: %s\n' "$*" "$log" >&2
    return 1
  fi
  printf ' %s s\n' $((SECONDS - began))
  rm -f "$log"
}

# One sentence: what is missing, and what brings it on this system.
missing_python() {
  if find_python "$NEW_ENOUGH"; then
    printf 'The Python at %s cannot make virtual environments; ' "$PYTHON"
  elif command -v python3 >/dev/null; then
    printf 'Batchdesk needs Python 3.11 or newer, and python3 here is %s; ' \
      "$(python3 -c 'import platform; print(platform.python_version())')"
  else
    printf 'Batchdesk needs Python 3.11 or newer, and there is no python3 here; '
  fi
  if has_old_python; then
    printf 'install a newer one from python.org or with your package manager'
  elif command -v apt-get >/dev/null; then
    printf 'run: sudo apt-get install %s' "${APT_PACKAGES[*]}"
  elif command -v dnf >/dev/null; then
    printf 'run: sudo dnf install python3'
  elif command -v brew >/dev/null; then
    printf 'run: brew install python'
  else
    printf 'install it from python.org or with your package manager'
  fi
}

require_python() {
  find_python "$CAN_MAKE_ENVIRONMENTS" && return
  if is_root_with_apt && ! has_old_python; then
    install_apt_packages "${APT_PACKAGES[@]}" && find_python "$CAN_MAKE_ENVIRONMENTS" && return
  fi
  fail "$(missing_python)."
}

# Installs the named Debian packages that are missing (as root), or names them and goes on: what
# needs them says so itself. Does nothing on systems without apt-get.
want_packages() {
  local name missing=()
  command -v apt-get >/dev/null && command -v dpkg-query >/dev/null || return 0
  for name in "$@"; do
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || missing+=("$name")
  done
  [ "${#missing[@]}" = 0 ] && return 0
  if is_root_with_apt; then
    install_apt_packages "${missing[@]}" || true
  else
    printf 'Missing for the window: run: sudo apt-get install %s\n' "${missing[*]}"
  fi
}
