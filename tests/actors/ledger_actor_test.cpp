#include "actors/ledger_actor.hpp"
#include "messages/wire/codec.hpp"
#include "tests/fixtures/deterministic_system.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

/// A promise is delivered inside its actor: `next` runs on a tick.
using manual_journal_actor =
    interface<caf::result<std::uint64_t>(atom::append, std::string, std::string,
                                         std::string, bool),
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
        [](atom::close, const run_id&) -> caf::result<void> {
          return caf::unit;
        },
        [](const joining_worker&) -> caf::result<joined_worker> {
          return joined_worker{};
        },
        [](const from_worker&) -> caf::result<void> { return caf::unit; },
        [](atom::pause, const run_id&, bool) -> caf::result<void> {
          return caf::unit;
        },
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
        [=](atom::append, const std::string& kind, const std::string& key,
            const std::string& payload, bool) -> caf::result<std::uint64_t> {
          auto promise = self->make_response_promise<std::uint64_t>();
          state->rows.push_back({kind, key, payload});
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

job work(const std::string& id) {
  rollout_job rollout;
  rollout.id = {id};
  return make_job(rollout);
}

job_result done_result(const std::string& id) {
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
                        std::unique_ptr<rollout_reuse> reuse = nullptr) {
    auto inputs = std::make_shared<ledger_inputs>();
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

} // namespace

TEST_CASE("a result is handed out only after it is journalled") {
  ledger_bench b;
  const auto answer = b.submit("a");
  REQUIRE(b.pool->jobs.size() == 1);
  CHECK(b.pool->jobs.front() == work("a"));
  b.work_done(0);
  CHECK(answer->open());
  REQUIRE(b.journal->rows.size() == 1);
  CHECK(b.journal->rows.front().kind == "job_result");
  CHECK(b.journal->rows.front().key == "a");
  // The log has the whole trajectory, the asker does not need it.
  CHECK(wire::decode<job_result>(b.journal->rows.front().payload).has_value());
  CHECK(*wire::decode<job_result>(b.journal->rows.front().payload)
        == done_result("a"));
  b.written(0);
  CHECK(answer->value() == without_trajectory(done_result("a")));
}

TEST_CASE("a job that many ask for is done once") {
  ledger_bench b;
  const auto first = b.submit("a");
  const auto second = b.submit("a");
  CHECK(b.pool->jobs.size() == 1);
  b.work_done(0);
  const auto third = b.submit("a"); // done, but not yet on disk
  CHECK(b.pool->jobs.size() == 1);
  CHECK(third->open());
  b.written(0);
  CHECK(first->value() == second->value());
  CHECK(third->value() == first->value());
  CHECK(b.submit("a")->value() == first->value());
  CHECK(b.pool->jobs.size() == 1);
  CHECK(b.journal->rows.size() == 1);
  const auto view = b.board->view();
  CHECK(view.jobs_submitted == 4);
  CHECK(view.jobs_answered == 4);
  CHECK(view.jobs_from_log == 1);
  CHECK(view.rollouts_run == 1);
  CHECK(view.reward_sum == 1);
}

TEST_CASE("what the log holds is answered without work") {
  memo_content log;
  log.results.emplace(job_id{"a"}, without_trajectory(done_result("a")));
  ledger_bench b{log};
  CHECK(b.submit("a")->value() == without_trajectory(done_result("a")));
  CHECK(b.pool->jobs.empty());
  CHECK(b.journal->rows.empty());
}

TEST_CASE("a job that fails is told to all, and may be tried again") {
  ledger_bench b;
  const auto first = b.submit("a");
  const auto second = b.submit("a");
  b.work_ends(0, to_caf({ec::not_found, "no task 'a'"}));
  for (const auto& answer : {first, second}) {
    CHECK(answer->failure().code == ec::not_found);
    CHECK(answer->failure().message == "no task 'a'");
  }
  CHECK(b.journal->rows.empty());
  b.submit("a");
  CHECK(b.pool->jobs.size() == 2);
}

TEST_CASE("a result that cannot be journalled is not handed out") {
  ledger_bench b;
  const auto answer = b.submit("a");
  b.work_done(0);
  b.write_ends(0, to_caf({ec::disk_full, "no space on /data"}));
  CHECK(answer->failure().code == ec::disk_full);
  CHECK(answer->failure().message == "no space on /data");
  b.submit("a"); // it does not count as known
  CHECK(b.pool->jobs.size() == 2);
}

TEST_CASE("after stop new jobs are cancelled, known ones answered") {
  memo_content log;
  log.results.emplace(job_id{"known"}, done_result("known"));
  ledger_bench b{log};
  const auto running = b.submit("a");
  b.actors.send(b.actor, atom::stop_v);
  b.actors.run();
  CHECK(b.pool->stopped);
  const auto refused = b.submit("b");
  CHECK(refused->failure().code == ec::cancelled);
  CHECK(b.pool->jobs.size() == 1);
  CHECK(b.submit("known")->value().id == job_id{"known"});
  // What was under way still ends well.
  b.work_done(0);
  b.written(0);
  CHECK(running->value().id == job_id{"a"});
}

TEST_CASE("drained means that every result under way is on disk") {
  ledger_bench b;
  const auto at_rest = b.actors.request<bool>(b.actor, atom::drain_v);
  b.actors.run();
  CHECK(at_rest->value());
  const auto one = b.submit("a");
  const auto two = b.submit("b");
  const auto drained = b.actors.request<bool>(b.actor, atom::drain_v);
  const auto also = b.actors.request<bool>(b.actor, atom::drain_v);
  b.actors.run();
  b.work_done(0);
  b.work_done(1);
  CHECK(drained->open());
  b.written(0);
  CHECK(drained->open());
  b.write_ends(1, to_caf({ec::disk_full, "full"}));
  CHECK(drained->value());
  CHECK(also->value());
}

TEST_CASE("a decision is journalled once, another one is corruption") {
  memo_content log;
  log.decisions.emplace("gather_record/mcts/iteration 0", "old");
  ledger_bench b{log};
  CHECK(b.record("gather_record", "mcts/iteration 0", "old")->value());
  CHECK(b.journal->rows.empty());
  const auto different = b.record("gather_record", "mcts/iteration 0", "new");
  CHECK(different->failure().code == ec::corrupt);
  const auto& message = different->failure().message;
  CHECK(message.find("gather_record mcts/iteration 0") != std::string::npos);
  CHECK(message.find('\n') == std::string::npos);
  CHECK(b.journal->rows.empty());
  const auto fresh = b.record("gather_record", "mcts/iteration 1", "x");
  CHECK(fresh->open());
  b.written(0);
  CHECK(fresh->value());
  CHECK(b.record("gather_record", "mcts/iteration 1", "x")->value());
  CHECK(b.journal->rows.size() == 1);
}

TEST_CASE("a result offered is settled only when the journal has it") {
  ledger_bench b;
  const auto offer = [&] {
    b.actors.send(b.actor, atom::offer_v, pack(done_result("a")));
    b.actors.run();
  };
  offer();
  REQUIRE(b.journal->rows.size() == 1);
  CHECK(b.pool->settled.empty());
  offer(); // again, while it is on its way
  CHECK(b.journal->rows.size() == 1);
  b.written(0);
  CHECK(b.pool->settled == std::vector<std::string>{"a"});
  offer(); // the worker did not hear that
  CHECK(b.journal->rows.size() == 1);
  CHECK(b.pool->settled == std::vector<std::string>{"a", "a"});
  CHECK(b.board->view().rollouts_run == 1);
  CHECK(b.submit("a")->value() == without_trajectory(done_result("a")));
  CHECK(b.pool->jobs.empty());
}

TEST_CASE("an offered result answers who asked while it was being written") {
  ledger_bench b;
  b.actors.send(b.actor, atom::offer_v, pack(done_result("a")));
  b.actors.run();
  const auto asked = b.submit("a");
  CHECK(b.pool->jobs.size() == 1);
  b.written(0);
  CHECK(asked->value() == without_trajectory(done_result("a")));
  b.work_done(0); // what the pool says to that now does not count
  CHECK(b.journal->rows.size() == 1);
  CHECK(b.board->view().rollouts_run == 1);
}

TEST_CASE("an offered result that cannot be written is not settled") {
  ledger_bench b;
  b.actors.send(b.actor, atom::offer_v, pack(done_result("a")));
  b.actors.run();
  b.write_ends(0, to_caf({ec::disk_full, "full"}));
  CHECK(b.pool->settled.empty());
  b.actors.send(b.actor, atom::offer_v, pack(done_result("a")));
  b.actors.run();
  REQUIRE(b.journal->rows.size() == 2);
  b.written(1);
  CHECK(b.pool->settled == std::vector<std::string>{"a"});
}

TEST_CASE("what the log has under a job but is no answer to it is corruption") {
  memo_content log;
  log.results.emplace(job_id{"a"}, job_result{{"a"}, {}, {}});
  ledger_bench b{log};
  const auto answer = b.submit("a");
  CHECK(answer->failure().code == ec::corrupt);
  CHECK(b.pool->jobs.empty());
}

TEST_CASE("a pool or journal that dies fails the jobs that wait") {
  for (const bool journal_dies : {false, true}) {
    INFO(journal_dies);
    ledger_bench b;
    const auto held_by_pool = b.submit("a");
    const auto held_by_journal = b.submit("b");
    b.work_done(1);
    const auto drained = b.actors.request<bool>(b.actor, atom::drain_v);
    b.actors.run();
    CHECK(drained->open());
    if (journal_dies)
      caf::anon_send_exit(b.writer, caf::exit_reason::kill);
    else
      caf::anon_send_exit(b.workers, caf::exit_reason::kill);
    b.actors.run();
    for (const auto& answer : {held_by_pool, held_by_journal}) {
      CHECK(answer->failure().code == ec::internal);
      CHECK(answer->failure().message.starts_with(
          journal_dies ? "the journal ended" : "the pool of workers ended"));
    }
    CHECK(drained->value());
    // Later jobs do not wait for the dead either.
    const auto late = b.submit("c");
    if (journal_dies) b.work_done(2);
    CHECK_FALSE(late->failure().message.empty());
  }
}

TEST_CASE("a result that cannot be read is named by its place in the log") {
  memo_content log;
  log.logged.emplace(job_id{"a"}, 1);
  ledger_bench b{log};
  b.journal->rows.push_back({"job_result", "a", "\xc1"});
  const auto answer = b.submit("a");
  CHECK(answer->failure().code == ec::corrupt);
  CHECK(answer->failure().message.find("event 1 of the log")
        != std::string::npos);
  CHECK(b.pool->jobs.empty());
}

TEST_CASE("a result of the log is read when asked for, without trajectory") {
  memo_content log;
  log.logged.emplace(job_id{"a"}, 1);
  ledger_bench b{log};
  b.journal->rows.push_back(
      {"job_result", "a", wire::encode(done_result("a"))});
  for (int i = 0; i < 2; ++i)
    CHECK(b.submit("a")->value() == without_trajectory(done_result("a")));
  CHECK(b.pool->jobs.empty());
  CHECK(b.board->view().jobs_from_log == 2);
}

namespace {

/// Rollouts of one sample under knowledge bases that an agent which ignores its
/// documents cannot tell apart.
struct reuse_bench {
  std::shared_ptr<document_store> documents =
      std::make_shared<document_store>();
  ledger_bench b;

  explicit reuse_bench(double audit_share = 0, memo_content known = {})
      : b{std::move(known),
          std::make_unique<rollout_reuse>(
              no_documents(), documents,
              reuse_options{.replay = {}, .audit_share = audit_share})} {}

  job under(const std::string& body) const {
    rollout_job rollout;
    rollout.knowledge = {{concept_id{0}, documents->add(body)->hash}};
    rollout.id = identity(rollout);
    return make_job(rollout);
  }
  static job_result result_of(const job& work, double reward = 1) {
    rollout_result rollout;
    rollout.id = work.id;
    rollout.grade.reward = reward;
    rollout.retrievals = {{0, "what", {}}};
    rollout.steps.resize(2);
    return make_result(rollout);
  }
};

const rollout_result& rollout_in(const job_result& answer) {
  return std::get<rollout_result>(answer.output);
}

} // namespace

TEST_CASE("a rollout that is reused is journalled and counted, not played") {
  reuse_bench r;
  auto& b = r.b;
  const auto one = r.under("one"), two = r.under("two"), three = r.under("3");
  const auto first = b.submit(one);
  const auto second = b.submit(two); // waits for the first
  REQUIRE(b.pool->jobs.size() == 1);
  b.work_ends(0, pack(reuse_bench::result_of(one)));
  CHECK(b.journal->rows.size() == 1); // what stands follows what it stands on
  b.written(0);
  CHECK(first->value().id == one.id);
  REQUIRE(b.journal->rows.size() == 2);
  CHECK(second->open());
  b.written(1);
  CHECK(rollout_in(second->value()).reused_from == one.id.value);
  CHECK(rollout_in(second->value()).grade.reward == 1);
  const auto event = wire::decode<job_result>(b.journal->rows[1].payload);
  REQUIRE(event);
  CHECK(event->id == two.id);
  CHECK(rollout_in(*event).reused_from == one.id.value);
  CHECK(rollout_in(*event).steps.empty());
  const auto third = b.submit(three);
  b.written(2);
  CHECK(rollout_in(third->value()).reused_from == one.id.value);
  CHECK(b.pool->jobs.size() == 1);
  const auto view = b.board->view();
  CHECK(view.rollouts_run == 1);
  CHECK(view.rollouts_reused == 2);
  CHECK(view.reward_sum == 1); // the same sample
}

TEST_CASE("an audited rollout is played, compared and put on record") {
  reuse_bench r{1};
  auto& b = r.b;
  const auto one = r.under("one"), two = r.under("two");
  b.submit(one);
  b.work_ends(0, pack(reuse_bench::result_of(one)));
  b.written(0);
  const auto second = b.submit(two);
  REQUIRE(b.pool->jobs.size() == 2);
  const double reward = GENERATE(1.0, 0.5);
  b.work_ends(1, pack(reuse_bench::result_of(two, reward)));
  b.written(1);
  CHECK(rollout_in(second->value()).grade.reward == reward);
  CHECK(rollout_in(second->value()).reused_from.empty());
  REQUIRE(b.journal->rows.size() == 3);
  CHECK(b.journal->rows[2].kind == "reuse_check");
  CHECK(b.journal->rows[2].key == two.id.value);
  CHECK(b.journal->rows[2].payload.empty() == (reward == 1.0));
  CHECK(b.board->view().reuse_audited == 1);
  CHECK(b.board->view().reuse_wrong == (reward == 1.0 ? 0U : 1U));
}

TEST_CASE("when a rollout fails or cannot be written, the next is played") {
  reuse_bench r;
  auto& b = r.b;
  const auto one = r.under("one"), two = r.under("two");
  const auto first = b.submit(one);
  const auto second = b.submit(two);
  SECTION("it failed") {
    b.work_ends(0, to_caf({ec::not_found, "no task"}));
  }
  SECTION("it was not written") {
    b.work_ends(0, pack(reuse_bench::result_of(one)));
    b.write_ends(0, to_caf({ec::disk_full, "full"}));
  }
  SECTION("it was given up") {
    auto verdict = reuse_bench::result_of(one);
    std::get<rollout_result>(verdict.output).outcome =
        rollout_outcome::environment_error;
    b.work_ends(0, pack(verdict));
    b.written(0);
  }
  REQUIRE(b.pool->jobs.size() == 2);
  CHECK(b.pool->jobs[1].id == two.id);
  CHECK(second->open());
}

TEST_CASE("what waits for a rollout is cancelled when the run stops") {
  reuse_bench r;
  auto& b = r.b;
  const auto one = r.under("one");
  const auto first = b.submit(one);
  const auto second = b.submit(r.under("two"));
  b.actors.send(b.actor, atom::stop_v);
  b.actors.run();
  CHECK(second->failure().code == ec::cancelled);
  b.work_ends(0, pack(reuse_bench::result_of(one)));
  b.written(0);
  CHECK(first->value().id == one.id);
  CHECK(b.pool->jobs.size() == 1);
}

TEST_CASE("a rollout from the log is reused when it is asked for again") {
  reuse_bench before;
  const auto one = before.under("one");
  before.b.submit(one);
  before.b.work_ends(0, pack(reuse_bench::result_of(one)));
  memo_content log;
  log.logged.emplace(one.id, 1);
  reuse_bench r{0, log};
  r.b.journal->rows = before.b.journal->rows;
  (void)r.under("one");
  const auto first = r.b.submit(one);
  CHECK(first->value().id == one.id);
  const auto second = r.b.submit(r.under("two"));
  CHECK(r.b.pool->jobs.empty());
}
