#include "messages/caf/types.hpp"
#include "tests/messages/samples.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

struct test_system {
  caf::actor_system_config config;
  caf::actor_system system{(register_types(config), config)};
};

template <class T>
T through_bytes(caf::actor_system& system, T value) {
  std::vector<char> bytes;
  caf::binary_serializer sink{system, bytes};
  REQUIRE_FALSE(sink(value));
  T copy{};
  caf::binary_deserializer source{system, bytes};
  REQUIRE_FALSE(source(copy));
  return copy;
}

/// Type-erased, as a mailbox on another node would see it: needs the type id.
template <class T>
T through_message(caf::actor_system& system, const T& value) {
  const auto copy = through_bytes(system, caf::make_message(value));
  REQUIRE(copy.template match_elements<T>());
  return copy.template get_as<T>(0);
}

using echo_actor =
    interface<caf::result<rollout_result>(atom::run, rollout_result),
              caf::result<void>(atom::stop),
              caf::result<void>(atom::tick, std::uint32_t),
              caf::result<std::uint32_t>(atom::status)>;

struct echo_state {
  std::uint32_t ticks = 0;
  static inline const char* name = "echo";
};

echo_actor::behavior_type echo(echo_actor::stateful_pointer<echo_state> self) {
  return {
      [](atom::run, const rollout_result& value) { return value; },
      [](atom::stop) {
        return reply(result<void>{error{ec::disk_full, "no space on /data"}});
      },
      [self](atom::tick, std::uint32_t left) -> caf::result<void> {
        if (left == 0) throw std::runtime_error("broken handler");
        ++state_of(self).ticks;
        if (left > 1) tell(self, echo_actor{self}, atom::tick_v, left - 1);
        return {};
      },
      [self](atom::status) {
        return reply(result<std::uint32_t>{state_of(self).ticks});
      },
  };
}

template <class OnValue, class... Args>
error outcome(test_system& fixture, const echo_actor& actor, OnValue on_value,
              const Args&... args) {
  caf::scoped_actor self{fixture.system};
  error seen{ec::ok, "answered"};
  ask(self, actor, std::chrono::seconds(20), args...)
      .receive(on_value, [&](const caf::error& err) { seen = from_caf(err); });
  return seen;
}

} // namespace

TEST_CASE("every message type passes CAF's serialiser unchanged") {
  test_system fixture;
  samples::for_each_actor_message([&]<class T>() {
    INFO(T::type_name);
    const auto value = samples::full<T>();
    CHECK_FALSE(value == T{});
    CHECK(through_bytes(fixture.system, value) == value);
    CHECK(through_message(fixture.system, value) == value);
  });
}

TEST_CASE("random messages pass CAF's serialiser unchanged") {
  test_system fixture;
  const std::uint64_t seed = 20240611;
  INFO("seed " << seed);
  rng draw{rng_key(seed, "caf")};
  for (int round = 0; round < 50; ++round)
    samples::for_each_actor_message([&]<class T>() {
      T value;
      samples::randomize(value, draw);
      INFO(T::type_name << " in round " << round);
      CHECK(through_message(fixture.system, value) == value);
    });
}

TEST_CASE("strong ids and batches have type ids") {
  test_system fixture;
  CHECK(through_message(fixture.system, task_id{"t"}) == task_id{"t"});
  CHECK(through_message(fixture.system, concept_id{7}) == concept_id{7});
  CHECK(through_message(fixture.system, node_id{8}) == node_id{8});
  CHECK(through_message(fixture.system, doc_hash{"d"}) == doc_hash{"d"});
  CHECK(through_message(fixture.system, job_id{"j"}) == job_id{"j"});
  CHECK(through_message(fixture.system, insight_id{"i"}) == insight_id{"i"});
  const std::vector jobs(3, samples::full<rollout_job>());
  CHECK(through_message(fixture.system, jobs) == jobs);
}

