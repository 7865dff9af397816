#include "tests/workers/remote_bench.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <condition_variable>
#include <mutex>

using namespace brewery;
using namespace brewery::test;

namespace {

/// The worker acceptor with its peer_router; the test is the network.
struct acceptor_bench {
  deterministic_system actors;
  std::shared_ptr<stub_pool> pool = std::make_shared<stub_pool>();
  std::shared_ptr<peer_router> router = std::make_shared<peer_router>();
  std::map<std::string, std::vector<std::string>> frames; ///< by peer
  std::vector<std::string> log;
  worker_acceptor_actor acceptor;
  std::size_t refused = 0;
  std::map<std::string, std::string> roles{
      {"wkey", "worker"}, {"okey", "operator"}, {"", "worker"}};
  bool roles_unreadable = false;
  std::size_t roles_read = 0;
  std::vector<operator_request> orders;
  std::function<void(operator_reply)> answer; ///< of the last order

  explicit acceptor_bench(bool with_operators = true) {
    auto inputs = std::make_shared<worker_acceptor_inputs>();
    inputs->epoch = 7;
    inputs->pool = actors.own(actors.system().spawn(stub_pool::run, pool));
    inputs->router = router;
    inputs->send = [this](const std::string& peer,
                          std::shared_ptr<const std::string> frame) {
      frames[peer].push_back(*frame);
    };
    inputs->blobs = [](const std::string&) { return std::nullopt; };
    inputs->peer_kinds_of = [this](const std::vector<std::string>& keys) {
      ++roles_read;
      std::vector<result<std::string>> out;
      for (const auto& key : keys)
        out.push_back(roles_unreadable
                          ? result<std::string>{error{ec::io, "too many open "
                                                              "files"}}
                          : roles[key]);
      return out;
    };
    if (with_operators)
      inputs->operators = [this](const std::string&,
                                 const operator_request& request,
                                 std::function<void(operator_reply)> reply) {
        orders.push_back(request);
        answer = std::move(reply);
      };
    inputs->on_event = [this](const std::string& what) { log.push_back(what); };
    inputs->on_refused = [this](std::string_view) { ++refused; };
    acceptor = actors.own(actors.system().spawn(worker_acceptor, inputs));
    router->open(acceptor);
  }
  ~acceptor_bench() {
    for (const auto& proxy : router->all())
      actors.own(proxy.proxy);
    pool->joined.clear();
    router = nullptr;
  }

  void arrives(const std::string& peer, const std::string& key,
               const std::string& bytes) {
    router->frame(peer, key, bytes);
    actors.run();
  }
  void says(const std::string& peer, const std::string& key,
            const wire::message& body) {
    arrives(peer, key, wire::frame(body));
  }
  template <class T>
  std::vector<T> sent(const std::string& peer) {
    return among<T>(frames[peer]);
  }
  /// The one answer to a peer that was refused.
  peer_refusal refusal(const std::string& peer) {
    REQUIRE(frames[peer].size() == 1);
    const auto all = sent<peer_refusal>(peer);
    REQUIRE(all.size() == 1);
    return all.front();
  }
};

} // namespace

TEST_CASE("a worker that says hello gets a session of its own") {
  acceptor_bench b;
  b.says("p1", "wkey", hello_of("w1"));
  b.says("p2", "wkey", hello_of("w2"));
  REQUIRE(b.sent<worker_welcome>("p1").size() == 1);
  REQUIRE(b.sent<worker_welcome>("p2").size() == 1);
  const auto one = b.sent<worker_welcome>("p1").front();
  const auto two = b.sent<worker_welcome>("p2").front();
  CHECK(one.session != two.session);
  CHECK(one.session >> 32 == 7); // no session of another start is alike
  CHECK(b.router->size() == 2);
  CHECK(b.pool->joined.size() == 2);
  CHECK(b.refused == 0);
}

