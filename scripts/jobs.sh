#!/usr/bin/env bash
# Prints how many compile jobs this machine carries: one per core, but at most
# one per 1.5 GB of memory, which is what the largest actor units take.
set -euo pipefail
cores=$(nproc)
memory_kb=$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo 2>/dev/null || true)
by_memory=$((${memory_kb:-1572864} / 1572864))
((by_memory >= 1)) || by_memory=1
echo $((cores < by_memory ? cores : by_memory))
