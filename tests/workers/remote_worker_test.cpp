#include "base/compression.hpp"
#include "tests/workers/proxy_bench.hpp"

using namespace brewery;
using namespace brewery::test;
using std::chrono::milliseconds;
using proxy_bench = proxy_bench;

namespace {

result_report report_of(const std::string& job, const job_result& answer) {
  return {session, lease_of(job), wire::encode(answer), {}};
}

} // namespace

TEST_CASE("a worker is welcomed with its session and what it may keep") {
  auto hello = hello_of("w");
  hello.sequence = 5;
  hello.protocol_max = 9;
  hello.jobs = {{lease_of("a"), false, 0}, {lease_of("b"), false, 0}};
  proxy_bench b{hello, {{lease_of("a", 8), false}}};
  REQUIRE(b.pool->joined.size() == 1);
  CHECK(b.pool->joined.front().jobs.size() == 2);
  const auto welcome = b.sent<worker_welcome>();
  REQUIRE(welcome.size() == 1);
  CHECK(welcome.front().hello == 5);
  CHECK(welcome.front().protocol == protocol_newest);
  CHECK(welcome.front().session == session);
  CHECK(welcome.front().epoch == 7);
  CHECK(welcome.front().adopted == std::vector<lease_key>{lease_of("a", 8)});
  CHECK(b.logged("1 of 2 jobs in hand adopted"));
}

TEST_CASE("an assignment is sent at once, again until seen, then no more") {
  proxy_bench b;
  b.grant("a");
  const auto grants = b.sent<lease_grant>();
  REQUIRE(grants.size() == 1);
  CHECK(grants.front().key == lease_of("a"));
  CHECK(grants.front().setup == "setup");
  CHECK(grants.front().time_limit_ms
        == static_cast<std::uint64_t>(b.options.job_limit.count()));
  b.pass(2 * b.options.heartbeat + milliseconds{1000});
  CHECK(b.sent<lease_grant>().size() == 2);
  b.beat(1, {{lease_of("a"), false, 0}});
  b.pass(milliseconds{8000});
  CHECK(b.sent<lease_grant>().size() == 2);
}

TEST_CASE("orders that come together go to the worker in one frame") {
  proxy_bench b;
  b.frames.clear();
  const auto work = std::make_shared<const job>();
  b.orders_of({result_settled{lease_of("a"), result_verdict::counted},
               lease_order{lease_of("b"), work, "setup"},
               lease_order{lease_of("c"), work, "setup"}});
  CHECK(b.frames.size() == 1);
  const auto parts = wire::frames_in(b.frames.front());
  REQUIRE(parts);
  REQUIRE(parts->size() == 3);
  CHECK(wire::kind_name(parts->front()) == result_ack::type_name);
  CHECK(b.sent<lease_grant>().size() == 2);
}

TEST_CASE("a worker of an older protocol gets a frame for each message") {
  auto hello = hello_of("w");
  hello.protocol_max = protocol_with_batches - 1;
  proxy_bench b{hello};
  b.frames.clear();
  const auto work = std::make_shared<const job>();
  b.orders_of({lease_order{lease_of("a"), work, "setup"},
               lease_order{lease_of("b"), work, "setup"}});
  CHECK(b.frames.size() == 2);
  CHECK(b.sent<lease_grant>().size() == 2);
}

TEST_CASE("results of one frame reach the pool together") {
  proxy_bench b;
  b.grant("a");
  b.grant("b");
  b.pool->heard.clear();
  b.says_together(
      {report_of("a", rollout_of("a")), report_of("b", rollout_of("b"))});
  CHECK(b.pool->heard.size() == 1);
  CHECK(b.pool->of<lease_result>().size() == 2);
}

TEST_CASE("what follows a goodbye in its frame is not heard") {
  proxy_bench b;
  b.grant("a");
  b.says_together({worker_goodbye{session, {lease_of("a")}, "tired"},
                   report_of("a", rollout_of("a"))});
  CHECK(b.ended());
  CHECK(b.pool->of<worker_leaves>().size() == 1);
  CHECK(b.pool->of<lease_result>().empty());
}