TEST_CASE("a batch of an unknown session is answered once") {
  acceptor_bench b;
  const auto beat = bytes_of(worker_heartbeat{9, 1, {}, false, {}});
  b.arrives("p", "wkey", *wire::batched({beat, beat, beat}).front());
  const auto said = b.refusal("p");
  CHECK(said.session == 9);
  CHECK(said.hello_again);
  b.arrives("q", "wkey", std::string{"BW\x01\xff", 4});
  CHECK(b.frames["q"].empty());
}

TEST_CASE("a hello that cannot be taken is refused for good, with why") {
  struct wrong {
    std::string says;
    std::function<void(worker_hello&)> change;
  };
  for (const auto& one : {
           wrong{"speaks protocol 8 to 9, this coordinator 1 to 7",
                 [](auto& h) { h.protocol_min = 8, h.protocol_max = 9; }},
           wrong{"speaks protocol 0 to 0",
                 [](auto& h) { h.protocol_min = h.protocol_max = 0; }},
           wrong{"speaks protocol 2 to 1",
                 [](auto& h) { h.protocol_min = 2, h.protocol_max = 1; }},
           wrong{"0 slots", [](auto& h) { h.slots = 0; }},
           wrong{"4097 slots", [](auto& h) { h.slots = 4097; }},
           wrong{"no incarnation", [](auto& h) { h.incarnation.clear(); }},
           wrong{"no role", [](auto& h) { h.roles.clear(); }},
       }) {
    INFO(one.says);
    acceptor_bench b;
    auto hello = hello_of("w");
    one.change(hello);
    b.says("p", "wkey", hello);
    const auto said = b.refusal("p");
    CHECK(said.reason.find(one.says) != std::string::npos);
    CHECK_FALSE(said.hello_again);
    CHECK(said.session == 0);
    CHECK(b.refused == 1);
    CHECK(b.router->size() == 0);
    CHECK(b.pool->joined.empty());
  }
}

TEST_CASE("a hello that cannot be read is refused with what is wrong") {
  acceptor_bench b;
  auto bytes = wire::frame(hello_of("w"));
  const auto at = bytes.find("slots");
  bytes[at] = 'z'; // an unknown field now, and one that is missing
  b.arrives("p", "wkey", bytes);
  const auto said = b.refusal("p");
  CHECK(said.reason.find("'slots'") != std::string::npos);
  CHECK_FALSE(said.hello_again);
  CHECK(b.refused == 1);
}

TEST_CASE("what is no frame of ours is counted and not answered") {
  acceptor_bench b;
  const auto good = wire::frame(hello_of("w"));
  std::vector<std::string> wrong = {
      "",
      "BW",
      std::string{"BW\x01", 3},
      "XX" + good.substr(2),
      "BW\x02" + good.substr(3),
      std::string{"BW\x01\x63", 4} + good.substr(4),
      wire::frame(heartbeat_reply{}).substr(0, 9)};
  for (const auto& bytes : wrong)
    b.arrives("p", "wkey", bytes);
  CHECK(b.frames["p"].empty());
  CHECK(b.refused == wrong.size());
}

TEST_CASE("a key is for what it was made for") {
  acceptor_bench b;
  b.says("p1", "okey", hello_of("w"));
  CHECK(b.refusal("p1").reason == "its key is that of an operator");
  b.says("p2", "other", hello_of("w"));
  CHECK(b.refusal("p2").reason == "its key is revoked");
  CHECK_FALSE(b.refusal("p2").hello_again);
  CHECK(b.pool->joined.empty());
}

TEST_CASE("a worker is not sent away while nobody knows whose its key is") {
  acceptor_bench b;
  b.roles_unreadable = true;
  b.says("p", "wkey", hello_of("w"));
  CHECK(b.refusal("p").hello_again);
  b.frames.clear();
  b.roles_unreadable = false;
  b.says("p", "wkey", hello_of("w"));
  CHECK(b.sent<worker_welcome>("p").size() == 1);
}

