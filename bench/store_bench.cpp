// Durable events per second by batch size, beside the lower bound: the same
// bytes appended to a plain file with one fdatasync per batch. Rounds
// alternate, so both see the same disk. Best of five rounds each.
//
//   build/release/bench/store_bench [directory]

#include "base/rng.hpp"
#include "messages/rollout_msgs.hpp"
#include "store/event_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <unistd.h>

namespace {

using namespace brewery;
using clock_type = std::chrono::steady_clock;

double seconds_since(clock_type::time_point start) {
  return std::chrono::duration<double>(clock_type::now() - start).count();
}

/// About 1.3 kB on the wire, like a short telecom rollout.
rollout_result sample(std::uint64_t n) {
  rng draw{rng_key(1, n)};
  rollout_result out;
  out.id.value = fmt::format("{:016x}{:016x}", draw.next(), draw.next());
  out.task.value = fmt::format("task-{}", n);
  for (int i = 0; i < 8; ++i)
    out.steps.push_back({"user", "check_status_bar", "{}",
                         fmt::format("signal {} of 4, data {}", draw.below(5),
                                     draw.below(2) == 1 ? "on" : "off"),
                         false, false, "look"});
  return out;
}

std::vector<event_row> make_batch(std::size_t size) {
  std::vector<event_row> batch;
  for (std::size_t n = 0; n < size; ++n) {
    const auto message = sample(n);
    batch.push_back(event_of(message, message.id.value));
  }
  return batch;
}

/// Commits per round: enough for a stable figure, few enough to wait for.
std::size_t commits_for(std::size_t batch) {
  return std::clamp<std::size_t>(4000 / batch, 20, 400);
}

double log_rate(event_log& log, const std::vector<event_row>& batch) {
  const auto commits = commits_for(batch.size());
  const auto start = clock_type::now();
  for (std::size_t i = 0; i < commits; ++i)
    if (const auto done = log.append(batch); !done) {
      fmt::print(stderr, "{}\n", to_string(done.error()));
      std::exit(1);
    }
  return static_cast<double>(commits * batch.size()) / seconds_since(start);
}

double raw_rate(int fd, const std::vector<event_row>& batch) {
  std::string bytes;
  for (const auto& row : batch)
    bytes += row.kind + row.key + row.payload;
  const auto commits = commits_for(batch.size());
  const auto start = clock_type::now();
  for (std::size_t i = 0; i < commits; ++i)
    if (::write(fd, bytes.data(), bytes.size())
            != static_cast<ssize_t>(bytes.size())
        || ::fdatasync(fd) != 0)
      std::exit(1);
  return static_cast<double>(commits * batch.size()) / seconds_since(start);
}

void print_codec() {
  const auto message = sample(1);
  const auto bytes = wire::encode(message);
  constexpr int rounds = 20'000;
  std::size_t total = 0;
  auto start = clock_type::now();
  for (int i = 0; i < rounds; ++i)
    total += wire::encode(message).size();
  const auto encode = seconds_since(start) / rounds;
  start = clock_type::now();
  for (int i = 0; i < rounds; ++i)
    total += wire::decode<rollout_result>(bytes)->steps.size();
  const auto decode = seconds_since(start) / rounds;
  fmt::print("wire: {} B, encode {:.1f} us, decode {:.1f} us ({})\n",
             bytes.size(), encode * 1e6, decode * 1e6, total != 0);
}

void print_reading(const event_log& log) {
  const auto start = clock_type::now();
  std::uint64_t rows = 0;
  const auto done = log.for_each([&](const event_row& row) -> result<void> {
    rows += wire::decode<rollout_result>(row.payload).has_value() ? 1 : 0;
    return {};
  });
  if (!done) std::exit(1);
  fmt::print("read back, checked and decoded: {} rows, {:.0f} rows/s\n", rows,
             static_cast<double>(rows) / seconds_since(start));
}

} // namespace

int main(int argc, char** argv) {
  auto pattern = std::string{argc > 1 ? argv[1] : "."} + "/store-bench-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) {
    fmt::print(stderr, "cannot make a directory in {}\n", pattern);
    return 1;
  }
  const std::filesystem::path directory{pattern};
  print_codec();
  auto log = event_log::create(directory);
  const int raw = ::open((directory / "raw").c_str(),
                         O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (!log || raw < 0) return 1;
  fmt::print("{:>6} {:>12} {:>12} {:>6}\n", "batch", "log rows/s", "raw rows/s",
             "ratio");
  for (const std::size_t size : {1u, 4u, 16u, 64u, 256u, 1000u}) {
    const auto batch = make_batch(size);
    double ours = 0;
    double floor = 0;
    for (int round = 0; round < 5; ++round) {
      ours = std::max(ours, log_rate(**log, batch));
      floor = std::max(floor, raw_rate(raw, batch));
    }
    fmt::print("{:>6} {:>12.0f} {:>12.0f} {:>6.2f}\n", size, ours, floor,
               ours / floor);
  }
  print_reading(**log);
  log->reset();
  ::close(raw);
  std::filesystem::remove_all(directory);
  return 0;
}