TEST_CASE("one unreadable frame of a batch costs no other") {
  proxy_bench b;
  b.grant("a");
  const auto good = bytes_of(report_of("a", rollout_of("a")));
  b.arrives(*wire::batched({bytes_of(worker_goodbye{}), good}).front());
  CHECK(b.pool->of<lease_result>().size() == 1);
  b.arrives(
      *wire::batched({std::make_shared<const std::string>("?"), good}).front());
  CHECK(b.logged("sent something unreadable: not a frame"));
  b.arrives(std::string{"BW\x01\xff?", 5});
  CHECK(b.logged("sent something unreadable: a batch of frames ends"));
}

TEST_CASE("a result goes to the pool once, however often it comes") {
  proxy_bench b;
  b.grant("a");
  const auto report = report_of("a", rollout_of("a"));
  for (int i = 0; i < 5; ++i)
    b.says(report);
  const auto results = b.pool->of<lease_result>();
  REQUIRE(results.size() == 1);
  CHECK(results.front().key == lease_of("a"));
  CHECK(results.front().result->brief == rollout_of("a"));
  CHECK(results.front().result->bytes == report.result);
  CHECK(b.sent<result_ack>().empty()); // not before the log has it
  b.orders(result_settled{lease_of("a"), result_verdict::counted});
  const auto acks = b.sent<result_ack>();
  REQUIRE(acks.size() == 1);
  CHECK(acks.front().key == lease_of("a"));
  CHECK(acks.front().verdict == result_verdict::counted);
}

TEST_CASE("a result under no lease is the pool's to refuse, each time") {
  proxy_bench b;
  const auto report = report_of("a", rollout_of("a"));
  b.says(report);
  b.says(report); // its refusal was lost
  CHECK(b.pool->of<lease_result>().size() == 2);
}

TEST_CASE("a result that is none counts as the worker's failure") {
  struct wrong {
    std::string what, result, error, says;
  };
  for (const auto& one :
       {wrong{"bytes", "\xff\x01", "", "job_result"},
        wrong{"empty", "", "", "job_result"},
        wrong{"another job", wire::encode(rollout_of("b")), "", "another job"},
        wrong{"an error", "", "it\nfailed \x1b[2J", "it failed  [2J"}}) {
    INFO(one.what);
    proxy_bench b;
    b.grant("a");
    b.says(result_report{session, lease_of("a"), one.result, one.error});
    const auto results = b.pool->of<lease_result>();
    REQUIRE(results.size() == 1);
    CHECK(results.front().result == nullptr);
    CHECK(results.front().error.find(one.says) != std::string::npos);
    CHECK(b.logged("failed job a"));
  }
}

TEST_CASE("a result goes to the pool in the bytes in which it came") {
  auto whole = rollout_of("a");
  std::get<rollout_result>(whole.output).steps.resize(30);
  const auto bytes = compress(wire::encode(whole));
  REQUIRE(is_compressed(bytes));
  proxy_bench b;
  b.grant("a");
  b.says(result_report{session, lease_of("a"), bytes, {}, 1234});
  const auto results = b.pool->of<lease_result>();
  REQUIRE(results.size() == 1);
  CHECK(results.front().played == microseconds{1234});
  CHECK(results.front().result->bytes == bytes);
  CHECK(results.front().result->brief == rollout_of("a"));
}

TEST_CASE("compressed bytes that are no result of the job are a failure") {
  const auto with_steps = [](const std::string& job) {
    auto whole = rollout_of(job);
    std::get<rollout_result>(whole.output).steps.resize(30);
    return wire::encode(whole);
  };
  const auto good = compress(with_steps("a"));
  auto damaged = good;
  damaged[4] ^= '\x08'; // a bit of its header that must be 0
  const std::string too_much((std::size_t{64} << 20) + 1, '\0');
  for (const auto& bytes :
       {good.substr(0, good.size() - 1), good + "x", good + good, damaged,
        compress(with_steps("a") + "x"), compress(with_steps("b")),
        compress(std::string(1000, '\x91')), compress(too_much)}) {
    proxy_bench b;
    b.grant("a");
    b.says(result_report{session, lease_of("a"), bytes, {}});
    const auto results = b.pool->of<lease_result>();
    REQUIRE(results.size() == 1);
    CHECK(results.front().result == nullptr);
    CHECK(b.logged("failed job a"));
  }
}

