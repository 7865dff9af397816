#include "tests/workers/remote_bench.hpp"

using namespace brewery;
using namespace brewery::test;
using std::chrono::milliseconds;

namespace {

constexpr std::uint64_t session = 42;

/// One proxy, between a stub pool and a worker that the test plays.
struct bench {
  deterministic_system actors;
  std::shared_ptr<stub_pool> pool = std::make_shared<stub_pool>();
  std::vector<std::string> frames; ///< to the worker
  std::vector<std::string> log;
  std::vector<std::string> blob_store{"content"};
  std::size_t looked_up = 0;
  instant now{0};
  cluster_options options;
  remote_worker_actor proxy;
  std::shared_ptr<bool> over = std::make_shared<bool>(false);

  explicit bench(worker_hello hello = hello_of("w"),
                 std::vector<job_table::adoption> adopts = {}) {
    pool->adopts = std::move(adopts);
    auto inputs = std::make_shared<remote_worker_inputs>();
    inputs->options = options;
    inputs->hello = std::move(hello);
    inputs->session = session;
    inputs->epoch = 7;
    inputs->pool = actors.own(actors.system().spawn(stub_pool::run, pool));
    inputs->send = [this](std::shared_ptr<const std::string> frame) {
      frames.push_back(*frame);
    };
    inputs->blobs = [this](const std::string& hash) {
      ++looked_up;
      return hash == "known" ? blob_store : std::vector<std::string>{};
    };
    inputs->on_event = [this](const std::string& what) { log.push_back(what); };
    inputs->now = [this] { return now; };
    proxy = actors.own(actors.system().spawn(remote_worker, inputs));
    actors.own(caf::actor{actors.system().spawn(
        [told = over, watched = proxy](caf::event_based_actor* self) {
          self->set_down_handler([told](caf::down_msg&) { *told = true; });
          self->monitor(watched);
          self->become([](int) {});
        })});
    actors.run();
  }
  ~bench() { pool->joined.clear(); }

  bool ended() const { return *over; }
  void says(const wire::message& body) {
    actors.send(proxy, arrived_message{bytes_of(body)});
    actors.run();
  }
  template <class T>
  void orders(T what) {
    actors.send(proxy, to_worker{std::move(what)});
    actors.run();
  }
  void connection_breaks() {
    actors.send(proxy, atom::gone_v);
    actors.run();
  }
  void pass(milliseconds time) {
    actors.pass(time, [this](milliseconds step) { now += step; });
  }
  void grant(const std::string& job) {
    orders(lease_order{lease_of(job), std::make_shared<const brewery::job>(),
                       "setup"});
  }
  void beat(std::uint64_t number, std::vector<held_job> held) {
    says(worker_heartbeat{session, number, std::move(held), false});
  }
  template <class T>
  std::vector<T> sent() const {
    return among<T>(frames);
  }
  bool logged(const std::string& part) const {
    return std::any_of(log.begin(), log.end(), [&](const auto& line) {
      return line.find(part) != line.npos;
    });
  }
};

result_report report_of(const std::string& job, const job_result& answer) {
  return {session, lease_of(job), wire::encode(answer), {}};
}

} // namespace

TEST_CASE("a worker is welcomed with its session and what it may keep") {
  auto hello = hello_of("w");
  hello.sequence = 5;
  hello.protocol_max = 9;
  hello.held = {{lease_of("a"), false, 0}, {lease_of("b"), false, 0}};
  bench b{hello, {{lease_of("a", 8), false}}};
  REQUIRE(b.pool->joined.size() == 1);
  CHECK(b.pool->joined.front().held.size() == 2);
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
  bench b;
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

TEST_CASE("a result goes to the pool once, however often it comes") {
  bench b;
  b.grant("a");
  const auto report = report_of("a", rollout_of("a"));
  for (int i = 0; i < 5; ++i)
    b.says(report);
  const auto results = b.pool->of<lease_result>();
  REQUIRE(results.size() == 1);
  CHECK(results.front().key == lease_of("a"));
  CHECK(*results.front().result == rollout_of("a"));
  CHECK(b.sent<result_ack>().empty()); // not before the log has it
  b.orders(result_settled{lease_of("a"), result_verdict::kept});
  const auto acks = b.sent<result_ack>();
  REQUIRE(acks.size() == 1);
  CHECK(acks.front().key == lease_of("a"));
  CHECK(acks.front().verdict == result_verdict::kept);
}

TEST_CASE("a result under no lease is the pool's to refuse, each time") {
  bench b;
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
        wrong{"an error", "", "it\nfailed \x1b[2J", "it?failed ?[2J"}}) {
    INFO(one.what);
    bench b;
    b.grant("a");
    b.says(result_report{session, lease_of("a"), one.result, one.error});
    const auto results = b.pool->of<lease_result>();
    REQUIRE(results.size() == 1);
    CHECK(results.front().result == nullptr);
    CHECK(results.front().error.find(one.says) != std::string::npos);
    CHECK(b.logged("failed job a"));
  }
}