TEST_CASE("type ids are positions: the block may only be appended to") {
  CHECK(caf::type_id<doc_ref>::value == 200);
  CHECK(caf::type_id<rollout_result>::value == 209);
  CHECK(caf::type_id<evaluation_record>::value == 221);
  CHECK(caf::type_id<insight_id>::value == 227);
  CHECK(caf::type_id<job>::value == 231);
  CHECK(caf::type_id<job_result>::value == 232);
  CHECK(caf::type_id<document_outcome>::value == 233);
  CHECK(caf::type_id<search_outcome>::value == 234);
}

TEST_CASE("an interface answers, tells itself, and keeps its state") {
  test_system fixture;
  const auto actor = fixture.system.spawn(echo);
  const auto sent = samples::full<rollout_result>();
  rollout_result got;
  const auto take = [&](const rollout_result& value) { got = value; };
  CHECK(outcome(fixture, actor, take, atom::run_v, sent).code == ec::ok);
  CHECK(got == sent);

  caf::scoped_actor self{fixture.system};
  tell(self, actor, atom::tick_v, 3u);
  tell_after(self, actor, std::chrono::milliseconds(1), atom::tick_v, 2u);
  std::uint32_t ticks = 0;
  const auto count = [&](std::uint32_t now) { ticks = now; };
  while (ticks < 5)
    REQUIRE(outcome(fixture, actor, count, atom::status_v).code == ec::ok);
  CHECK(ticks == 5);
}

TEST_CASE("an error crosses an actor boundary with code and message") {
  test_system fixture;
  const auto actor = fixture.system.spawn(echo);
  const auto seen = outcome(
      fixture, actor, [] {}, atom::stop_v);
  CHECK(seen.code == ec::disk_full);
  CHECK(seen.message == "no space on /data");
  CHECK(fixture.system.render(to_caf(seen)) == to_string(seen));
}

TEST_CASE("a handler that throws answers with an internal error") {
  test_system fixture;
  const auto actor = fixture.system.spawn(echo);
  CHECK(outcome(
            fixture, actor, [] {}, atom::tick_v, 0u)
            .code
        == ec::internal);
}

TEST_CASE("an actor that is gone answers with an internal error") {
  test_system fixture;
  const auto actor = fixture.system.spawn(echo);
  caf::anon_send_exit(actor, caf::exit_reason::kill);
  fixture.system.await_all_actors_done();
  const auto seen = outcome(
      fixture, actor, [] {}, atom::stop_v);
  CHECK(seen.code == ec::internal);
  CHECK(seen.message == "an actor ended before it answered");
}

TEST_CASE("a request nobody answers in time is a timeout") {
  const auto seen = from_caf(caf::make_error(caf::sec::request_timeout));
  CHECK(seen.code == ec::timeout);
  CHECK(from_caf(caf::error{}).code == ec::ok);
  CHECK(from_caf(caf::exit_reason::user_shutdown).code == ec::cancelled);
}

TEST_CASE("a watched actor's end is reported once, to its own callback") {
  test_system fixture;
  struct watcher_state {
    watch_list watching;
  };
  const auto first = fixture.system.spawn(echo);
  const auto second = fixture.system.spawn(echo);
  caf::scoped_actor self{fixture.system};
  const caf::actor observer = self;
  const auto watcher = fixture.system.spawn(
      [=](caf::stateful_actor<watcher_state>* me) -> caf::behavior {
        auto& watching = state_of(me).watching;
        watching.watch(me, first, [=](const caf::error&) {
          tell(me, observer, std::string{"replaced"});
        });
        watching.watch(me, first, [=](const caf::error&) {
          tell(me, observer, std::string{"first"});
          caf::anon_send_exit(second, caf::exit_reason::kill);
        });
        watching.watch(me, second, [=](const caf::error&) {
          tell(me, observer, std::string{"second"});
          me->quit();
        });
        caf::anon_send_exit(first, caf::exit_reason::kill);
        return {[](atom::stop) {}};
      });
  std::vector<std::string> seen;
  for (int i = 0; i < 2; ++i)
    self->receive([&](const std::string& text) { seen.push_back(text); });
  CHECK(seen == std::vector<std::string>{"first", "second"});
}
