#include "apps/engine.hpp"

#include "actors/journal_actor.hpp"
#include "actors/ledger_actor.hpp"
#include "coordinator/coordinator_actor.hpp"
#include "messages/wire/codec.hpp"
#include "workers/pool_actor.hpp"
#include "workers/worker_actor.hpp"

#include <fmt/format.h>

#include <atomic>
#include <thread>

namespace brewery {

namespace {

struct system_config : caf::actor_system_config {
  system_config() {
    register_types(*this);
    // The actors only pass messages on; the work is in the workers' threads.
    set("scheduler.max-threads", std::size_t{2});
  }
};

} // namespace

struct engine::state {
  system_config setup;
  caf::actor_system system{setup};
  std::shared_ptr<document_store> documents;
  std::shared_ptr<progress_board> board = std::make_shared<progress_board>();
  std::shared_ptr<probes> metrics;
  std::vector<worker_actor> workers;
  pool_actor pool;
  journal_actor journal;
  ledger_actor ledger;
  std::atomic<bool> stopped{false};
  mutable std::mutex mutex;
  std::map<job_id, task_id> tasks; ///< of every rollout
};

engine::engine(engine_inputs inputs) : state_(std::make_unique<state>()) {
  auto* held = state_.get();
  held->documents = inputs.documents;
  held->metrics = inputs.metrics;
  for (const auto& [id, known] : inputs.known.results)
    for (const auto& rollout : known.rollout)
      held->tasks.emplace(id, rollout.task);
  const std::size_t threads =
      inputs.threads > 0 ? inputs.threads
                         : std::max(1u, std::thread::hardware_concurrency());
  for (std::size_t i = 0; i < threads; ++i)
    held->workers.push_back(
        held->system.spawn<caf::detached>(worker, inputs.runner));
  auto metrics = held->metrics;
  pool_observer observer;
  observer.on_load = [metrics, threads](std::size_t queued, std::size_t busy) {
    metrics->set_jobs(queued, busy);
    metrics->set_workers(threads - busy, busy);
  };
  observer.on_start = [metrics](double waited) {
    metrics->job_started(waited);
  };
  observer.on_oldest = [metrics](double age) {
    metrics->set_oldest_inflight(age);
  };
  held->pool = held->system.spawn(pool, held->workers, observer);
  held->journal = inputs.log ? held->system.spawn<caf::detached>(
                      journal, inputs.log,
                      [metrics](std::size_t events, double seconds) {
                        metrics->journal_committed(events, seconds);
                      })
                             : held->system.spawn(forgetful_journal);
  auto ledger_in = std::make_shared<ledger_inputs>();
  ledger_in->known = std::move(inputs.known);
  ledger_in->pool = held->pool;
  ledger_in->journal = held->journal;
  ledger_in->board = held->board;
  ledger_in->on_result = [held, metrics](const job_result& answer) {
    for (const auto& rollout : answer.rollout) {
      metrics->rollout_finished(
          rollout.outcome, static_cast<double>(rollout.duration_us) * 1e-6);
      const std::lock_guard lock{held->mutex};
      held->tasks.emplace(answer.id, rollout.task);
    }
  };
  held->ledger = held->system.spawn(ledger, ledger_in);
}

engine::~engine() {
  stop();
  auto& held = *state_;
  {
    caf::scoped_actor self{held.system};
    self->request(held.ledger, caf::infinite, atom::drain_v)
        .receive([](bool) {}, [](const caf::error&) {});
    // Every handle is told: ~actor_system waits for all of them.
    self->send_exit(held.ledger, caf::exit_reason::user_shutdown);
    self->send_exit(held.pool, caf::exit_reason::user_shutdown);
    for (auto& worker : held.workers)
      self->send_exit(worker, caf::exit_reason::user_shutdown);
    self->send_exit(held.journal, caf::exit_reason::user_shutdown);
  }
  held.ledger = ledger_actor{};
  held.pool = pool_actor{};
  held.journal = journal_actor{};
  held.workers.clear();
}

result<search_outcome>
engine::search(const std::string& strategy,
               std::shared_ptr<const brew_settings> settings) {
  auto& held = *state_;
  auto inputs = std::make_shared<coordinator_inputs>();
  inputs->strategy = strategy;
  inputs->settings = std::move(settings);
  inputs->documents = held.documents;
  inputs->ledger = held.ledger;
  inputs->board = held.board;
  inputs->workers = held.workers.size();
  auto metrics = held.metrics;
  inputs->on_barrier = [metrics](const barrier_sample& sample,
                                 const gather_record& gathered) {
    metrics->barrier_closed(sample);
    metrics->set_iteration(gathered.iteration);
    double reward = 0;
    for (const auto& tree : gathered.reports) {
      metrics->candidates_scored(tree.added, tree.dropped);
      reward += tree.best.reward;
    }
    if (!gathered.reports.empty())
      metrics->set_best_reward(reward
                               / static_cast<double>(gathered.reports.size()));
  };
  caf::scoped_actor self{held.system};
  const auto root = held.system.spawn(coordinator, inputs);
  result<search_outcome> answer = error{ec::internal, "no answer"};
  self->request(root, caf::infinite, atom::run_v)
      .receive([&](search_outcome& outcome) { answer = std::move(outcome); },
               [&](const caf::error& err) { answer = from_caf(err); });
  // Its trees are linked to it.
  self->send_exit(root, caf::exit_reason::user_shutdown);
  return answer;
}

result<evaluation_record>
engine::evaluate(const std::string& name, const std::string& split,
                 const brew_settings& settings,
                 const std::vector<learner_task>& tasks, std::uint32_t trials,
                 const std::vector<doc_ref>& knowledge) {
  auto& held = *state_;
  held.board->update([&](progress_view& view) {
    view.search = name;
    view.phase = "evaluating on " + split;
  });
  caf::scoped_actor self{held.system};
  using handle = decltype(self->request(held.ledger, caf::infinite,
                                        atom::submit_v, job{}));
  std::vector<handle> answers;
  for (const auto& task : tasks)
    for (std::uint32_t i = 0; i < trials; ++i)
      answers.push_back(self->request(
          held.ledger, caf::infinite, atom::submit_v,
          make_job(make_rollout_job(settings, task.id, i, knowledge, false))));
  evaluation_record out{name, split, {}, {}};
  std::optional<error> failed;
  auto next = answers.begin();
  for (const auto& task : tasks) {
    std::vector<double> rewards;
    for (std::uint32_t i = 0; i < trials; ++i)
      (next++)->receive(
          [&](const job_result& answer) {
            const auto& rollout = answer.rollout.front();
            if (rollout.outcome == rollout_outcome::graded)
              rewards.push_back(rollout.grade.reward);
          },
          [&](const caf::error& err) { failed = from_caf(err); });
    out.tasks.push_back(task.id);
    out.rewards.push_back(std::move(rewards));
  }
  if (failed) return *failed;
  return out;
}

result<void> engine::record(const std::string& kind, const std::string& key,
                            const std::string& payload) {
  auto& held = *state_;
  caf::scoped_actor self{held.system};
  result<void> answer;
  self->request(held.ledger, caf::infinite, atom::record_v, kind, key, payload)
      .receive([](bool) {},
               [&](const caf::error& err) { answer = from_caf(err); });
  return answer;
}

void engine::stop() {
  if (state_->stopped.exchange(true)) return;
  caf::anon_send(state_->ledger, atom::stop_v);
}

progress_board& engine::board() {
  return *state_->board;
}

const probes& engine::metrics() const {
  return *state_->metrics;
}

std::size_t engine::workers() const {
  return state_->workers.size();
}

task_id engine::task_of(const job_id& rollout) const {
  const std::lock_guard lock{state_->mutex};
  const auto it = state_->tasks.find(rollout);
  return it == state_->tasks.end() ? task_id{} : it->second;
}

std::uint64_t engine::rollouts() const {
  const std::lock_guard lock{state_->mutex};
  return state_->tasks.size();
}

result<memo_content> load_memo(const event_log& log) {
  memo_content known;
  auto read = log.for_each([&](const event_row& row) -> result<void> {
    if (row.kind != job_result::type_name) {
      known.decisions.emplace(row.kind + "/" + row.key, row.payload);
      return {};
    }
    auto answer = wire::decode<job_result>(row.payload);
    if (!answer)
      return error{answer.error().code,
                   fmt::format("event {} of the log: {}", row.seq,
                               answer.error().message)};
    auto id = answer->id;
    known.results.emplace(std::move(id),
                          without_trajectory(std::move(*answer)));
    return {};
  });
  if (!read) return read.error();
  return known;
}

} // namespace brewery
