#!/usr/bin/env bash
# Builds the fuzzers of tests/fuzz and runs each for a while, two at a time.
#   scripts/fuzz.sh [SECONDS] [--required]
# SECONDS is per fuzzer, 60 if not given; with 0 they are only built. Without
# clang it says so and is content, unless --required. What makes a fuzzer fail
# is kept in build/fuzz/crashes, and named; logs are beside it. What it learns
# stays in build/fuzz/corpus, so the next run starts from there.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=60
required=0
for argument in "$@"; do
  case "$argument" in
    --required) required=1 ;;
    *[!0-9]* | "")
      echo "fuzz: unknown argument '$argument' (known: SECONDS, --required)" >&2
      exit 2 ;;
    *) seconds=$argument ;;
  esac
done

compiler=
for name in clang++ clang++-14; do
  # Debian has the libraries of the sanitizers in a package of their own.
  if command -v "$name" >/dev/null \
     && compgen -G "$("$name" -print-resource-dir)/lib/linux/libclang_rt.fuzzer-*" >/dev/null
  then
    compiler=$name
    break
  fi
done
if [[ -z "$compiler" ]]; then
  echo "fuzz: clang or libclang-rt-14-dev is missing, nothing was fuzzed; run scripts/install_deps.sh --ci" >&2
  exit "$required"
fi

build=build/fuzz
launcher=()
if command -v ccache >/dev/null; then
  launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi
mkdir -p "$build/crashes"
cmake -S . -B "$build" -G Ninja -DBREWERY_FUZZ=ON -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_CXX_COMPILER="$compiler" "${launcher[@]}" >"$build/cmake.log" \
  || { cat "$build/cmake.log" >&2; exit 1; }
cmake --build "$build" -j "$(scripts/jobs.sh)"
# To libFuzzer 0 would mean for ever.
((seconds > 0)) || exit 0

# Of one fuzzer; 0 also when it found something: xargs would not start the rest.
run() {
  local target=$1 log=$build/$1.log
  mkdir -p "$build/corpus/$target"
  "$build/${target}_fuzz" "$build/corpus/$target" "tests/fuzz/corpus/$target" \
    -max_total_time="$seconds" -rss_limit_mb=1024 -max_len=65536 -timeout=10 \
    -artifact_prefix="$build/crashes/$target-" -print_final_stats=1 \
    >"$log" 2>&1 || echo "$target" >>"$build/failed"
  echo "fuzz: $target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") runs"
}
export -f run
export build seconds

rm -f "$build/failed"
printf '%s\n' frame job packed session keys role_reply model tool_arguments external muse experience | xargs -P 2 -n 1 bash -c 'run "$0"'
[[ -e "$build/failed" ]] || exit 0

while read -r target; do
  echo "fuzz: $target failed; log: $build/$target.log" >&2
  grep -E '^fuzz: |ERROR:|runtime error:' "$build/$target.log" | head -3 >&2 || true
  sed -n 's/.*Test unit written to \(.*\)/fuzz: input: \1/p' "$build/$target.log" >&2
done <"$build/failed"
exit 1
