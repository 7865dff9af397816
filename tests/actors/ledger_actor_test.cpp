#include "tests/actors/ledger_bench.hpp"

using namespace brewery;
using namespace brewery::test;

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

TEST_CASE("what comes while the journal writes goes to it together") {
  ledger_bench b;
  std::vector<decltype(b.submit("a"))> answers;
  for (const std::string id : {"a", "b", "c"})
    answers.push_back(b.submit(id));
  for (std::size_t i = 0; i < 3; ++i)
    b.work_done(i);
  const auto decided = b.record("gather_record", "mcts/iteration 0", "x");
  CHECK(b.journal->rows.size() == 1);
  const auto drained = b.actors.request<bool>(b.actor, atom::drain_v);
  b.actors.run();
  b.written(0);
  CHECK(answers[0]->value().id == job_id{"a"});
  CHECK(answers[1]->open());
  REQUIRE(b.journal->open.size() == 2); // one batch for all that waited
  REQUIRE(b.journal->rows.size() == 4);
  CHECK(b.journal->rows[1].key == "b");
  CHECK(b.journal->rows[3].kind == "gather_record");
  CHECK(drained->open());
  b.written(1);
  CHECK(answers[1]->value().id == job_id{"b"});
  CHECK(answers[2]->value().id == job_id{"c"});
  CHECK(decided->value());
  CHECK(drained->value());
  // Each under its own number.
  const auto third =
      b.actors.request<job_result>(b.actor, atom::recall_v, job_id{"c"});
  b.actors.run();
  CHECK(third->value().id == job_id{"c"});
}

TEST_CASE("while the log rests, what comes is held back for those that play") {
  using std::chrono::milliseconds;
  ledger_bench b{{}, nullptr, milliseconds{20}};
  std::vector<decltype(b.submit("a"))> answers;
  for (const std::string id : {"a", "b", "c", "d"})
    answers.push_back(b.submit(id));
  b.work_done(0);
  CHECK(b.journal->rows.size() == 1); // it did not rest
  b.written(0);
  CHECK(answers[0]->value().id == job_id{"a"});
  b.work_done(1);
  b.work_done(2);
  b.actors.pass(milliseconds{10});
  CHECK(b.journal->rows.size() == 1);
  b.actors.pass(milliseconds{10});
  CHECK(b.journal->rows.size() == 3);
  REQUIRE(b.journal->open.size() == 2);
  b.written(1);
  CHECK(answers[2]->value().id == job_id{"c"});
  b.work_done(3); // nobody plays who could come along
  CHECK(b.journal->rows.size() == 4);
  b.written(2);
  CHECK(answers[3]->value().id == job_id{"d"});
}

TEST_CASE("nothing is held back once the last job has failed") {
  ledger_bench b{{}, nullptr, std::chrono::hours{1}};
  const auto first = b.submit("a"), second = b.submit("b"),
             third = b.submit("c");
  b.work_done(0);
  b.written(0);
  b.work_done(1);
  const auto drained = b.actors.request<bool>(b.actor, atom::drain_v);
  b.actors.run();
  CHECK(b.journal->rows.size() == 1);
  b.work_ends(2, to_caf({ec::environment, "it broke"}));
  CHECK(third->failure().code == ec::environment);
  CHECK(b.journal->rows.size() == 2);
  CHECK(drained->open());
  b.written(1);
  CHECK(second->value().id == job_id{"b"});
  CHECK(drained->value());
}

TEST_CASE("a decision is held back like a result, and drained with the rest") {
  ledger_bench b{{}, nullptr, std::chrono::hours{1}};
  const auto one = b.submit("a"), two = b.submit("b");
  b.work_done(0);
  b.written(0);
  const auto decided = b.record("gather_record", "mcts/iteration 0", "x");
  CHECK(b.journal->rows.size() == 1);
  b.work_ends(1, to_caf({ec::environment, "it broke"}));
  const auto drained = b.actors.request<bool>(b.actor, atom::drain_v);
  b.actors.run();
  CHECK(drained->open());
  b.written(1);
  CHECK(decided->value());
  CHECK(drained->value());
}

TEST_CASE("a log that has rested writes at once") {
  ledger_bench b{{}, nullptr, std::chrono::milliseconds{20}};
  for (const std::string id : {"a", "b", "c"})
    b.submit(id);
  b.work_done(0);
  b.written(0);
  b.actors.pass(std::chrono::milliseconds{20}); // nothing came
  b.work_done(1);
  CHECK(b.journal->rows.size() == 2);
}

TEST_CASE("the last answer writes what was held back, even if it is known") {
  ledger_bench b{{}, nullptr, std::chrono::hours{1}};
  b.submit("a");
  const auto second = b.submit("b");
  b.work_done(0);
  b.written(0);
  // A worker had it from before a restart.
  b.actors.send(b.actor, atom::offer_v, pack(done_result("b")));
  b.actors.run();
  CHECK(b.journal->rows.size() == 1);
  b.work_done(1);
  CHECK(b.journal->rows.size() == 2);
  b.written(1);
  CHECK(second->value().id == job_id{"b"});
}

TEST_CASE("many results are written also while the log rests") {
  ledger_bench b{{}, nullptr, std::chrono::hours{1}};
  for (int i = 0; i < 300; ++i)
    b.submit("job " + std::to_string(i));
  b.work_done(0);
  b.written(0);
  for (std::size_t i = 1; i < 256; ++i)
    b.work_done(i);
  CHECK(b.journal->rows.size() == 1);
  b.work_done(256);
  CHECK(b.journal->rows.size() == 257);
}

TEST_CASE("a batch that cannot be written fails all that is in it") {
  ledger_bench b;
  const auto first = b.submit("a");
  const auto second = b.submit("b");
  const auto third = b.submit("c");
  for (std::size_t i = 0; i < 3; ++i)
    b.work_done(i);
  b.written(0);
  b.write_ends(1, to_caf({ec::disk_full, "full"}));
  CHECK(first->value().id == job_id{"a"});
  for (const auto& answer : {second, third})
    CHECK(answer->failure().code == ec::disk_full);
}

TEST_CASE("drained means that every decision is on disk too") {
  ledger_bench b;
  b.record("gather_record", "mcts/iteration 0", "x");
  const auto drained = b.actors.request<bool>(b.actor, atom::drain_v);
  b.actors.run();
  CHECK(drained->open());
  b.written(0);
  CHECK(drained->value());
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

TEST_CASE("what is held back fails with the journal, and does not hang") {
  ledger_bench b{{}, nullptr, std::chrono::hours{1}};
  b.submit("a");
  const auto held = b.submit("b"), playing = b.submit("c");
  b.work_done(0);
  b.written(0);
  b.work_done(1);
  CHECK(b.journal->rows.size() == 1);
  caf::anon_send_exit(b.writer, caf::exit_reason::kill);
  b.actors.run();
  for (const auto& answer : {held, playing})
    CHECK(answer->failure().message.starts_with("the journal ended"));
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
