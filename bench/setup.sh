#!/bin/sh
# Sets up a clone: a virtual environment with the package (editable) and the tools of its tests, and Pango, which sets the type.
#
#   PYTHON=python3.12 sh bench/setup.sh [.venv]
#
# `make` calls it. It may run again at any time and does only what is missing. It ends with 0 where Pango is all that is missing: checks
# and most tests of the language need none. The file `ready` in the environment says that nothing is.
set -eu
cd "$(dirname "$0")/.."
venv=${1:-.venv}
bin=$venv/bin
asked=${PYTHON:-python3}

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }
new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

# Debian and what is made of it, where we may install: as root.
debian_root() { has apt-get && [ "$(id -u)" = 0 ]; }

# apt_install PACKAGE...: quietly; what apt said is shown only when it fails.
apt_install() {
  log=$(mktemp)
  if DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >"$log" 2>&1 </dev/null; then
    rm -f "$log"
  else
    tail -n 5 "$log" >&2
    rm -f "$log"
    return 1
  fi
}

# ---- Python

find_python() {
  for name in "$asked" python3.13 python3.12 python3.11 python3.14; do
    if has "$name" && new_enough "$name"; then echo "$name"; return; fi
  done
}

make_venv() {
  python=$(find_python)
  [ -n "$python" ] || fail "Python 3.11 or newer is needed, and \`$asked\` is none. Name one: make PYTHON=/path/to/python3"
  if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
    if debian_root; then
      say "installing python3-venv"
      apt-get update >/dev/null 2>&1 || true
      apt_install python3-venv || fail "apt could not install python3-venv"
    else
      fail "this Python has no venv. On Debian and Ubuntu: sudo apt install python3-venv"
    fi
  fi
  say "a virtual environment in $venv ($("$python" --version 2>&1))"
  "$python" -m venv --clear "$venv"
}

install_package() {
  say "installing the package and the tools of its tests (a minute or two the first time)"
  # The group is read here, because only newer versions of pip know `--group`.
  "$bin/python" - <<'EOF' >"$venv/dev.txt"
import tomllib

with open("pyproject.toml", "rb") as file:
    print(*tomllib.load(file)["dependency-groups"]["dev"], sep="\n")
EOF
  "$bin/python" -m pip install --quiet --disable-pip-version-check --no-input --editable . --requirement "$venv/dev.txt" >&2 ||
    fail "pip could not install what pyproject.toml asks for (its words are above)"
  touch "$venv/installed"
}

current() { [ -e "$venv/$1" ] && ! [ pyproject.toml -nt "$venv/$1" ] && ! [ bench/setup.sh -nt "$venv/$1" ]; }

"$bin/python" -c pass >/dev/null 2>&1 || make_venv
current installed || install_package

# ---- Pango

# Asks the typesetter's own way of finding its libraries: prints `whole`, `slow` (no subsetter of HarfBuzz), or nothing.
pango() {
  "$bin/python" -W ignore -c 'from weasyprint.text import ffi; print("slow" if ffi.harfbuzz_subset is None else "whole")' 2>/dev/null |
    grep -x -e slow -e whole || true
}

debian_packages() {
  set -- libpango-1.0-0 libpangoft2-1.0-0
  # Older releases carry the subsetter inside libharfbuzz0b.
  if apt-cache show libharfbuzz-subset0 >/dev/null 2>&1; then set -- "$@" libharfbuzz-subset0; fi
  echo "$@"
}

pango_command() {
  case $(uname -s) in
    Darwin) echo "brew install pango" ;;
    MINGW* | MSYS* | CYGWIN*) echo "pacman -S mingw-w64-x86_64-pango   (in MSYS2, from https://www.msys2.org)" ;;
    *)
      if has apt-get; then echo "sudo apt install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"
      elif has dnf; then echo "sudo dnf install pango"
      elif has pacman; then echo "sudo pacman -S pango"
      elif has apk; then echo "sudo apk add pango harfbuzz-subset"
      elif has zypper; then echo "sudo zypper install libpango-1_0-0 libharfbuzz-subset0"
      else echo "(install Pango 1.44 or newer, and HarfBuzz with its subsetter, with this system's package manager)"
      fi ;;
  esac
}

found=$(pango)
if [ "$found" != whole ] && debian_root; then
  say "installing Pango"
  apt-get update >/dev/null 2>&1 || true
  # One argument a package: the words are meant to be split.
  # shellcheck disable=SC2046
  apt_install $(debian_packages) || say "apt could not install Pango"
  found=$(pango)
fi
case $found in
  whole) touch "$venv/ready" ;;
  slow)
    say "HarfBuzz has no subsetter here: everything works, but type is set more slowly. For this system:"
    say "  $(pango_command)"
    touch "$venv/ready" ;;
  *)
    say "Pango is missing: check, list, show and explain work, build does not. For this system:"
    say "  $(pango_command)" ;;
esac
