#include "sim/scale/scale_sim.hpp"

#include "sim/scale/loads.hpp"
#include "sim/scale/scaled_coordinator.hpp"
#include "sim/scale/scaled_workers.hpp"

#include <cmath>
#include <malloc.h>
#include <mimalloc.h>

// The program has it, tests have the C library's.
#pragma weak mi_heap_visit_blocks
#pragma weak mi_heap_get_default

namespace brewery::simulated {

namespace {

/// What this thread has asked of the allocator and not given back.
double allocated_bytes() {
  if (&mi_heap_visit_blocks != nullptr) {
    double sum = 0;
    mi_heap_visit_blocks(
        mi_heap_get_default(), false,
        [](const mi_heap_t*, const mi_heap_area_t* area, void*, std::size_t,
           void* out) {
          *static_cast<double*>(out) += static_cast<double>(area->used)
                                        * static_cast<double>(area->block_size);
          return true;
        },
        &sum);
    return sum;
  }
  return static_cast<double>(::mallinfo2().uordblks)
         + static_cast<double>(::mallinfo2().hblkhd);
}

double seconds_of(microseconds time) {
  return std::chrono::duration<double>(time).count();
}

microseconds of_seconds(double seconds) {
  return microseconds{static_cast<std::int64_t>(seconds * 1e6)};
}

class scaled_cluster {
public:
  scaled_cluster(const scale_options& options, std::function<bool()> stop)
      : options_(options), stop_(std::move(stop)), jobs_(options),
        draw_(rng_key(options.seed, "network")),
        workers_(options, jobs_, time_,
                 [this](std::size_t from, shared_frame frame) {
                   time_.after(delay(), [this, from, frame = std::move(frame)] {
                     if (coordinator_) coordinator_->receive(from, *frame);
                   });
                 }) {
    workers_.on_done = [this](microseconds spent) {
      spent_ += spent;
      longest_ = std::max(longest_, spent);
    };
    coordinator_ = std::make_unique<scaled_coordinator>(
        options, time_, ignored_,
        scaled_coordinator::outside{
            [this](std::size_t to, shared_frame frame) {
              time_.after(delay(), [this, to, frame = std::move(frame)] {
                workers_.receive(to, *frame);
              });
            },
            [this](const job_result&) {
              --open_;
              if (refills_) submit(1);
            }});
    slots_ = options.workers * options.slots;
  }

  scale_report run() {
    scale_report out;
    out.slots = slots_;
    workers_.start();
    ticks();
    const bool joined =
        run_until([this] { return coordinator_->counts().slots >= slots_; });
    out.stopped = !joined || !round(out) || !full_load(out);
    if (out.stopped) return out;
    measure_memory(out);
    add_loads(out, options_);
    return out;
  }

private:
  microseconds delay() {
    const double ms = options_.latency_ms
                      - options_.jitter_ms * std::log(1 - draw_.uniform());
    return microseconds{1 + static_cast<std::int64_t>(ms * 1000)};
  }

  void ticks() {
    constexpr microseconds tick_every{250'000};
    time_.after(tick_every, [this] {
      if (!coordinator_) return;
      coordinator_->tick();
      ticks();
    });
  }

  template <class F>
  bool run_until(F&& is_done) {
    constexpr std::uint64_t ask_every = 4096;
    while (!is_done()) {
      if (++steps_ % ask_every == 0 && stop_ && stop_()) return false;
      if (!time_.step()) return false;
    }
    return true;
  }

  void submit(std::size_t count) {
    open_ += count;
    for (std::size_t i = 0; i < count; ++i)
      coordinator_->submit(jobs_.work(next_job_++));
  }

  /// All jobs of a round are there before the first ends, and the next round
  /// waits for the last. In a first round the table learns durations.
  bool round(scale_report& out) {
    constexpr std::size_t times_each = 4;
    const auto count = options_.jobs_per_slot * slots_;
    jobs_.send_small(true);
    submit(std::min(count, times_each * options_.tasks));
    if (!run_until([this] { return open_ == 0; })) return false;
    spent_ = longest_ = microseconds{0};
    const auto began = time_.now();
    const auto copies = coordinator_->counts().backups;
    scale_traffic start;
    coordinator_->count_into(start);
    submit(count);
    coordinator_->count_into(ignored_);
    if (!run_until([this] { return open_ == 0; })) return false;
    out.round_s = seconds_of(time_.now() - began);
    out.round_bound_s = std::max(
        seconds_of(spent_) / static_cast<double>(slots_), seconds_of(longest_));
    out.round_start_s = message_seconds(start, options_.prices)
                        + table_seconds(start)
                        + log_seconds(start, options_.prices);
    out.copies = coordinator_->counts().backups - copies;
    return true;
  }

  /// As many jobs as slots, and a few that wait: each that ends is followed by
  /// another.
  bool full_load(scale_report& out) {
    constexpr std::size_t waiting_share = 64;
    refills_ = true;
    jobs_.send_small(true);
    submit(slots_ + slots_ / waiting_share + 1);
    const auto warm = time_.now() + of_seconds(2 * options_.mean_s);
    if (!run_until([&] { return time_.now() >= warm; })) return false;
    jobs_.send_small(false);
    const auto end = time_.now() + of_seconds(options_.seconds);
    coordinator_->count_into(out.full);
    if (!run_until([&] { return time_.now() >= end; })) return false;
    coordinator_->count_into(ignored_);
    out.full.seconds = options_.seconds;
    refills_ = false;
    return true;
  }

  /// Every slot has a job, the rest of a round waits.
  void measure_memory(scale_report& out) {
    const auto waiting = (options_.jobs_per_slot - 1) * slots_;
    submit(waiting);
    const double all = allocated_bytes();
    coordinator_->forget_workers();
    const double without_workers = allocated_bytes();
    coordinator_.reset();
    const double without = allocated_bytes();
    out.memory_bytes = std::max(all - without, 0.0);
    out.bytes_per_worker = std::max(all - without_workers, 0.0)
                           / static_cast<double>(options_.workers);
    out.bytes_per_job = std::max(without_workers - without, 0.0)
                        / static_cast<double>(waiting + slots_);
  }

  scale_options options_;
  std::function<bool()> stop_;
  timed_work jobs_;
  rng draw_;
  event_queue time_;
  scale_traffic ignored_;
  std::unique_ptr<scaled_coordinator> coordinator_;
  scaled_workers workers_;
  std::size_t slots_ = 0, open_ = 0;
  std::uint64_t next_job_ = 0, steps_ = 0;
  microseconds spent_{0}, longest_{0};
  bool refills_ = false;
};

} // namespace

scale_report simulate_scale(const scale_options& options,
                            const std::function<bool()>& stop) {
  return scaled_cluster{options, stop}.run();
}

} // namespace brewery::simulated
