#include "sim/worker_node.hpp"

#include "base/compression.hpp"
#include "cluster/table/job_table.hpp"
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
  give_back();
  carry_out(session_.tick(port_.now()));
}

void worker_node::terminate() {
  told_to_leave_ = true;
  carry_out(session_.drain("told to stop", port_.now()));
  port_.after(microseconds{3'000'000}, [this] {
    carry_out(session_.hand_back("out of time", port_.now()));
  });
}

void worker_node::carry_out(worker_step step) {
  for (auto& entry : step.to_spool) {
    const job_key job{entry.key.run, entry.key.job};
    spool_[job] = std::move(entry);
  }
  for (const auto& key : step.unspool)
    spool_.erase({key.run, key.job});
  for (const auto& message : step.send)
    port_.send(0, message);
  for (const auto& key : step.stop) {
    running_.erase({key.run, key.job});
    const auto is_it = [&](const lease_grant& grant) {
      return grant.key.run == key.run && grant.key.job == key.job;
    };
    std::erase_if(without_setup_, is_it);
    std::erase_if(waiting_, [&](const auto& one) { return is_it(one.grant); });
  }
  for (const auto& reply : step.replies)
    hear(reply);
  for (const auto& reply : step.grades)
    hear(reply);
  for (const auto& grant : step.start)
    begin_job(grant);
  for (const auto& blob : step.blobs) {
    has_setup_ |= blob.found;
    const auto waiting = std::move(without_setup_);
    without_setup_.clear();
    for (const auto& grant : waiting)
      begin_job(grant);
  }
  begin_waiting(); // what was stopped has left a slot
  if (step.leave) left_ = true;
  if (left_ && !told_to_leave_)
    port_.violated("a worker left that nobody sent away");
  constexpr std::size_t room_for_adoption = 8;
  if (session_.running() > std::size_t{2} * habits_.slots + room_for_adoption
                               + job_table::ahead_max)
    port_.violated("a worker holds more jobs than it has slots");
}

void worker_node::begin_job(const lease_grant& grant) {
  if (!has_setup_) {
    without_setup_.push_back(grant);
    return carry_out(session_.fetch({grant.setup}, port_.now()));
  }
  waiting_.push_back({grant, port_.now()});
  begin_waiting();
}

void worker_node::begin_waiting() {
  while (!waiting_.empty() && running_.size() < habits_.slots) {
    const auto next = std::move(waiting_.front());
    waiting_.pop_front();
    play(next.grant);
  }
}

void worker_node::give_back() {
  while (!waiting_.empty()
         && port_.now() - waiting_.front().since
                > worker_session::slot_wait_max) {
    const auto key = std::move(waiting_.front().grant.key);
    waiting_.pop_front();
    carry_out(session_.finished(key.run, key.job, {},
                                to_string(worker_session::no_slot()),
                                port_.now()));
  }
}

void worker_node::play(const lease_grant& grant) {
  auto work = wire::decode<job>(grant.work);
  if (!work) return port_.violated("a job cannot be read");
  const job_key key{grant.key.run, grant.key.job};
  auto& mine = running_[key];
  mine = episode{};
  mine.work = std::move(*work);
  mine.run = ++next_run_;
  mine.began = port_.now();
  const auto questions = habits_.asks_models ? simulated_calls(mine.work) : 0;
  mine.segment = draw_duration() / (questions + 1);
  if (draw_.uniform() < habits_.hangs) return;
  work_on(key);
}

/// Roughly lognormal around 150 ms: the sum of uniforms is close enough to
/// normal.
microseconds worker_node::draw_duration() {
  const double normal =
      (draw_.uniform() + draw_.uniform() + draw_.uniform() - 1.5) * 2;
  double ms = 150 * habits_.pace * std::exp(0.8 * normal);
  if (draw_.uniform() < habits_.stalls) ms *= 8;
  return microseconds{static_cast<std::int64_t>(ms * 1000)};
}

void worker_node::work_on(const job_key& key) {
  const auto& mine = running_.at(key);
  port_.after(mine.segment, [this, key, run = mine.run] {
    const auto it = running_.find(key);
    if (it != running_.end() && it->second.run == run) go_on(key);
  });
}

/// Continues after a piece of work: asks a question or ends the job.
void worker_node::go_on(const job_key& key) {
  auto& mine = running_.at(key);
  if (habits_.asks_models && mine.calls < simulated_calls(mine.work))
    ask_model(key.first, mine);
  else if (habits_.asks_graders && kind_of(mine.work) == job_kind::rollout)
    ask_grader(key.first, mine);
  else
    end_job(key);
}

void worker_node::ask_model(const run_id& run, episode& one) {
  const auto call = simulated_call(one.work.id, one.calls);
  one.asked_at = port_.now();
  carry_out(session_.ask_model(run, one.work.id, one.calls, wire::encode(call),
                               port_.now()));
}

void worker_node::ask_grader(const run_id& run, episode& one) {
  const auto& rollout = std::get<rollout_job>(one.work.input);
  one.asked_at = port_.now();
  carry_out(session_.ask_grade(run, rollout.id, rollout.task,
                               simulated_answers(rollout.id), port_.now()));
}

/// The episode that asked. If none can have asked: null, and a violation.
worker_node::episode* worker_node::asker_of(const job_key& key) {
  const auto it = running_.find(key);
  if (it != running_.end() && it->second.asked_at) return &it->second;
  port_.violated("a reply came for a job that has not asked");
  return nullptr;
}

void worker_node::hear(const model_reply& reply) {
  const job_key key{reply.run, reply.job};
  auto* mine = asker_of(key);
  if (!mine) return;
  mine->asked_at.reset();
  if (reply.code != ec::ok)
    return end_job(key, to_string(error{reply.code, reply.error}));
  const auto answer = wire::decode<model_answer>(reply.answer);
  if (reply.number != mine->calls || !answer
      || *answer != simulated_reply(simulated_call(mine->work.id, mine->calls)))
    return port_.violated("a job was told the answer to another question");
  ++mine->calls;
  work_on(key);
}

void worker_node::hear(const grade_reply& reply) {
  const job_key key{reply.run, reply.job};
  auto* mine = asker_of(key);
  if (!mine) return;
  if (reply.code != ec::ok)
    return end_job(key, to_string(error{reply.code, reply.error}));
  const auto& rollout = std::get<rollout_job>(mine->work.input);
  const auto right = simulated_grade(grade_work(rollout.id, rollout.task));
  if (reply.task != rollout.task || reply.grade != right.grade)
    return port_.violated("a rollout got another's grade");
  end_job(key);
}

void worker_node::end_job(const job_key& key, const std::string& error) {
  const auto ended = running_.extract(key);
  const auto& work = ended.mapped().work;
  auto why = error;
  if (habits_.flaky && hash64(work.id.value, 7) % 8 == 0) // on this worker only
    why = "this worker cannot do it";
  carry_out(session_.finished(
      key.first, key.second,
      why.empty()
          ? compress(wire::encode(simulated_answer(work, simulated_topics)))
          : std::string{},
      why, port_.now(), port_.now() - ended.mapped().began));
}

microseconds worker_node::longest_wait() const {
  microseconds longest{0};
  for (const auto& [key, mine] : running_)
    if (mine.asked_at)
      longest = std::max(longest, port_.now() - *mine.asked_at);
  return longest;
}

} // namespace brewery::simulated
