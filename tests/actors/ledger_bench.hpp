#pragma once
/// A ledger between a pool and a journal that do nothing until a test says so.

#include "actors/ledger_actor.hpp"
#include "messages/wire/codec.hpp"
#include "tests/fixtures/deterministic_system.hpp"

namespace brewery::test {

/// A promise is delivered inside its actor: `next` runs on a tick.
using manual_journal_actor =
    interface<caf::result<std::uint64_t>(atom::append, journal_batch),
              caf::result<std::string>(atom::recall, std::uint64_t),
              caf::result<void>(atom::stop), caf::result<void>(atom::flush),
              caf::result<void>(atom::tick)>;

/// All a pool can be asked, of which a ledger asks little.
using manual_pool_actor = pool_actor;

/// A pool that holds every job until the test says what came of it.
struct manual_pool {
  std::function<void()> next;
  std::vector<job> jobs;
  std::vector<caf::typed_response_promise<packed_result>> open;
  bool stopped = false;
  std::vector<std::string> settled; ///< jobs whose workers may forget them

  static manual_pool_actor::behavior_type
  run(manual_pool_actor::pointer self, std::shared_ptr<manual_pool> state) {
    return {
        [=](atom::run, const run_id&,
            const job& work) -> caf::result<packed_result> {
          auto promise = self->make_response_promise<packed_result>();
          state->jobs.push_back(work);
          state->open.push_back(promise);
          return promise;
        },
        [=](atom::journalled, const run_id&,
            const job_id& job) -> caf::result<void> {
          state->settled.push_back(job.value);
          return caf::unit;
        },
        [=](atom::stop, const run_id&) -> caf::result<void> {
          state->stopped = true;
          return caf::unit;
        },
        [](const run_opening&) -> caf::result<void> { return caf::unit; },
        [](const share_change&) -> caf::result<void> { return caf::unit; },
        [](atom::close, const run_id&, bool) -> caf::result<void> {
          return caf::unit;
        },
        [](const joining_worker&) -> caf::result<joined_worker> {
          return joined_worker{};
        },
        [](const from_worker&) -> caf::result<void> { return caf::unit; },
        [](const log_change&) -> caf::result<void> { return caf::unit; },
        [](atom::status) -> caf::result<pool_status_ptr> {
          return pool_status_ptr{};
        },
        [](atom::drain, const std::string&) -> caf::result<std::uint64_t> {
          return std::uint64_t{0};
        },
        [](atom::grant) -> caf::result<void> { return caf::unit; },
        [=](atom::tick) -> caf::result<void> {
          state->next();
          return caf::unit;
        },
    };
  }
};

/// A journal that writes to memory, and only when the test lets it.
struct manual_journal {
  std::function<void()> next;
  struct row {
    std::string kind, key, payload;
  };
  std::vector<row> rows;
  std::vector<caf::typed_response_promise<std::uint64_t>> open;

  static manual_journal_actor::behavior_type
  run(manual_journal_actor::pointer self,
      std::shared_ptr<manual_journal> state) {
    return {
        [=](atom::append,
            const journal_batch& batch) -> caf::result<std::uint64_t> {
          auto promise = self->make_response_promise<std::uint64_t>();
          for (const auto& event : batch.events)
            state->rows.push_back({event.kind, event.key, event.payload});
          state->open.push_back(promise);
          return promise;
        },
        [=](atom::recall, std::uint64_t seq) -> caf::result<std::string> {
          return state->rows.at(seq - 1).payload;
        },
        [](atom::stop) -> caf::result<void> { return caf::unit; },
        [](atom::flush) -> caf::result<void> { return caf::unit; },
        [=](atom::tick) -> caf::result<void> {
          state->next();
          return caf::unit;
        },
    };
  }
};

inline job work(const std::string& id) {
  rollout_job rollout;
  rollout.id = {id};
  return make_job(rollout);
}

inline job_result done_result(const std::string& id) {
  rollout_result rollout;
  rollout.id = {id};
  rollout.grade.reward = 1;
  rollout.steps.resize(2);
  rollout.duration_us = 5;
  return make_result(rollout);
}

struct ledger_bench {
  deterministic_system actors;
  std::shared_ptr<manual_pool> pool = std::make_shared<manual_pool>();
  std::shared_ptr<manual_journal> journal = std::make_shared<manual_journal>();
  std::shared_ptr<progress_board> board = std::make_shared<progress_board>();
  manual_pool_actor workers;
  manual_journal_actor writer;
  ledger_actor actor;

  explicit ledger_bench(memo_content known = {},
                        std::unique_ptr<rollout_reuse> reuse = nullptr,
                        std::chrono::milliseconds rest = {}) {
    auto inputs = std::make_shared<ledger_inputs>();
    inputs->rest = rest;
    inputs->reuse = std::move(reuse);
    inputs->known = std::move(known);
    workers = actors.own(actors.system().spawn(manual_pool::run, pool));
    inputs->pool = workers;
    writer = actors.own(actors.system().spawn(manual_journal::run, journal));
    inputs->journal = writer;
    inputs->board = board;
    actor = actors.own(actors.system().spawn(ledger, inputs));
  }
  ~ledger_bench() {
    pool->open.clear();
    journal->open.clear();
  }

  auto submit(const job& one) {
    auto answer = actors.request<job_result>(actor, atom::submit_v, one);
    actors.run();
    return answer;
  }
  auto submit(const std::string& id) { return submit(work(id)); }
  auto record(const std::string& kind, const std::string& key,
              const std::string& payload) {
    auto answer =
        actors.request<bool>(actor, atom::record_v, kind, key, payload);
    actors.run();
    return answer;
  }
  template <class Answer>
  void work_ends(std::size_t index, Answer answer) {
    pool->next = [=, this] { pool->open.at(index).deliver(answer); };
    actors.send(workers, atom::tick_v);
    actors.run();
  }
  void work_done(std::size_t index) {
    work_ends(index, pack(done_result(pool->jobs.at(index).id.value)));
  }
  template <class Answer>
  void write_ends(std::size_t index, Answer answer) {
    journal->next = [=, this] { journal->open.at(index).deliver(answer); };
    actors.send(writer, atom::tick_v);
    actors.run();
  }
  void written(std::size_t index) {
    write_ends(index, std::uint64_t{index + 1});
  }
};

} // namespace brewery::test
