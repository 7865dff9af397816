#!/usr/bin/env bash
# Formats every C++ file in place; with --check only names those that differ,
# and fails if there are any.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v clang-format >/dev/null; then
  echo "format: clang-format is missing; run scripts/install_deps.sh --ci" >&2
  exit 1
fi

sources() {
  find . -path ./build -prune -o -path './.*' -prune -o \
    \( -name '*.cpp' -o -name '*.hpp' \) -print0
}

if [[ "${1:-}" == --check ]]; then
  sources | xargs -0 -r -n 8 -P "$(nproc)" bash -c '
    for file; do
      clang-format "$file" | cmp -s - "$file" && continue
      echo "${file#./}:1: not formatted; run make format"
      failed=1
    done
    exit "${failed:-0}"' format
else
  sources | xargs -0 -r -n 8 -P "$(nproc)" clang-format -i
fi
