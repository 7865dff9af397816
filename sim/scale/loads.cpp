#include "sim/scale/loads.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::simulated {

namespace {

constexpr double us = 1e-6;
using enum operation;

} // namespace

double message_seconds(const scale_traffic& traffic,
                       const scale_prices& prices) {
  const auto frames =
      static_cast<double>(traffic.frames_in + traffic.frames_out);
  const auto kilobytes =
      static_cast<double>(traffic.bytes_in + traffic.bytes_out) / 1000;
  return traffic.costs.seconds({decode, encode, receive, order, check})
         + us
               * (frames * (prices.frame_us + prices.curve_us)
                  + kilobytes * prices.curve_kb_us
                  + static_cast<double>(traffic.hops) * prices.hop_us);
}

double table_seconds(const scale_traffic& traffic) {
  return traffic.costs.seconds({run, report, settled, tick});
}

double log_seconds(const scale_traffic& traffic, const scale_prices& prices) {
  return traffic.costs.seconds({submit, keep, settle, pack})
         + us * static_cast<double>(traffic.rows) * prices.row_us;
}

void add_loads(scale_report& out, const scale_options& options) {
  const auto& prices = options.prices;
  const double search =
      us * static_cast<double>(out.full.jobs) * prices.search_us;
  double cores = 0;
  const auto add = [&](const char* what, double seconds) {
    const double share = seconds / out.full.seconds;
    out.loads.push_back({what, share, "one core"});
    cores += share;
  };
  add("messages", message_seconds(out.full, prices));
  add("job table", table_seconds(out.full));
  add("log", log_seconds(out.full, prices));
  add("search", search);
  const double memory = out.memory_bytes / (options.memory_gb * 1e9);
  out.loads.push_back(
      {"memory", memory, fmt::format("{} GB", options.memory_gb)});
  // As long as a job, and slots stay empty half of that in each round.
  out.loads.push_back(
      {"barrier", out.round_start_s / options.mean_s, "a job's time"});
  std::stable_sort(
      out.loads.begin(), out.loads.end(),
      [](const auto& a, const auto& b) { return a.share > b.share; });
  out.slots_carried = static_cast<double>(out.slots) / std::max(cores, memory);
}

} // namespace brewery::simulated
