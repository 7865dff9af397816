#include "workers/worker_process.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace brewery {

namespace {

/// A run has one set-up; a worker serves few runs at a time.
constexpr std::size_t max_runners = 8;

} // namespace

worker_process::worker_process(worker_process_inputs inputs)
    : in_(std::move(inputs)) {}

worker_process::~worker_process() {
  if (in_.models) in_.models->close();
}

microseconds worker_process::now() const {
  // This clock includes time in which the machine was suspended, if the
  // platform offers it.
  return std::chrono::duration_cast<microseconds>(
      std::chrono::steady_clock::now().time_since_epoch());
}

void worker_process::say(const std::string& what) const {
  if (in_.on_event && !what.empty()) in_.on_event(what);
}

void worker_process::warn(const std::string& what) const {
  if (in_.on_warning)
    in_.on_warning(what);
  else
    say(what);
}

void worker_process::stop() {
  stop_ = true;
  const std::lock_guard lock{mutex_};
  if (wire_) wire_->wake();
}

result<void> worker_process::run() {
  std::vector<spooled_result> left_over;
  if (!in_.spool_root.empty()) {
    auto opened = spool::open(in_.spool_root, in_.profile.incarnation,
                              in_.spool_bytes_max);
    if (!opened) return opened.error();
    spool_ = std::move(*opened);
    std::vector<std::string> notes;
    left_over = spool_->take_over(notes);
    for (const auto& note : notes)
      say(note);
    if (!left_over.empty())
      say("in the spool: " + counted(left_over.size(), "result")
          + " of earlier workers");
  }
  auto connection = dealer::open(in_.connection);
  if (!connection) return connection.error();
  {
    const std::lock_guard lock{mutex_}; // `stop` may be looking
    wire_ = std::move(*connection);
  }
  session_ = std::make_unique<worker_session>(in_.profile, in_.options,
                                              std::move(left_over));
  slots_ =
      std::make_unique<slots>(in_.profile.slots, [this](slot_outcome outcome) {
        const std::lock_guard lock{mutex_};
        inbox_.push_back(std::move(outcome));
        if (inbox_.size() == 1) wire_->wake();
      });
  if (in_.models) in_.models->open([this] { wire_->wake(); });
  reconnect_at_ = now() + in_.options.lease;
  carry_out(session_->begin(now()));
  while (!left_) {
    wire_->wait(std::chrono::ceil<std::chrono::milliseconds>(
        std::max(tick_at_ - now(), microseconds{0})));
    while (auto frame = wire_->receive()) {
      auto message = wire::unframe(*frame);
      if (message)
        carry_out(session_->on(*message, now()));
      else
        say("unreadable message: " + message.error().message);
    }
    drain_inbox();
    ask_coordinator();
    if (now() >= tick_at_) pass_time();
    running_ = session_->running();
    unacknowledged_ = session_->unacknowledged();
    connected_ = session_->connected();
    last_turn_us_ = now().count();
    if (stop_ && stop_at_ == microseconds{0}) {
      stop_at_ = now() + in_.grace;
      say(fmt::format("stopping; {} ms to finish {}", in_.grace.count(),
                      counted(session_->running(), "job")));
      carry_out(session_->drain("told to stop", now()));
    }
    // No connection for a goodbye, or out of time.
    const bool alone =
        stop_ && !session_->connected() && session_->running() == 0;
    if (!left_ && stop_ && (alone || now() >= stop_at_))
      carry_out(session_->hand_back("told to stop", now()));
    if (wire_->refused())
      return error{
          ec::invalid_argument,
          fmt::format("the coordinator at {} does not allow this worker's key; "
                      "`brewery keys list` shows the allowed keys",
                      in_.connection.connect)};
  }
  if (stop_ || session_->draining()) return {};
  return error{ec::invalid_argument, *left_};
}

/// Not called for every frame, because it visits everything that runs.
void worker_process::pass_time() {
  tick_at_ = now() + session_->tick_every();
  for (const auto& [job, steps] : slots_->progress())
    session_->progress(job.first, job.second, steps);
  carry_out(session_->tick(now()));
  check_connection();
}

worker_process::state_view worker_process::view() const {
  constexpr microseconds stuck{10'000'000};
  return {in_.profile.slots, running_, unacknowledged_, connected_,
          now() - microseconds{last_turn_us_} < stuck};
}

/// After a network cut, a connection can look alive for minutes.
void worker_process::check_connection() {
  if (session_->connected()) {
    reconnect_at_ = now() + in_.options.lease / 2;
  } else if (now() >= reconnect_at_) {
    reconnect_at_ = now() + in_.options.lease / 2;
    if (auto again = wire_->reconnect(); !again) say(again.error().message);
  }
}

