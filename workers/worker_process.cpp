#include "workers/worker_process.hpp"

#include "base/hash.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "cluster/job_spec.hpp"
#include "process/realtime.hpp"
#include "workers/steady_now.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace brewery {

namespace {

/// A run has one set-up; a worker serves few runs at a time.
constexpr std::size_t max_runners = 8;

/// The default is below the home directory, which containers often lack.
error without_spool(error why) {
  if (why.code != ec::disk_full)
    why.message += "; name a writable directory for undelivered results with "
                   "--spool, or give --no-spool";
  return why;
}

} // namespace

worker_process::worker_process(worker_process_inputs inputs)
    : in_(std::move(inputs)) {}

worker_process::~worker_process() {
  if (in_.models) in_.models->close();
  maker_.reset();
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

result<std::vector<spooled_result>> worker_process::open_spool() {
  if (in_.spool_root.empty()) return std::vector<spooled_result>{};
  auto opened =
      spool::open(in_.spool_root, in_.profile.incarnation, in_.spool_bytes_max);
  if (!opened) return without_spool(opened.error());
  spool_ = std::move(*opened);
  std::vector<std::string> notes;
  auto left_over = spool_->take_over(notes);
  for (const auto& note : notes)
    say(note);
  if (!left_over.empty())
    say("in the spool: " + counted(left_over.size(), "result")
        + " of earlier workers");
  return left_over;
}

result<void> worker_process::run() {
  auto left_over = open_spool();
  if (!left_over) return left_over.error();
  auto connection = dealer::open(in_.connection);
  if (!connection) return connection.error();
  {
    const std::lock_guard lock{mutex_}; // `stop` may be looking
    wire_ = std::move(*connection);
  }
  session_ = std::make_unique<worker_session>(in_.profile, in_.options,
                                              std::move(*left_over));
  slots_ =
      std::make_unique<slots>(in_.profile.slots, [this] { wire_->wake(); });
  maker_ = std::make_unique<runner_maker>(in_.make_runner,
                                          [this] { wire_->wake(); });
  if (in_.models) in_.models->open([this] { wire_->wake(); });
  reconnect_at_ = steady_now() + in_.options.lease;
  if (in_.connection.realtime) schedule_in_realtime();
  carry_out(session_->begin(steady_now()));
  bool refused = false;
  while (!left_) {
    flush();
    turn();
    refused = refused_for_good();
    // What is finished is kept for a worker that is allowed.
    if (refused) carry_out(session_->hand_back("key refused", steady_now()));
  }
  flush();
  count_jobs();
  if (refused) return key_refusal();
  if (stop_ || session_->draining()) return {};
  return error{ec::invalid_argument, *left_};
}

/// All that is there is done before anything is sent or a slot is woken.
void worker_process::turn() {
  auto longest = std::chrono::ceil<std::chrono::milliseconds>(
      std::max(tick_at_ - steady_now(), microseconds{0}));
  if (look_within_) longest = std::min(longest, *look_within_);
  wire_->wait(longest);
  receive();
  take_runners();
  report_outcomes();
  ask_coordinator();
  if (steady_now() >= tick_at_) pass_time();
  look_within_ = slots_->start();
  connected_ = session_->connected();
  if (connected_) welcomed_ = true;
  last_turn_us_ = steady_now().count();
  if (stop_) end_in_time();
}

void worker_process::receive() {
  while (const auto bytes = wire_->receive()) {
    const auto frames = wire::frames_in(*bytes);
    if (!frames) {
      say("unreadable message: " + frames.error().message);
      continue;
    }
    for (const auto frame : *frames) {
      const auto message = wire::unframe(frame);
      if (message)
        carry_out(session_->on(*message, steady_now()));
      else
        say("unreadable message: " + message.error().message);
    }
  }
}

void worker_process::end_in_time() {
  if (stop_at_ == microseconds{0}) {
    stop_at_ = steady_now() + in_.grace;
    say(fmt::format("stopping; {} ms to finish {}", in_.grace.count(),
                    counted(session_->running(), "job")));
    carry_out(session_->drain("told to stop", steady_now()));
  }
  // No connection for a goodbye, or out of time.
  const bool alone = !session_->connected() && session_->running() == 0;
  if (!left_ && (alone || steady_now() >= stop_at_))
    carry_out(session_->hand_back("told to stop", steady_now()));
}

void worker_process::log(const std::string& line) {
  auto kept = single_line(line, worker_session::log_bytes_max);
  const std::lock_guard lock{mutex_};
  if (log_.size() == worker_session::log_lines_max) log_.pop_front();
  log_.push_back(std::move(kept));
}

/// A worker that was welcome before and is on no list now waits: somebody may
/// be replacing the list.
bool worker_process::refused_for_good() const {
  return wire_->revoked() || (wire_->refused() && !welcomed_);
}

error worker_process::key_refusal() const {
  return {ec::invalid_argument,
          fmt::format("the coordinator at {} does not allow this worker's key; "
                      "`brewery keys list` shows the allowed keys",
                      in_.connection.connect)};
}

std::string worker_process::why_unanswered() const {
  if (wire_->refused())
    return fmt::format("the coordinator at {} does not know this worker's key "
                       "any more; trying again",
                       in_.connection.connect);
  return fmt::format("no coordinator answered at {} within {} s; is it "
                     "running, and are the keys right?",
                     in_.connection.connect,
                     session_->unanswered_for(steady_now()).count());
}

/// Not called for every frame, because it visits everything that runs.
void worker_process::pass_time() {
  tick_at_ = steady_now() + session_->tick_every();
  for (const auto& [job, steps] : slots_->progress())
    session_->progress(job.first, job.second, steps);
  std::deque<std::string> lines;
  {
    const std::lock_guard lock{mutex_};
    lines.swap(log_);
  }
  for (auto& line : lines)
    session_->log(std::move(line));
  carry_out(session_->tick(steady_now()));
  check_connection();
  count_jobs();
}

void worker_process::count_jobs() {
  running_ = session_->running();
  unacknowledged_ = session_->unacknowledged();
}

worker_process::state_view worker_process::view() const {
  constexpr microseconds stuck{10'000'000};
  return {in_.profile.slots, running_, unacknowledged_, connected_,
          steady_now() - microseconds{last_turn_us_} < stuck};
}

/// After a network cut, a connection can look alive for minutes.
void worker_process::check_connection() {
  if (session_->connected()) {
    reconnect_at_ = steady_now() + in_.options.lease / 2;
  } else if (steady_now() >= reconnect_at_) {
    reconnect_at_ = steady_now() + in_.options.lease / 2;
    if (auto again = wire_->reconnect(); !again) say(again.error().message);
  }
}

void worker_process::report_outcomes() {
  for (auto& outcome : slots_->take()) {
    if (!outcome.error.empty() && !is_cancelled(outcome.error))
      say(fmt::format("job_failed run={} job={} {}", outcome.run.value,
                      outcome.job.value, single_line(outcome.error)));
    carry_out(session_->finished(
        outcome.run, outcome.job, std::move(outcome.result),
        std::move(outcome.error), steady_now(), outcome.played));
  }
}

void worker_process::ask_coordinator() {
  if (!in_.models) return;
  for (auto& question : in_.models->take_calls())
    carry_out(session_->ask_model(question.run, question.job, question.number,
                                  std::move(question.call), steady_now()));
  for (const auto& question : in_.models->take_grades())
    carry_out(session_->ask_grade(question.run, question.job, question.task,
                                  question.answers, steady_now()));
}

void worker_process::carry_out(worker_step step) {
  say(step.note);
  if (step.unanswered) warn(why_unanswered());
  for (const auto& reply : step.replies)
    if (in_.models) in_.models->answer(reply);
  for (const auto& reply : step.grades)
    if (in_.models) in_.models->answer(reply);
  for (const auto& item : step.to_spool)
    if (spool_)
      if (auto spooled = spool_->put(item); !spooled) {
        session_->not_spooled(item.key, steady_now());
        say((std::erase(step.set_aside, item.key) > 0
                 ? "a result of another coordinator is lost: "
                 : "a result stays in memory only: ")
            + spooled.error().message);
      }
  if (spool_)
    if (auto left = spool_->set_aside(step.set_aside); !left)
      say(left.error().message);
  for (const auto& key : step.unspool)
    if (spool_) spool_->remove(key);
  for (const auto& message : step.send)
    frames_.push_back(
        std::make_shared<const std::string>(wire::frame(message)));
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
  const bool may_begin = !step.start.empty() || !step.blobs.empty();
  std::move(step.start.begin(), step.start.end(), std::back_inserter(waiting_));
  if (step.leave) left_ = step.leave;
  if (may_begin) begin_ready();
}

/// A message that was not sent is repeated, because it is not confirmed.
void worker_process::flush() {
  auto frames = std::exchange(frames_, {});
  if (session_->takes_batches()) frames = wire::batched(std::move(frames));
  for (const auto& frame : frames)
    if (!wire_->send(*frame)) session_->unsent(steady_now());
}

/// Begins jobs whose set-up and documents are here; requests what is missing
/// for the others.
void worker_process::begin_ready() {
  for (auto& grant : std::exchange(waiting_, {}))
    accept(std::move(grant));
  absent_.clear(); // a later job may ask again
  if (waiting_.empty()) setups_.clear();
}

void worker_process::accept(lease_grant grant) {
  const auto fail = [&](const std::string& why) {
    carry_out(session_->finished(grant.key.run, grant.key.job, {}, why,
                                 steady_now()));
  };
  const auto lacks = [&](const std::string& hash) {
    if (!absent_.contains(hash)) return false;
    fail("the coordinator does not have content " + hash);
    return true;
  };
  if (!runners_.contains(grant.setup) && !setups_.contains(grant.setup)) {
    if (lacks(grant.setup)) return;
    auto wanted = grant.setup;
    waiting_.push_back(std::move(grant));
    return carry_out(session_->fetch({std::move(wanted)}, steady_now()));
  }
  const auto runner = runners_.find(grant.setup);
  if (runner == runners_.end()) {
    if (const auto failed = failed_runners_.find(grant.setup);
        failed != failed_runners_.end() && steady_now() < failed->second.until)
      return fail(failed->second.why);
    maker_->ask(grant.setup, setups_.at(grant.setup));
    waiting_.push_back(std::move(grant));
    return;
  }
  auto work = wire::decode<job>(grant.work);
  if (!work) return fail(work.error().message);
  std::vector<std::string> wanted;
  for (const auto& hash : runner->second->missing_documents(*work)) {
    const auto arrived = setups_.find(hash.value);
    if (arrived == setups_.end())
      wanted.push_back(hash.value);
    else
      runner->second->add_document(arrived->second);
  }
  if (std::any_of(wanted.begin(), wanted.end(), lacks)) return;
  if (!wanted.empty()) {
    waiting_.push_back(std::move(grant));
    return carry_out(session_->fetch(wanted, steady_now()));
  }
  slots_->add({grant.key.run, std::move(*work), runner->second});
}

/// Jobs that come soon after a failure fail at once: to load it again would
/// take as long.
void worker_process::take_runners() {
  auto made = maker_->take();
  if (made.empty()) return;
  for (auto& one : made) {
    failed_runners_.erase(one.hash);
    if (!one.runner) {
      failed_runners_[one.hash] = {one.runner.error().message,
                                   steady_now() + in_.options.lease};
      continue;
    }
    if (runners_.size() >= max_runners) runners_.clear();
    runners_.emplace(one.hash, std::move(*one.runner));
  }
  begin_ready();
}

} // namespace brewery
