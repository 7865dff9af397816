#include "run/run_executor.hpp"

#include "actors/journal_actor.hpp"
#include "actors/ledger_actor.hpp"
#include "base/printable.hpp"
#include "cluster/job_spec.hpp"
#include "coordinator/coordinator_actor.hpp"
#include "coordinator/recorded.hpp"
#include "messages/wire/codec.hpp"
#include "run/resume/search_snapshots.hpp"
#include "run/resume/seen_results.hpp"
#include "run/shared_checks.hpp"

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
  std::filesystem::path snapshots;            ///< empty: none are kept
  std::filesystem::path first_search;         ///< that is done: its snapshots
  std::map<std::string, std::string> decided; ///< from before a resume
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
  parts->seen.given_up(quarantined_in(inputs.known));
  parts->decided = inputs.known.decisions;
  for (const auto& differs : reuse_checks_in(parts->decided))
    parts->seen.note_reuse_check(differs);
  parts->metrics = on.metrics();
  parts->own_metrics =
      std::make_shared<run_metrics>(*parts->metrics, inputs.id);
  parts->status = std::move(inputs.status);
  parts->snapshots = std::move(inputs.snapshots);
  parts->hold = std::move(inputs.hold);
  for (const auto& [id, known] : inputs.known.results)
    parts->seen.note(known);
  auto metrics = parts->metrics;
  auto& system = on.system();
  journal_inputs journal_in;
  journal_in.log = inputs.log;
  journal_in.rest = journal_rest;
  journal_in.on_commit = [metrics](std::size_t events, double seconds) {
    metrics->journal_committed(events, seconds);
  };
  if (inputs.patient)
    journal_in.on_stuck = [metrics, pool = on.pool(),
                           id = inputs.id](const error* problem) {
      metrics->set_journal_stuck(problem != nullptr);
      caf::anon_send(pool, atom::pause_v, id, problem != nullptr);
      if (problem)
        spdlog::error("journal_stuck run={} {}; no job is granted until the "
                      "log can be written again",
                      id.value, problem->message);
      else
        spdlog::info("journal_writable_again run={}", id.value);
    };
  parts->journal = inputs.log ? system.spawn<caf::detached>(journal, journal_in)
                              : system.spawn(forgetful_journal);
  auto ledger_in = std::make_shared<ledger_inputs>();
  ledger_in->run = inputs.id;
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
  caf::anon_send(on.pool(),
                 run_opening{inputs.id,
                             inputs.share,
                             inputs.benchmark,
                             on.blobs()->add_setup(inputs.setup),
                             parts->ledger,
                             {inputs.needs.begin(), inputs.needs.end()},
                             std::move(inputs.benchmark_name)});
}

run_executor::~run_executor() {
  stop();
  auto& parts = *state_;
  parts.on.grades().close(parts.id);
  {
    caf::scoped_actor self{parts.on.system()};
    self->request(parts.ledger, caf::infinite, atom::drain_v)
        .receive([](bool) {}, [](const caf::error&) {});
    self->send(parts.on.pool(), atom::close_v, parts.id);
    self->send_exit(parts.ledger, caf::exit_reason::user_shutdown);
    self->send_exit(parts.journal, caf::exit_reason::user_shutdown);
    // The log can be closed once the journal's actor has ended.
    self->wait_for(parts.ledger, parts.journal);
  }
  parts.ledger = ledger_actor{};
  parts.journal = journal_actor{};
}

/// Continues the search from its snapshot if there is a usable one, and saves
/// it from now on.
std::shared_ptr<search_snapshots>
run_executor::use_snapshots(coordinator_inputs& search) {
  auto& parts = *state_;
  const auto told = std::make_shared<seen_results::told_until>();
  auto saver = std::make_shared<search_snapshots>(
      parts.snapshots / search.strategy,
      [&parts, told] { return parts.seen.growth(*told); });
  std::string why;
  auto restored = saver->load(
      search.settings, search.recorded, search.documents,
      [&parts](const run_growth& part) { parts.seen.restore(part); }, why);
  if (!why.empty())
    spdlog::warn("snapshot_unusable run={} strategy={} {}; the search is "
                 "executed again from the log",
                 parts.id.value, search.strategy, single_line(why));
  // With late trees the first gathers may differ.
  if (!restored && !parts.first_search.empty()
      && search.settings->learner.gather_quorum >= 1) {
    restored = saver->load_start(parts.first_search, search.settings,
                                 search.documents);
    search.begins_alike = restored.has_value();
  }
  if (search.begins_alike) {
    spdlog::info("search_begins_alike run={} strategy={} as={}", parts.id.value,
                 search.strategy, parts.first_search.filename().string());
    search.continue_after = std::move(restored->mark);
    search.trees = std::move(restored->trees);
  } else if (restored) {
    spdlog::info("snapshot_used run={} strategy={} iteration={}",
                 parts.id.value, search.strategy,
                 restored->mark.gathered.iteration);
    search.continue_after = std::move(restored->mark);
    search.trees = std::move(restored->trees);
    search.gathered = std::move(restored->gathers);
    *told = parts.seen.restored();
  }
  search.saver = saver;
  return saver;
}

