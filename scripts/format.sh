#!/usr/bin/env bash
# Formats every C++ file in place; with --check only says which ones differ.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v clang-format >/dev/null; then
  echo "format: clang-format is missing; run scripts/install_deps.sh --ci" >&2
  exit 1
fi
mode=(-i)
[[ "${1:-}" == --check ]] && mode=(--dry-run -Werror)
find . -path ./build -prune -o -path './.*' -prune -o \
  \( -name '*.cpp' -o -name '*.hpp' \) -print0 \
  | xargs -0 -r -n 20 -P "$(nproc)" clang-format "${mode[@]}"
