#include "sim/scale/scaled_workers.hpp"

#include <fmt/format.h>

namespace brewery::simulated {

scaled_workers::scaled_workers(const scale_options& options,
                               const timed_work& jobs, event_queue& time,
                               sender send)
    : options_(options), jobs_(jobs), time_(time), send_(std::move(send)) {
  workers_.reserve(options.workers);
  for (std::size_t i = 0; i < options.workers; ++i) {
    worker_profile profile;
    profile.name = fmt::format("w{}", i);
    profile.incarnation = fmt::format("w{}#1", i);
    profile.host = fmt::format("h{}", i);
    profile.slots = options.slots;
    profile.roles = {job_kind::rollout};
    profile.benchmarks = {{"simulated", "benchmark"}};
    workers_.emplace_back(worker_session{std::move(profile), {}});
  }
}

void scaled_workers::start() {
  rng draw{rng_key(options_.seed, "start")};
  for (std::size_t i = 0; i < workers_.size(); ++i)
    time_.after(microseconds{static_cast<std::int64_t>(draw.below(1'000'000))},
                [this, i] {
                  carry_out(i, workers_[i].session.begin(time_.now()));
                  ticks(i);
                });
}

void scaled_workers::ticks(std::size_t which) {
  auto& session = workers_[which].session;
  time_.after(session.tick_every(), [this, which] {
    carry_out(which, workers_[which].session.tick(time_.now()));
    ticks(which);
  });
}

void scaled_workers::receive(std::size_t to, const std::string& frame) {
  const auto message = wire::unframe(frame);
  BREWERY_ASSERT(message.has_value());
  carry_out(to, workers_[to].session.on(*message, time_.now()));
}

void scaled_workers::carry_out(std::size_t which, worker_step step) {
  for (const auto& message : step.send)
    send_(which, std::make_shared<const std::string>(wire::frame(message)));
  for (const auto& key : step.stop)
    workers_[which].running.erase({key.run, key.job});
  for (const auto& grant : step.start)
    begin(which, grant);
}

void scaled_workers::begin(std::size_t which, const lease_grant& grant) {
  const std::pair job{grant.key.run, grant.key.job};
  const auto attempt = grant.key.attempt;
  workers_[which].running[job] = attempt;
  const auto spent = jobs_.duration(job.second);
  time_.after(spent, [this, which, job, attempt, spent] {
    auto& mine = workers_[which];
    const auto it = mine.running.find(job);
    if (it == mine.running.end() || it->second != attempt) return;
    mine.running.erase(it);
    if (on_done) on_done(spent);
    carry_out(which,
              mine.session.finished(job.first, job.second,
                                    jobs_.result(job.second), {}, time_.now()));
  });
}

} // namespace brewery::simulated
