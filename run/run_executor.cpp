#include "run/run_executor.hpp"

#include "actors/journal_actor.hpp"
#include "actors/ledger_actor.hpp"
#include "cluster/job_spec.hpp"
#include "coordinator/learner_actor.hpp"
#include "learners/shared_checks.hpp"
#include "messages/side_records.hpp"
#include "messages/wire/codec.hpp"
#include "run/resume/seen_results.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>

namespace brewery {

struct run_executor::state {
  explicit state(cluster_runtime& owner) : on(owner) {}

  cluster_runtime& on;
  run_id id;
  std::shared_ptr<progress_board> board = std::make_shared<progress_board>();
  std::shared_ptr<job_names> names = std::make_shared<job_names>();
  std::shared_ptr<process_metrics> metrics;
  std::shared_ptr<run_metrics> own_metrics;
  journal_actor journal;
  ledger_actor ledger;
  std::shared_ptr<run_status_file> status; ///< may be null
  std::atomic<bool> stopped{false};
  mutable std::mutex mutex;
  seen_results seen;
  std::optional<search_hold> hold;
  std::function<double()> cost_usd; ///< empty: no models
  std::shared_ptr<document_store> documents;
  std::shared_ptr<const setup_blob> setup;       ///< workers fetch it
  std::filesystem::path snapshots;               ///< empty: none are kept
  std::map<std::string, std::string> decided;    ///< from before a resume
  std::map<std::string, gather_record> gathered; ///< latest, by strategy
  /// Rollouts of an evaluation without a result: how often each is asked for.
  std::map<job_id, std::uint64_t> awaited;