TEST_CASE("a result without a lease is refused before it is read") {
  proxy_bench b;
  b.says(result_report{session, lease_of("a"), "no result at all", {}});
  const auto results = b.pool->of<lease_result>();
  REQUIRE(results.size() == 1);
  CHECK(results.front().result == nullptr);
  CHECK_FALSE(b.logged("job_result"));
}

TEST_CASE("a short frame cannot stand for very many bytes") {
  auto whole = rollout_of("a");
  std::get<rollout_result>(whole.output).error = std::string(1 << 20, 'x');
  const auto bomb = compress(wire::encode(whole));
  REQUIRE(bomb.size() * sent_ratio_max < std::size_t{1} << 20);
  for (const auto& bytes : {bomb, compress_to_send(wire::encode(whole))}) {
    proxy_bench b;
    b.grant("a");
    b.says(result_report{session, lease_of("a"), bytes, {}});
    const auto results = b.pool->of<lease_result>();
    REQUIRE(results.size() == 1);
    CHECK((results.front().result == nullptr) == (bytes == bomb));
  }
}

TEST_CASE("a proxy ends with its pool, whoever else knows it") {
  // At the end of a program a hello may be on its way: nobody would end its
  // proxy, and the program would wait for it.
  proxy_bench b;
  caf::anon_send_exit(b.pool_handle, caf::exit_reason::user_shutdown);
  b.actors.run();
  CHECK(b.ended());
}

TEST_CASE("contents are sent by hash, or that there are none") {
  proxy_bench b;
  b.says(blob_request{session, {"known", "unknown"}});
  const auto sent = b.sent<blob_content>();
  REQUIRE(sent.size() == 2);
  CHECK(sent[0].hash == "known");
  CHECK(sent[0].found);
  CHECK(sent[0].content == "content");
  CHECK(sent[1].hash == "unknown");
  CHECK_FALSE(sent[1].found);
}