result<search_outcome>
run_executor::search(const std::string& strategy,
                     std::shared_ptr<const brew_settings> settings) {
  auto& parts = *state_;
  auto recorded = gathers_on_record(parts.decided, strategy);
  if (!recorded) return recorded.error();
  auto inputs = std::make_shared<coordinator_inputs>();
  inputs->strategy = strategy;
  if (!recorded->empty()) {
    const std::lock_guard lock{parts.mutex};
    parts.gathered[strategy] = recorded->back();
  }
  inputs->recorded = std::move(*recorded);
  inputs->settings = std::move(settings);
  inputs->documents = parts.on.documents();
  std::shared_ptr<search_snapshots> snapshots;
  if (!parts.snapshots.empty()) snapshots = use_snapshots(*inputs);
  if (parts.hold && parts.hold->strategy == strategy)
    inputs->hold_after = parts.hold->after;
  inputs->ledger = parts.ledger;
  inputs->board = parts.board;
  inputs->slot_seconds = [slots = parts.on.slots()](auto now) {
    return slots->slot_seconds(now);
  };
  inputs->on_dropped = [id = parts.id, strategy](const dropped_concept& one) {
    spdlog::warn("concept_dropped run={} strategy={} concept={} title=\"{}\" "
                 "reason=\"{}\"",
                 id.value, strategy, one.id.value, single_line(one.title),
                 single_line(one.reason));
  };
  auto metrics = parts.metrics;
  auto own = parts.own_metrics;
  own->set_gather_quorum(strategy, inputs->settings->learner.gather_quorum);
  auto versions = std::make_shared<gathered_versions>();
  inputs->on_barrier = [metrics, own, versions, strategy,
                        parts = &parts](const barrier_sample& sample,
                                        const gather_record& gathered) {
    {
      const std::lock_guard lock{parts->mutex};
      parts->gathered[strategy] = gathered;
    }
    metrics->barrier_closed(sample);
    metrics->reports_late(gathered.late.size());
    for (const auto* part : {&gathered.folded, &gathered.reports})
      for (const auto& tree : *part) {
        metrics->candidates_scored(tree.added, tree.dropped);
        metrics->scoring_counted(tree.counts);
      }
    versions->fold(gathered);
    own->barrier_closed(strategy, gathered.iteration,
                        versions->best().empty() ? 0 : versions->mean_reward(),
                        sample);
  };
  caf::scoped_actor self{parts.on.system()};
  const auto root = parts.on.system().spawn(coordinator, inputs);
  result<search_outcome> answer = error{ec::internal, "no answer"};
  self->request(root, caf::infinite, atom::run_v)
      .receive([&](search_outcome& outcome) { answer = std::move(outcome); },
               [&](const caf::error& err) { answer = from_caf(err); });
  // Its trees are linked to it and end too.
  self->send_exit(root, caf::exit_reason::user_shutdown);
  self->wait_for(root);
  // What only this search held must not stay beside what the next one reads.
  // After a failure jobs may be under way, which nobody needs to wait for.
  if (answer)
    self->request(parts.ledger, caf::infinite, atom::drain_v)
        .receive([](bool) {}, [](const caf::error&) {});
  else if (answer.error().code == ec::exhausted)
    parts.seen.note_no_concept();
  if (snapshots) snapshots->close();
  if (snapshots && answer && parts.first_search.empty())
    parts.first_search = parts.snapshots / strategy;
  return answer;
}

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
  caf::scoped_actor self{parts.on.system()};
  using handle = decltype(self->request(parts.ledger, caf::infinite,
                                        atom::submit_v, job{}));
  std::vector<std::pair<job_id, handle>> answers;
  for (const auto& arm : arms)
    for (const auto& task : arm.tasks(tasks))
      for (std::uint32_t i = 0; i < trials; ++i) {
        auto work = make_job(make_rollout_job(arm.settings, task.id, i,
                                              arm.knowledge, arm.reflect));
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

void run_executor::abandon() {
  stop();
  caf::anon_send(state_->on.pool(), atom::close_v, state_->id);
  // A full disk may stay full. Workers still have the results that are not
  // written.
  caf::anon_send(state_->journal, atom::stop_v);
}

std::optional<gather_record>
run_executor::last_gather(const std::string& strategy) const {
  const std::lock_guard lock{state_->mutex};
  const auto found = state_->gathered.find(strategy);
  if (found == state_->gathered.end()) return std::nullopt;
  return found->second;
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

std::vector<note_total> run_executor::notes() const {
  return state_->seen.notes();
}

failed_jobs run_executor::failed() const {
  return state_->seen.failed();
}

} // namespace brewery