  void await(const job_id& rollout) {
    const std::lock_guard lock{mutex};
    ++awaited[rollout];
  }
  /// Counts a rollout when its result arrives, in whatever order.
  void arrived(const job_id& rollout) {
    std::uint64_t times = 0;
    {
      const std::lock_guard lock{mutex};
      if (const auto found = awaited.extract(rollout)) times = found.mapped();
    }
    if (times > 0)
      board->update([times](progress_view& view) {
        view.evaluations_left -= std::min(view.evaluations_left, times);
      });
  }
};

run_executor::run_executor(cluster_runtime& on, run_executor_inputs inputs)
    : state_(std::make_unique<state>(on)) {
  auto* parts = state_.get();
  parts->id = inputs.id;
  auto given_up = quarantined_in(inputs.known);
  const auto given_up_before = given_up.size();
  parts->seen.given_up(std::move(given_up));
  parts->decided = inputs.known.decisions;
  for (const auto& differs : reuse_checks_in(parts->decided))
    parts->seen.note_reuse_check(differs);
  parts->metrics = on.metrics();
  parts->own_metrics =
      std::make_shared<run_metrics>(*parts->metrics, inputs.id);
  parts->status = std::move(inputs.status);
  parts->snapshots = std::move(inputs.snapshots);
  parts->hold = std::move(inputs.hold);
  parts->cost_usd = std::move(inputs.cost_usd);
  parts->documents =
      inputs.documents ? std::move(inputs.documents) : on.documents_of_run();
  for (const auto& [id, known] : inputs.known.results)
    parts->seen.note(known);
  auto metrics = parts->metrics;
  auto& system = on.system();
  journal_inputs journal_in;
  journal_in.log = inputs.log;
  journal_in.on_commit = [metrics](std::size_t events, double seconds) {
    metrics->journal_committed(events, seconds);
  };
  if (inputs.patient)
    journal_in.on_stuck = [metrics, pool = on.pool(),
                           id = inputs.id](const error* problem) {
      metrics->set_journal_stuck(id, problem != nullptr);
      const bool disk_full = problem && problem->code == ec::disk_full;
      caf::anon_send(pool, log_change{id, disk_full ? log_state::disk_full
                                          : problem ? log_state::stuck
                                                    : log_state::writable});
      if (problem)
        spdlog::error("journal_stuck run={} {}; no job {}is granted until the "
                      "log can be written again",
                      id.value, problem->message,
                      disk_full ? "" : "of this run ");
      else
        spdlog::info("journal_writable_again run={}", id.value);
    };
  parts->journal = inputs.log ? system.spawn<caf::detached>(journal, journal_in)
                              : system.spawn(forgetful_journal);
  auto ledger_in = std::make_shared<ledger_inputs>();
  ledger_in->run = inputs.id;
  if (inputs.log) ledger_in->rest = log_rest;
  ledger_in->known = std::move(inputs.known);
  ledger_in->pool = on.pool();
  ledger_in->journal = parts->journal;
  ledger_in->board = parts->board;
  ledger_in->names = parts->names;
  ledger_in->on_recalled = [parts](const job_result& answer) {
    parts->seen.note(answer);
    parts->arrived(answer.id);
  };
  ledger_in->on_result = [parts, metrics](const job_result& answer) {
    parts->seen.note(answer);
    parts->arrived(answer.id);
    for (const auto& note : notes_of(answer)) {
      metrics->reply_noted(note);
      spdlog::warn("reply_trouble run={} job={} {}", parts->id.value,
                   answer.id.value, note_text(note));
    }
    if (auto why = given_up_because(answer); !why.empty())
      parts->seen.note_failure(answer.id, std::move(why));
    const auto* rollout = std::get_if<rollout_result>(&answer.output);
    if (rollout && !rollout->reused_from.empty())
      metrics->rollout_reused();
    else if (rollout)
      metrics->rollout_finished(
          rollout->outcome, static_cast<double>(rollout->duration_us) * 1e-6);
  };
  ledger_in->reuse = std::move(inputs.reuse);
  ledger_in->embedder = std::move(inputs.embedder);
  ledger_in->share = std::move(inputs.jobs_of_others);
  ledger_in->on_reuse_checked = [parts, metrics](const reuse_check& check) {
    parts->seen.note_reuse_check(check.differs);
    metrics->reuse_checked(check.differs.empty());
    if (!check.differs.empty())
      spdlog::error("reuse_wrong run={} job={} {}; rollouts were reused that "
                    "should not have been: set economy.reuse=\"off\" and run "
                    "anew",
                    parts->id.value, check.id.value, check.differs);
  };
  parts->ledger = system.spawn(ledger, ledger_in);
  if (!inputs.goldens.empty())
    on.grades().open(inputs.id, {parts->ledger, inputs.goldens});
  parts->setup = on.blobs()->add_setup(inputs.setup);
  caf::anon_send(on.pool(),
                 run_opening{inputs.id,
                             inputs.share,
                             inputs.benchmark,
                             parts->setup->hash,
                             parts->ledger,
                             {inputs.needs.begin(), inputs.needs.end()},
                             std::move(inputs.benchmark_name),
                             given_up_before});
}

run_executor::~run_executor() {
  stop();
  auto& parts = *state_;
  parts.on.grades().close(parts.id);
  {
    caf::scoped_actor self{parts.on.system()};
    self->request(parts.ledger, caf::infinite, atom::drain_v)
        .receive([](bool) {}, [](const caf::error&) {});
    self->send_exit(parts.ledger, caf::exit_reason::user_shutdown);
    self->send_exit(parts.journal, caf::exit_reason::user_shutdown);
    // The log can be closed once the journal's actor has ended.
    self->wait_for(parts.ledger, parts.journal);
    self->send(parts.on.pool(), atom::close_v, parts.id, true);
  }
  parts.metrics->set_journal_stuck(parts.id, false);
  parts.ledger = ledger_actor{};
  parts.journal = journal_actor{};
}

result<std::vector<search_outcome>>
run_executor::search(const std::vector<planned_search>& planned) {
  auto& parts = *state_;
  run_searches all{
      {parts.on, parts.id, parts.documents, parts.ledger, parts.board,
       parts.own_metrics, parts.seen, parts.snapshots, parts.decided,
       [&parts](const std::string& strategy, const gather_record& gathered) {
         const std::lock_guard lock{parts.mutex};
         parts.gathered[strategy] = gathered;
       },
       [this] { stop(); }, parts.cost_usd}};
  if (!parts.hold) return all.play(planned);
  // The others are played when the run goes on to its end.
  auto held = planned;
  std::erase_if(held, [&](const planned_search& one) {
    return one.strategy != parts.hold->strategy;
  });
  for (auto& one : held)
    one.hold_after = parts.hold->after;
  return all.play(held);
}

result<void>
run_executor::play(const std::string& name,
                   const std::vector<std::shared_ptr<learner_machine>>& all) {
  auto& parts = *state_;
  caf::scoped_actor self{parts.on.system()};
  std::vector<learner_actor> players;
  for (const auto& machine : all)
    players.push_back(parts.on.system().spawn(
        play_learner,
        learner_inputs{name, machine, parts.ledger, parts.board}));
  using handle =
      decltype(self->request(players.front(), caf::infinite, atom::run_v));
  std::vector<handle> answers;
  for (const auto& player : players)
    answers.push_back(self->request(player, caf::infinite, atom::run_v));
  std::optional<error> failed;
  for (auto& answer : answers)
    answer.receive([](bool) {},
                   [&](const caf::error& err) {
                     if (!failed || failed->code == ec::cancelled)
                       failed = from_caf(err);
                     stop();
                   });
  // The machines are free again once their actors have ended.
  for (const auto& player : players) {
    self->send_exit(player, caf::exit_reason::user_shutdown);
    self->wait_for(player);
  }
  if (failed) return *failed;
  return {};
}

namespace {

/// Nobody waits for it: it decides nothing.
void record_arms(const ledger_actor& ledger,
                 const std::vector<evaluation_arm>& arms,
                 const std::string& split,
                 const std::vector<learner_task>& tasks, std::uint32_t trials) {
  for (const auto& arm : arms) {
    job_purpose what;
    what.what = purpose::arm;
    what.name = arm.name;
    for (const auto& task : arm.tasks(tasks))
      for (std::uint32_t i = 0; i < trials; ++i)
        what.jobs.push_back(arm.attempt(task.id, i).id);
    caf::anon_send(ledger, atom::record_v,
                   std::string{purpose_record::type_name},
                   arm_key(trials, split, arm.name),
                   wire::encode(purpose_record{{std::move(what)}}));
  }
}

} // namespace

result<void> run_executor::evaluate(
    const std::vector<evaluation_arm>& arms, const std::string& split,
    const std::vector<learner_task>& tasks, std::uint32_t trials,
    const std::function<result<void>(evaluation_record)>& measured) {
  auto& parts = *state_;
  parts.board->update([&](progress_view& view) {
    view.search = arms.size() == 1 ? arms.front().name
                                   : fmt::format("{} arms", arms.size());
    view.phase = "evaluating on " + split;
  });
  record_arms(parts.ledger, arms, split, tasks, trials);
  caf::scoped_actor self{parts.on.system()};
  using handle = decltype(self->request(parts.ledger, caf::infinite,
                                        atom::submit_v, job{}));
  std::vector<std::pair<job_id, handle>> answers;
  for (const auto& arm : arms)
    for (const auto& task : arm.tasks(tasks))
      for (std::uint32_t i = 0; i < trials; ++i) {
        auto work = make_job(arm.attempt(task.id, i));
        const auto id = work.id;
        parts.await(id);
        answers.emplace_back(id,
                             self->request(parts.ledger, caf::infinite,
                                           atom::submit_v, std::move(work)));
      }
  // All answers are received, also after a failure: what runs is finished.
  std::optional<error> failed;
  auto next = answers.begin();
  for (const auto& arm : arms) {
    evaluation_record out{arm.name, split, {}, {}};
    shared_checks checks;
    for (const auto& task : arm.tasks(tasks)) {
      std::vector<double> rewards;
      for (std::uint32_t i = 0; i < trials; ++i) {
        next->second.receive(
            [&](const job_result& answer) {
              const auto& rollout = std::get<rollout_result>(answer.output);
              if (rollout.outcome != rollout_outcome::graded) return;
              rewards.push_back(rollout.grade.reward);
              checks.add(rollout.grade);
            },
            [&](const caf::error& err) { failed = from_caf(err); });
        parts.arrived((next++)->first);
      }
      out.tasks.push_back(task.id);
      out.rewards.push_back(std::move(rewards));
    }
    out.checks = checks.take();
    if (failed) continue;
    if (auto ok = measured(std::move(out)); !ok) failed = ok.error();
  }
  if (failed) return *failed;
  return {};
}

result<void> run_executor::record(const std::string& kind,
                                  const std::string& key,
                                  const std::string& payload) {
  auto& parts = *state_;
  caf::scoped_actor self{parts.on.system()};
  result<void> answer;
  self->request(parts.ledger, caf::infinite, atom::record_v, kind, key, payload)
      .receive([](bool) {},
               [&](const caf::error& err) { answer = from_caf(err); });
  return answer;
}

void run_executor::stop() {
  if (state_->stopped.exchange(true)) return;
  caf::anon_send(state_->ledger, atom::stop_v);
}

bool run_executor::stopped() const {
  return state_->stopped;
}

void run_executor::abandon() {
  stop();
  caf::anon_send(state_->on.pool(), atom::close_v, state_->id, false);
  // A full disk may stay full. Workers keep what is not written until this
  // executor ends, and over a restart of the coordinator.
  caf::anon_send(state_->journal, atom::stop_v);
}

std::optional<gather_record>
run_executor::last_gather(const std::string& strategy) const {
  const std::lock_guard lock{state_->mutex};
  const auto found = state_->gathered.find(strategy);
  if (found == state_->gathered.end()) return std::nullopt;
  return found->second;
}

std::shared_ptr<document_store> run_executor::documents() const {
  return state_->documents;
}

progress_board& run_executor::board() {
  return *state_->board;
}

std::shared_ptr<const job_names> run_executor::names() const {
  return state_->names;
}

run_metrics& run_executor::metrics() {
  return *state_->own_metrics;
}

const run_id& run_executor::id() const {
  return state_->id;
}

pool_status_ptr run_executor::pool() const {
  return state_->on.status();
}

std::size_t run_executor::workers() const {
  return state_->on.workers();
}

cited_rollout run_executor::rollout(const job_id& id) const {
  return state_->seen.rollout(id);
}

std::uint64_t run_executor::counted() const {
  return state_->seen.rollouts();
}

std::uint64_t run_executor::rollouts() const {
  const auto& status = state_->status;
  return status ? status->note_progress(counted()) : counted();
}

std::uint64_t run_executor::rollouts_shown() const {
  const auto& status = state_->status;
  return status ? status->stored_rollouts() : counted();
}

void run_executor::note_progress(std::optional<double> cost_usd) const {
  if (state_->status) state_->status->note_progress(counted(), cost_usd);
}

reuse_counts run_executor::reused() const {
  return state_->seen.reused();
}

played_work run_executor::played() const {
  return state_->seen.played();
}

std::vector<note_total> run_executor::notes() const {
  return state_->seen.notes();
}

failed_jobs run_executor::failed() const {
  return state_->seen.failed();
}

} // namespace brewery
