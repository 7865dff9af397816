#include "sim/worker_node.hpp"

#include "sim/simulated_work.hpp"

#include <cmath>

namespace brewery::simulated {

namespace {

std::vector<spooled_result> entries_of(const simulated_spool& spool) {
  std::vector<spooled_result> out;
  for (const auto& [key, entry] : spool)
    out.push_back(entry);
  return out;
}

} // namespace

worker_node::worker_node(node_port port, const cluster_options& options,
                         worker_profile profile, const worker_habits& habits,
                         simulated_spool& spool, std::uint64_t seed)
    : port_(std::move(port)), habits_(habits), spool_(spool),
      draw_(rng_key(seed, profile.incarnation)),
      session_(std::move(profile), options, entries_of(spool)) {}

void worker_node::start() {
  carry_out(session_.begin(port_.now()));
}

void worker_node::receive(const wire::message& message) {
  carry_out(session_.on(message, port_.now()));
}

void worker_node::tick() {
  carry_out(session_.tick(port_.now()));
}

void worker_node::terminate() {
  carry_out(session_.drain("told to stop", port_.now()));
  port_.after(instant{3'000'000}, [this] {
    carry_out(session_.hand_back("out of time", port_.now()));
  });
}

void worker_node::carry_out(worker_step step) {
  for (auto& entry : step.to_spool) {
    const job_key job{entry.key.search, entry.key.job};
    spool_[job] = std::move(entry);
  }
  for (const auto& key : step.unspool)
    spool_.erase({key.search, key.job});
  for (const auto& message : step.send)
    port_.send(0, message);
  for (const auto& key : step.stop)
    running_.erase({key.search, key.job});
  for (const auto& grant : step.start)
    begin_job(grant);
  for (const auto& blob : step.blobs) {
    has_setup_ |= blob.found;
    const auto waiting = std::move(without_setup_);
    without_setup_.clear();
    for (const auto& grant : waiting)
      begin_job(grant);
  }
  if (step.leave) left_ = true;
  constexpr std::size_t room_for_adoption = 8;
  if (session_.running() > 2 * habits_.slots + room_for_adoption)
    port_.violated("a worker holds more jobs than it has slots");
}

void worker_node::begin_job(const lease_grant& grant) {
  if (!has_setup_) {
    without_setup_.push_back(grant);
    return carry_out(session_.fetch({grant.setup}, port_.now()));
  }
  const auto work = wire::decode<job>(grant.work);
  if (!work) return port_.violated("a job cannot be read");
  const job_key key{grant.key.search, grant.key.job};
  const auto run = ++next_run_;
  running_[key] = run;
  if (draw_.uniform() < habits_.hangs) return;
  // About lognormal around 150 ms: a sum of uniforms is near enough to normal.
  const double normal =
      (draw_.uniform() + draw_.uniform() + draw_.uniform() - 1.5) * 2;
  double ms = 150 * std::exp(0.8 * normal);
  if (draw_.uniform() < habits_.stalls) ms *= 8;
  port_.after(instant{static_cast<std::int64_t>(ms * 1000)},
              [this, key, work = *work, run] { end_job(key, work, run); });
}

void worker_node::end_job(const job_key& key, const job& work,
                          std::uint64_t run) {
  const auto it = running_.find(key);
  if (it == running_.end() || it->second != run) return; // cancelled
  running_.erase(it);
  const bool fails =
      habits_.flaky && hash64(work.id.value, 7) % 8 == 0; // on this one only
  carry_out(session_.finished(
      key.first, key.second,
      fails ? std::string{}
            : wire::encode(simulated_answer(work, simulated_topics)),
      fails ? "this worker cannot do it" : "", port_.now()));
}

} // namespace brewery::simulated