TEST_CASE("sessions of revoked keys can be ended, and no others") {
  acceptor_bench b;
  b.says("p1", "wkey", hello_of("w1"));
  b.roles["key2"] = "worker";
  b.says("p2", "key2", hello_of("w2"));
  const auto check = [&] {
    const auto asked =
        b.actors.request<checked_sessions>(b.acceptor, atom::check_v);
    b.actors.run();
    return asked->value();
  };
  CHECK(check().ended == 0);
  b.roles["key2"] = "";
  b.roles_unreadable = true;
  const auto unknown = check();
  CHECK(unknown.ended == 0);
  CHECK(unknown.unknown == 2);
  CHECK_FALSE(unknown.why.empty());
  b.roles_unreadable = false;
  const auto known = check();
  CHECK(known.ended == 1);
  CHECK(known.unknown == 0);
  b.actors.run();
  CHECK(b.router->size() == 1);
  CHECK(b.sent<peer_refusal>("p1").empty());
  const auto told = b.sent<peer_refusal>("p2");
  REQUIRE(told.size() == 1);
  CHECK(told[0].session == b.sent<worker_welcome>("p2").at(0).session);
  CHECK(told[0].reason == "its key is revoked");
  CHECK_FALSE(told[0].hello_again);
}

TEST_CASE("the keys of all sessions are judged by one reading of the lists") {
  acceptor_bench b;
  for (int i = 0; i < 20; ++i) {
    const auto key = "key" + std::to_string(i);
    b.roles[key] = "worker";
    b.says("p" + std::to_string(i), key, hello_of("w"));
    if (i % 2 == 0) b.roles[key] = "";
  }
  const auto before = b.roles_read;
  const auto asked =
      b.actors.request<checked_sessions>(b.acceptor, atom::check_v);
  b.actors.run();
  CHECK(asked->value().ended == 10);
  CHECK(b.roles_read - before == 1);
}

TEST_CASE("a peer without a session is told to say hello again") {
  acceptor_bench b;
  b.says("p", "wkey", worker_heartbeat{99, 1, {}, false});
  const auto said = b.refusal("p");
  CHECK(said.session == 99);
  CHECK(said.hello_again);
  CHECK(b.pool->heard.empty());
}

TEST_CASE("a second hello of a peer ends its first session") {
  acceptor_bench b;
  b.says("p", "wkey", hello_of("w"));
  auto again = hello_of("w");
  again.sequence = 2;
  b.says("p", "wkey", again);
  const auto welcomes = b.sent<worker_welcome>("p");
  REQUIRE(welcomes.size() == 2);
  CHECK(welcomes[0].session != welcomes[1].session);
  CHECK(b.router->size() == 1);
  CHECK(b.pool->of<worker_leaves>().size() == 1);
  b.says("p", "wkey", worker_heartbeat{welcomes[1].session, 1, {}, false});
  CHECK(b.sent<heartbeat_reply>("p").size() == 1);
}

TEST_CASE("another key under a worker's name speaks for nobody") {
  acceptor_bench b;
  b.roles["thief"] = "worker";
  b.says("p", "wkey", hello_of("w"));
  const auto session = b.sent<worker_welcome>("p").front().session;
  b.says("p", "thief", worker_goodbye{session, {}, "bye"});
  CHECK(b.pool->of<worker_leaves>().empty());
  CHECK(b.sent<peer_refusal>("p").size() == 1);
}

TEST_CASE("a peer that is gone is its proxy's to judge") {
  acceptor_bench b;
  b.says("p", "wkey", hello_of("w"));
  b.router->gone("nobody");
  b.router->gone("p");
  b.actors.run();
  CHECK(b.router->size() == 1); // it may be back at once
  b.says("p", "wkey",
         worker_goodbye{b.sent<worker_welcome>("p").front().session, {}, "x"});
  CHECK(b.router->size() == 0);
}

TEST_CASE("an order reaches whoever carries it out, and its answer the asker") {
  acceptor_bench b;
  b.says("p", "okey", operator_request{5, "status", {{"a", "b"}}});
  REQUIRE(b.orders.size() == 1);
  CHECK(b.orders.front() == operator_request{5, "status", {{"a", "b"}}});
  CHECK(b.frames["p"].empty());
  b.answer(operator_reply{0, "", "{}"});
  const auto replies = b.sent<operator_reply>("p");
  REQUIRE(replies.size() == 1);
  CHECK(replies.front() == operator_reply{5, "", "{}"});
}

