#pragma once
/// What calls of the coordinator's cores cost, in CPU time of this thread. On a
/// busy machine wall time would count the neighbours.

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <initializer_list>
#include <utility>

namespace brewery::simulated {

enum class operation : std::uint8_t {
  decode,  ///< a frame from a worker: codec
  encode,  ///< a frame to a worker: codec
  receive, ///< a proxy handles a message, with the result's decoding
  order,   ///< a proxy carries out an order, with the job's encoding
  check,   ///< a proxy looks after its worker
  submit,  ///< the ledger is asked for a job
  keep,    ///< the ledger gets a result, with its encoding
  settle,  ///< the ledger hears that a result is in the log
  run,     ///< the pool gets a job
  report,  ///< the pool gets a worker's report
  settled, ///< the pool hears that a result is in the log
  tick,    ///< the pool's look at all leases, four times a second
  pack,    ///< compression of a row of the log
};
inline constexpr std::array<const char*, 13> operation_names{
    "decode frame", "encode frame",   "proxy: message", "proxy: order",
    "proxy: check", "ledger: submit", "ledger: result", "ledger: in log",
    "pool: job",    "pool: report",   "pool: in log",   "pool: tick",
    "log: compress"};

struct operation_cost {
  std::uint64_t calls = 0;
  double seconds = 0, longest_s = 0;
};

class cost_meter {
public:
  cost_meter() {
    // The least of many readings is what reading the clock costs.
    clock_s_ = 1;
    for (int i = 0; i < 1000; ++i) {
      const double before = now();
      clock_s_ = std::min(clock_s_, now() - before);
    }
  }

  template <class F>
  auto measure(operation what, F&& call) {
    const double before = now();
    auto out = std::forward<F>(call)();
    add(what, now() - before - clock_s_);
    return out;
  }
  /// One call stands for `weight` of them.
  template <class F>
  auto sample(operation what, std::uint64_t weight, F&& call) {
    const double before = now();
    auto out = std::forward<F>(call)();
    add(what, now() - before - clock_s_, weight);
    return out;
  }

  [[nodiscard]] const operation_cost& of(operation what) const {
    return costs_[static_cast<std::size_t>(what)];
  }
  [[nodiscard]] double seconds(std::initializer_list<operation> several) const {
    double sum = 0;
    for (const auto one : several)
      sum += of(one).seconds;
    return sum;
  }
  void reset() { costs_ = {}; }

private:
  static double now() {
    timespec read{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &read);
    return static_cast<double>(read.tv_sec)
           + 1e-9 * static_cast<double>(read.tv_nsec);
  }
  void add(operation what, double seconds, std::uint64_t weight = 1) {
    auto& cost = costs_[static_cast<std::size_t>(what)];
    seconds = std::max(seconds, 0.0);
    cost.calls += weight;
    cost.seconds += seconds * static_cast<double>(weight);
    cost.longest_s = std::max(cost.longest_s, seconds);
  }

  std::array<operation_cost, operation_names.size()> costs_;
  double clock_s_ = 0;
};

} // namespace brewery::simulated