TEST_CASE("one request cannot ask for more than a frame's worth") {
  proxy_bench b;
  b.says(blob_request{session, std::vector<std::string>(200'000, "known")});
  CHECK(b.sent<blob_content>().size() == 1);
  b.frames.clear();
  std::vector<std::string> many;
  for (int i = 0; i < 5000; ++i)
    many.push_back(std::to_string(i));
  b.looked_up = 0;
  b.says(blob_request{session, many});
  CHECK(b.sent<blob_content>().size() == 1024);
  CHECK(b.looked_up == 1024);
}

namespace {

/// A ledger of which only `submit` is asked; it answers when it is told to.
struct manual_grader {
  std::vector<job> asked;
  std::vector<caf::typed_response_promise<job_result>> promises;

  static ledger_actor::behavior_type run(ledger_actor::pointer self,
                                         std::shared_ptr<manual_grader> state) {
    return {[=](atom::submit, const job& work) -> caf::result<job_result> {
              auto promise = self->make_response_promise<job_result>();
              state->asked.push_back(work);
              state->promises.push_back(promise);
              return promise;
            },
            [](atom::offer, const packed_result&) -> caf::result<void> {
              return caf::unit;
            },
            [](atom::record, const std::string&, const std::string&,
               const std::string&) -> caf::result<bool> { return true; },
            [](atom::recall, const job_id&) -> caf::result<job_result> {
              return to_caf({ec::not_found, "no log"});
            },
            [=](atom::stop) -> caf::result<void> {
              for (auto& promise : state->promises)
                promise.deliver(to_caf({ec::cancelled, "stopped"}));
              return caf::unit;
            },
            [=](atom::drain) -> caf::result<bool> {
              for (std::size_t i = 0; i < state->asked.size(); ++i)
                state->promises[i].deliver(answer_to(state->asked[i]));
              return true;
            },
            [](atom::flush) -> caf::result<void> { return caf::unit; }};
  }
  static job_result answer_to(const job& work) {
    const auto& asked = std::get<grade_job>(work.input);
    if (asked.task.value == "bad")
      return {work.id, "quarantined: nobody can read it", {}};
    return make_result(grade_result{work.id, asked.task, {1, {}}});
  }
};

struct grade_bench : proxy_bench {
  std::shared_ptr<manual_grader> grader = std::make_shared<manual_grader>();
  ledger_actor ledger =
      actors.own(actors.system().spawn(manual_grader::run, grader));

  grade_bench() { grades = {ledger, "g"}; }
  ~grade_bench() { grader->promises.clear(); }

  void asks(const std::string& rollout, const std::string& task = "t") {
    says(grade_ask{session, {"s"}, {rollout}, {task}, {{1, false, {}, "x"}}});
  }
  /// As a worker of protocol 3 does.
  void asks_as_before(const std::string& rollout,
                      const std::string& task = "t") {
    says(model_ask{
        session,
        {"s"},
        {rollout},
        grade_number,
        wire::encode(grade_job{{}, {task}, {}, {{1, false, {}, "x"}}})});
  }
  template <class Atom>
  void tell_ledger(Atom what) {
    actors.send(ledger, what);
    actors.run();
  }
};

} // namespace

TEST_CASE("a rollout's grade is a job of its search, whoever asks") {
  grade_bench b;
  b.asks("a");
  b.asks("a"); // nothing was heard: the worker asks again
  b.asks("b");
  REQUIRE(b.grader->asked.size() == 2);
  const auto& first = std::get<grade_job>(b.grader->asked[0].input);
  CHECK(first.goldens == "g");
  CHECK(first.id == identity(first));
  CHECK(b.grader->asked[1].id == first.id); // equal answers, one job
  b.tell_ledger(atom::drain_v);
  const auto replies = b.sent<grade_reply>();
  REQUIRE(replies.size() == 2);
  CHECK(replies[0].session == session);
  CHECK(replies[0].job == job_id{"a"});
  CHECK(replies[0].task == task_id{"t"});
  CHECK(replies[0].code == ec::ok);
  CHECK(replies[0].grade.reward == 1);
  b.asks("a"); // the reply was lost
  CHECK(b.grader->asked.size() == 3);
}

TEST_CASE("a worker of protocol 3 is told its grades as it understands") {
  grade_bench b;
  b.asks_as_before("a");
  b.asks_as_before("a");
  REQUIRE(b.grader->asked.size() == 1);
  const auto& work = std::get<grade_job>(b.grader->asked[0].input);
  CHECK(work.goldens == "g");
  b.tell_ledger(atom::drain_v);
  CHECK(b.sent<grade_reply>().empty());
  const auto replies = b.sent<model_reply>();
  REQUIRE(replies.size() == 1);
  CHECK(replies[0].job == job_id{"a"});
  CHECK(replies[0].number == grade_number);
  CHECK(replies[0].code == ec::ok);
  CHECK(replies[0].answer
        == wire::encode(grade_result{work.id, {"t"}, {1, {}}}));
}

TEST_CASE("a grade that was given up leaves its rollout without a score") {
  grade_bench b;
  b.asks("a", "bad");
  b.tell_ledger(atom::drain_v);
  REQUIRE(b.sent<grade_reply>().size() == 1);
  CHECK(b.sent<grade_reply>().front().code == ec::environment);
  CHECK(b.sent<grade_reply>().front().error
        == "not graded: quarantined: nobody can read it");
}

TEST_CASE("rollouts of a run that stops are let go, not failed") {
  grade_bench b;
  b.asks("a");
  b.tell_ledger(atom::stop_v);
  REQUIRE(b.sent<grade_reply>().size() == 1);
  CHECK(b.sent<grade_reply>().front().code == ec::cancelled);
}

TEST_CASE("a grade that cannot be asked for is refused in a line") {
  grade_bench b;
  b.says(model_ask{session, {"s"}, {"a"}, grade_number, "\xff"});
  b.grades = {};
  b.asks_as_before("b");
  b.asks("b");
  const auto before = b.sent<model_reply>();
  REQUIRE(before.size() == 2);
  CHECK(before[0].code == ec::malformed);
  CHECK(before[1].code == ec::invalid_argument);
  const auto replies = b.sent<grade_reply>();
  REQUIRE(replies.size() == 1);
  CHECK(replies[0].code == ec::invalid_argument);
  CHECK(replies[0].error == "this run has nothing to compare answers with");
}
