#pragma once
/// Shared by the benches that time tau2-bench.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>

namespace brewery::bench {

using steady = std::chrono::steady_clock;

inline double seconds_since(steady::time_point start) {
  return std::chrono::duration<double>(steady::now() - start).count();
}

/// A tau2-bench directory: the first argument, else $BREWERY_TEST_DATA, else
/// ../shared/data beside the checkout.
inline std::filesystem::path tau2_data(int argc, char** argv) {
  if (argc > 1) return argv[1];
  const char* set = std::getenv("BREWERY_TEST_DATA");
  const std::filesystem::path root = set == nullptr ? "../shared/data" : set;
  return root / "tau2-bench";
}

/// Five timings of `work`, in microseconds per item, the fastest first.
template <class F>
std::array<double, 5> timings_us(std::size_t items, F work) {
  std::array<double, 5> each{};
  for (double& micros : each) {
    const auto start = steady::now();
    work();
    micros = seconds_since(start) * 1e6 / static_cast<double>(items);
  }
  std::sort(each.begin(), each.end());
  return each;
}

} // namespace brewery::bench