TEST_CASE("only an operator's key gives orders where there are keys") {
  acceptor_bench b;
  for (const auto* key : {"wkey", "other"}) {
    b.says(key, key, operator_request{1, "drain", {}});
    const auto replies = b.sent<operator_reply>(key);
    REQUIRE(replies.size() == 1);
    CHECK(replies.front().error.find("may not send orders")
          != std::string::npos);
  }
  CHECK(b.orders.empty());
  b.says("plain", "", operator_request{1, "status", {}}); // on this machine
  CHECK(b.orders.size() == 1);
  acceptor_bench none{false};
  none.says("p", "okey", operator_request{1, "status", {}});
  CHECK(none.sent<operator_reply>("p").size() == 1);
}

TEST_CASE("names from outside are one line, wherever they are shown") {
  acceptor_bench b;
  auto hello = hello_of("w\n[info] all is well \x1b[2J");
  hello.host = "h\r\n";
  b.says("p", "wkey", hello);
  hello.slots = 0;
  b.says("q", "wkey", hello);
  REQUIRE(b.log.size() == 2);
  REQUIRE(b.pool->joined.size() == 1);
  b.log.push_back(b.pool->joined.front().spec.name);
  b.log.push_back(b.pool->joined.front().spec.host);
  for (const auto& line : b.log)
    CHECK(std::none_of(line.begin(), line.end(),
                       [](char c) { return c >= 0 && c < ' '; }));
}

TEST_CASE("whoever is welcomed is heard, however soon it speaks") {
  // Threads, as the proxy of a peer may run while the acceptor greets it. Each
  // peer says goodbye from within the sending of its welcome.
  constexpr std::size_t peers = 5000;
  caf::actor_system_config config;
  config.set("scheduler.max-threads", 4);
  caf::actor_system system{config};
  const auto pool = std::make_shared<stub_pool>();
  const auto router = std::make_shared<peer_router>();
  std::mutex mutex;
  std::condition_variable ended;
  std::size_t left = 0, refused = 0; // guarded by mutex
  const auto one_more = [&](std::size_t& count) {
    const std::lock_guard lock{mutex};
    ++count;
    ended.notify_one();
  };
  auto inputs = std::make_shared<worker_acceptor_inputs>();
  const auto pool_handle = system.spawn(stub_pool::run, pool);
  inputs->pool = pool_handle;
  inputs->router = router;
  inputs->peer_kinds_of = all_are_workers();
  inputs->blobs = [](const std::string&) { return std::nullopt; };
  inputs->on_event = [&](const std::string& what) {
    if (what.find(" left: ") != std::string::npos) one_more(left);
  };
  inputs->send = [&](const std::string& peer,
                     const std::shared_ptr<const std::string>& frame) {
    const auto message = wire::unframe(*frame);
    if (!message) return;
    if (const auto* welcome = std::get_if<worker_welcome>(&*message))
      router->frame(peer, "key",
                    *bytes_of(worker_goodbye{welcome->session, {}, "bye"}));
    else if (std::holds_alternative<peer_refusal>(*message))
      one_more(refused);
  };
  const auto acceptor = system.spawn(worker_acceptor, inputs);
  router->open(acceptor);
  for (std::size_t i = 0; i < peers; ++i) {
    const auto name = "p" + std::to_string(i);
    router->frame(name, "key", *bytes_of(hello_of(name)));
  }
  {
    std::unique_lock lock{mutex};
    CHECK(ended.wait_for(lock, std::chrono::minutes{10},
                         [&] { return left + refused >= peers; }));
    CHECK(refused == 0);
  }
  for (const auto& proxy : router->all()) // of whoever was refused
    caf::anon_send_exit(proxy.proxy, caf::exit_reason::kill);
  caf::anon_send_exit(acceptor, caf::exit_reason::kill);
  caf::anon_send_exit(pool_handle, caf::exit_reason::kill);
  system.await_all_actors_done();
}