void worker_process::drain_inbox() {
  std::vector<slot_outcome> done;
  {
    const std::lock_guard lock{mutex_};
    done.swap(inbox_);
  }
  for (auto& outcome : done)
    carry_out(session_->finished(outcome.run, outcome.job,
                                 std::move(outcome.result),
                                 std::move(outcome.error), now()));
}

void worker_process::ask_coordinator() {
  if (!in_.models) return;
  for (auto& question : in_.models->take_calls())
    carry_out(session_->ask_model(question.job, question.number,
                                  std::move(question.call), now()));
  for (const auto& question : in_.models->take_grades())
    carry_out(session_->ask_grade(question.job, question.task, question.answers,
                                  now()));
}

void worker_process::carry_out(worker_step step) {
  say(step.note);
  if (step.unanswered)
    warn(fmt::format("no coordinator answered at {} within {} s; is it "
                     "running, and are the keys right?",
                     in_.connection.connect,
                     worker_session::unanswered_max.count()));
  for (const auto& reply : step.replies)
    if (in_.models) in_.models->answer(reply);
  for (const auto& reply : step.grades)
    if (in_.models) in_.models->answer(reply);
  for (const auto& item : step.to_spool)
    if (spool_)
      if (auto spooled = spool_->put(item); !spooled)
        say("a result stays in memory only: " + spooled.error().message);
  for (const auto& key : step.unspool)
    if (spool_) spool_->remove(key);
  for (const auto& message : step.send)
    // A message that was not sent is repeated, because it is not confirmed.
    if (!wire_->send(wire::frame(message))) session_->unsent(now());
  for (const auto& key : step.stop) {
    slots_->cancel(key.run, key.job);
    std::erase_if(waiting_, [&](const auto& grant) {
      return grant.key.run == key.run && grant.key.job == key.job;
    });
  }
  for (const auto& blob : step.blobs) {
    if (!blob.found) {
      absent_.insert(blob.hash);
      continue;
    }
    // Content is used only if it matches its hash, whoever sent it.
    if (content_hash(blob.content) != blob.hash) continue;
    setups_[blob.hash] = blob.content;
  }
  for (const auto& grant : step.start)
    waiting_.push_back(grant);
  if (step.leave) left_ = step.leave;
  if (!step.start.empty() || !step.blobs.empty()) begin_ready();
}

/// Begins jobs whose set-up and documents are here; requests what is missing
/// for the others.
void worker_process::begin_ready() {
  const auto grants = std::move(waiting_);
  waiting_.clear();
  for (const auto& grant : grants)
    accept(grant);
  absent_.clear(); // a later job may ask again
  if (waiting_.empty()) setups_.clear();
}

void worker_process::accept(const lease_grant& grant) {
  const auto fail = [&](const std::string& why) {
    carry_out(session_->finished(grant.key.run, grant.key.job, {}, why, now()));
  };
  const auto lacks = [&](const std::string& hash) {
    if (!absent_.contains(hash)) return false;
    fail("the coordinator does not have content " + hash);
    return true;
  };
  if (!runners_.contains(grant.setup) && !setups_.contains(grant.setup)) {
    if (lacks(grant.setup)) return;
    waiting_.push_back(grant);
    return carry_out(session_->fetch({grant.setup}, now()));
  }
  const auto runner = runner_of(grant.setup);
  if (!runner) return fail(runner.error().message);
  auto work = wire::decode<job>(grant.work);
  if (!work) return fail(work.error().message);
  std::vector<std::string> wanted;
  for (const auto& hash : (*runner)->missing_documents(*work)) {
    const auto arrived = setups_.find(hash.value);
    if (arrived == setups_.end())
      wanted.push_back(hash.value);
    else
      (*runner)->add_document(arrived->second);
  }
  if (std::any_of(wanted.begin(), wanted.end(), lacks)) return;
  if (!wanted.empty()) {
    waiting_.push_back(grant);
    return carry_out(session_->fetch(wanted, now()));
  }
  slots_->begin({grant.key.run, std::move(*work), *runner});
}

result<std::shared_ptr<const job_runner>>
worker_process::runner_of(const std::string& setup) {
  const auto known = runners_.find(setup);
  if (known != runners_.end()) return known->second;
  auto made = in_.make_runner(setups_.at(setup));
  if (!made) return made.error();
  if (runners_.size() >= max_runners) runners_.clear();
  runners_.emplace(setup, *made);
  return *made;
}

} // namespace brewery