TEST_CASE("a worker whose connection broke has a while to come back") {
  bench b;
  b.grant("a");
  b.connection_breaks();
  b.pass(b.options.suspicion / 2);
  CHECK_FALSE(b.ended());
  b.beat(1, {{lease_of("a"), false, 0}}); // it is back
  b.pass(3 * b.options.suspicion);
  CHECK_FALSE(b.ended());
  CHECK(b.pool->of<worker_leaves>().empty());
  b.connection_breaks();
  b.pass(b.options.suspicion + milliseconds{10});
  CHECK(b.ended());
  const auto left = b.pool->of<worker_leaves>();
  REQUIRE(left.size() == 1);
  CHECK(left.front().how == job_table::departure::lost);
}

TEST_CASE("a silent worker is given up after a lease, not before") {
  bench b;
  b.pass(b.options.lease - milliseconds{1500});
  CHECK_FALSE(b.ended());
  b.beat(1, {});
  b.pass(b.options.lease - milliseconds{1500});
  CHECK_FALSE(b.ended());
  b.pass(milliseconds{3000});
  CHECK(b.ended());
  const auto left = b.pool->of<worker_leaves>();
  REQUIRE(left.size() == 1);
  CHECK(left.front().how == job_table::departure::expired);
}

TEST_CASE("messages of another session do not keep a worker alive") {
  bench b;
  for (int i = 0; i < 40 && !b.ended(); ++i) {
    b.says(worker_heartbeat{
        session + 1, static_cast<std::uint64_t>(i), {}, false});
    b.pass(milliseconds{500});
  }
  CHECK(b.ended());
  const auto refused = b.sent<peer_refusal>();
  REQUIRE_FALSE(refused.empty());
  CHECK(refused.front().session == session + 1);
  CHECK(refused.front().hello_again);
  CHECK(b.pool->of<lease_result>().empty());
}

TEST_CASE("what a worker holds no longer goes back, what it should not ends") {
  bench b;
  b.grant("a");
  b.beat(1, {{lease_of("a"), false, 3}});
  b.beat(2, {{lease_of("x"), false, 0}});
  const auto back = b.pool->of<leases_returned>();
  REQUIRE(back.size() == 1);
  CHECK(back.front().keys == std::vector<lease_key>{lease_of("a")});
  const auto replies = b.sent<heartbeat_reply>();
  REQUIRE(replies.size() == 2);
  CHECK(replies.back().cancelled == std::vector<lease_key>{lease_of("x")});
}

TEST_CASE("a draining worker is told, says so, and leaves with goodbye") {
  bench b;
  b.grant("a");
  b.orders(drain_worker{"an operator asked for it"});
  const auto orders = b.sent<drain_order>();
  REQUIRE(orders.size() == 1);
  CHECK(orders.front().reason == "an operator asked for it");
  b.says(worker_heartbeat{session, 1, {{lease_of("a"), false, 0}}, true});
  CHECK(b.pool->of<worker_drains>().size() == 1);
  CHECK_FALSE(b.ended());
  b.says(worker_goodbye{session, {lease_of("a")}, "told to\nstop"});
  CHECK(b.ended());
  const auto back = b.pool->of<leases_returned>();
  REQUIRE(back.size() == 1);
  CHECK(back.front().keys == std::vector<lease_key>{lease_of("a")});
  REQUIRE(b.pool->of<worker_leaves>().size() == 1);
  CHECK(b.pool->of<worker_leaves>().front().how == job_table::departure::left);
  CHECK(b.logged("told to?stop"));
}

TEST_CASE("a lease that ends is cancelled, and is not sent again") {
  bench b;
  b.grant("a");
  b.orders(lease_ended{lease_of("a")});
  const auto cancelled = b.sent<lease_cancel>();
  REQUIRE(cancelled.size() == 1);
  CHECK(cancelled.front().key == lease_of("a"));
  b.pass(milliseconds{6000});
  CHECK(b.sent<lease_grant>().size() == 1);
}

TEST_CASE("contents are sent by hash, or that there are none") {
  bench b;
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
  bench b;
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

TEST_CASE("unreadable bytes are noted and change nothing") {
  bench b;
  for (const std::string bytes : {"", "BW", "BW\x01\x01\xc1", "nonsense"}) {
    b.actors.send(b.proxy,
                  arrived_message{std::make_shared<const std::string>(bytes)});
    b.actors.run();
  }
  CHECK(b.logged("sent something unreadable"));
  CHECK_FALSE(b.ended());
  CHECK(b.pool->heard.empty());
}
