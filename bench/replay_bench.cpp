// What a coordinator does with a run's log before it resumes the run: events
// per second and MB/s of reading alone (checksums, decoding) and of loading
// what is known about jobs. Best of five alternating rounds.
//
//   build/release/bench/replay_bench              small results, 200,000 events
//   build/release/bench/replay_bench RUN_DIRECTORY    of a finished run

#include "messages/job_msgs.hpp"
#include "run/run_executor.hpp"
#include "store/event_log.hpp"
#include "tests/fixtures/scratch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

namespace {

using namespace brewery;
using clock_type = std::chrono::steady_clock;

/// Fills a log with the shortest results: those of embeddings.
result<void> fill(const std::filesystem::path& folder, std::size_t events) {
  auto log = event_log::create(folder);
  if (!log) return log.error();
  constexpr std::size_t batch_size = 1000;
  std::vector<event_row> batch;
  for (std::size_t n = 0; n < events; ++n) {
    const auto answer = make_result(embed_result{
        {fmt::format("{:032x}", n)}, {std::vector<double>(8, 0.5)}});
    batch.push_back(event_of(answer, answer.id.value));
    if (batch.size() < batch_size && n + 1 < events) continue;
    if (auto done = (*log)->append(batch); !done) return done;
    batch.clear();
  }
  return {};
}

struct pass {
  std::size_t events = 0;
  double bytes = 0;
  double seconds = std::numeric_limits<double>::max();
};

template <class F>
void time_best(pass& best, F&& once) {
  const auto began = clock_type::now();
  once();
  const std::chrono::duration<double> spent = clock_type::now() - began;
  best.seconds = std::min(best.seconds, spent.count());
}

int measure(const std::filesystem::path& folder) {
  const auto log = event_log::open_for_reading(folder);
  if (!log) {
    fmt::print(stderr, "{}\n", to_string(log.error()));
    return 1;
  }
  pass read, loaded;
  for (int round = 0; round < 5; ++round) {
    time_best(read, [&] {
      read.events = 0;
      read.bytes = 0;
      (void)!(*log)->for_each([&](const event_row& row) -> result<void> {
        ++read.events;
        read.bytes += static_cast<double>(row.payload.size());
        return {};
      });
    });
    time_best(loaded, [&] { (void)!load_memo(**log); });
  }
  const auto rate = [&](const pass& what) {
    return fmt::format("{:.0f} events/s, {:.0f} MB/s",
                       static_cast<double>(read.events) / what.seconds,
                       read.bytes / what.seconds * 1e-6);
  };
  fmt::print("{} events of {:.0f} bytes\n  read    {}\n  loaded  {}\n",
             read.events, read.bytes / static_cast<double>(read.events),
             rate(read), rate(loaded));
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  if (argc > 1) return measure(argv[1]);
  const scratch folder;
  if (auto ok = fill(folder.path(), 200'000); !ok) {
    fmt::print(stderr, "{}\n", to_string(ok.error()));
    return 1;
  }
  return measure(folder.path());
}
