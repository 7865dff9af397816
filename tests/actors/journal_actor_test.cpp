#include "actors/journal_actor.hpp"
#include "base/compression.hpp"
#include "messages/wire/format.hpp"
#include "tests/fixtures/deterministic_system.hpp"
#include "tests/store/faulty_vfs.hpp"
#include "tests/store/scratch.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

journal_batch one_event(const std::string& key, const std::string& payload,
                        bool compressed = false) {
  return {{{0, "kind", key, payload, compressed}}};
}

struct journal_bench {
  scratch folder;
  std::vector<std::size_t> commits; ///< events in each
  std::shared_ptr<event_log> log = make_log(folder);
  deterministic_system actors;
  journal_actor actor = actors.own(actors.system().spawn(
      journal, journal_inputs{log,
                              [this](std::size_t events, double) {
                                commits.push_back(events);
                              },
                              {}}));

  static std::shared_ptr<event_log> make_log(const scratch& folder) {
    auto made = event_log::create(folder.path());
    REQUIRE(made);
    return std::move(*made);
  }

  std::shared_ptr<pending<std::uint64_t>> append(const std::string& key,
                                                 const std::string& payload) {
    return actors.request<std::uint64_t>(actor, atom::append_v,
                                         one_event(key, payload));
  }

  std::vector<std::string> stored() const {
    std::vector<std::string> keys;
    const auto read = log->for_each([&](const event_row& row) -> result<void> {
      CHECK(row.kind == "kind");
      CHECK(row.payload == "payload of " + row.key);
      keys.push_back(row.key);
      return {};
    });
    REQUIRE(read);
    return keys;
  }
};

} // namespace

TEST_CASE("an append may be compressed already") {
  journal_bench b;
  const std::string whole(10'000, 'x');
  const auto answer = b.actors.request<std::uint64_t>(
      b.actor, atom::append_v, one_event("key", compress(whole), true));
  b.actors.run();
  const auto read =
      b.actors.request<std::string>(b.actor, atom::recall_v, answer->value());
  b.actors.run();
  CHECK(read->value() == whole);
}

TEST_CASE("appends that arrive together are one transaction, in order") {
  journal_bench b;
  std::vector<std::shared_ptr<pending<std::uint64_t>>> answers;
  std::vector<std::string> keys;
  for (int i = 0; i < 20; ++i) {
    keys.push_back(std::to_string(i));
    answers.push_back(b.append(keys.back(), "payload of " + keys.back()));
  }
  b.actors.run();
  for (const auto& answer : answers)
    CHECK(answer->value());
  CHECK(b.commits == std::vector<std::size_t>{20});
  CHECK(b.stored() == keys);
}

TEST_CASE("a batch is answered with the number of its first event") {
  journal_bench b;
  b.append("0", "payload of 0");
  journal_batch batch;
  for (const std::string key : {"1", "2", "3"})
    batch.events.push_back({0, "kind", key, "payload of " + key, false});
  const auto three =
      b.actors.request<std::uint64_t>(b.actor, atom::append_v, batch);
  const auto last = b.append("4", "payload of 4");
  b.actors.run();
  CHECK(three->value() == 2);
  CHECK(last->value() == 5);
  CHECK(b.stored() == std::vector<std::string>{"0", "1", "2", "3", "4"});
}

TEST_CASE("a transaction is bounded, so that answers do not wait for ever") {
  journal_bench b;
  std::vector<std::shared_ptr<pending<std::uint64_t>>> answers;
  for (int i = 0; i < 1000; ++i)
    answers.push_back(
        b.append(std::to_string(i), "payload of " + std::to_string(i)));
  b.actors.run();
  for (const auto& answer : answers)
    CHECK(answer->value());
  CHECK(b.commits.size() >= 2);
  CHECK(b.commits.size() < 20);
  CHECK(b.stored().size() == 1000);
}

TEST_CASE("appends after a commit are another transaction") {
  journal_bench b;
  for (int i = 0; i < 3; ++i) {
    const auto answer = b.append("k", "payload of k");
    b.actors.run();
    CHECK(answer->value());
  }
  CHECK(b.commits.size() == 3);
  CHECK(b.stored().size() == 3);
}

TEST_CASE("a log that cannot be written answers every append with why") {
  journal_bench b;
  const auto before = b.append("ok", "payload of ok");
  b.actors.run();
  CHECK(before->value());
  const auto first = b.append("1", "payload of 1");
  const auto huge =
      b.append("2", std::string(wire::max_message_bytes + 1, 'x'));
  const auto third = b.append("3", "payload of 3");
  b.actors.run();
  for (const auto& answer : {first, huge, third}) {
    CHECK(answer->failure().code == ec::invalid_argument);
    CHECK(contains(answer->failure().message, "more than the"));
  }
  CHECK(b.stored() == std::vector<std::string>{"ok"});
  // The next batch is written as if nothing had happened.
  const auto after = b.append("later", "payload of later");
  b.actors.run();
  CHECK(after->value());
  CHECK(b.stored() == std::vector<std::string>{"ok", "later"});
}

TEST_CASE("a patient journal waits for its disk and loses nothing") {
  faulty_vfs disk;
  const scratch folder;
  auto made = event_log::create(folder.path(), faulty_vfs::name);
  REQUIRE(made);
  const std::shared_ptr<event_log> log = std::move(*made);
  std::vector<std::string> notices; ///< why it is stuck; empty: no more
  deterministic_system actors;
  const auto actor = actors.own(actors.system().spawn(
      journal, journal_inputs{log, {}, [&](const error* why) {
                                notices.push_back(why ? why->message : "");
                              }}));
  std::vector<std::shared_ptr<pending<std::uint64_t>>> answers;
  const auto append = [&](int count) {
    for (int i = 0; i < count; ++i)
      answers.push_back(actors.request<std::uint64_t>(
          actor, atom::append_v,
          one_event(std::to_string(answers.size()), "payload")));
    actors.run();
  };
  append(2);
  CHECK(notices.empty());
  disk.fail_at(1, true);
  append(3);
  // What comes meanwhile waits too, also more than a batch of it.
  append(300);
  actors.pass(std::chrono::seconds{10});
  REQUIRE(notices.size() == 1); // once, not with every try
  CHECK_FALSE(notices.front().empty());
  CHECK(std::count_if(answers.begin(), answers.end(),
                      [](const auto& a) { return !a->open(); })
        == 2);
  disk.heal();
  actors.pass(std::chrono::seconds{2});
  CHECK(notices.size() == 2);
  CHECK(notices.back().empty());
  for (const auto& answer : answers)
    CHECK(answer->value());
  std::vector<std::string> keys;
  REQUIRE(log->for_each([&](const event_row& row) -> result<void> {
    keys.push_back(row.key);
    return {};
  }));
  REQUIRE(keys.size() == answers.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    CHECK(keys[i] == std::to_string(i)); // each once, in order
  // And again, as if nothing had happened.
  append(1);
  CHECK(answers.back()->value());
  CHECK(notices.size() == 2);
}

TEST_CASE("a journal that is told to stop waits for no disk") {
  faulty_vfs disk;
  const scratch folder;
  auto made = event_log::create(folder.path(), faulty_vfs::name);
  REQUIRE(made);
  std::vector<bool> stuck;
  deterministic_system actors;
  const auto actor = actors.own(actors.system().spawn(
      journal, journal_inputs{std::shared_ptr<event_log>{std::move(*made)},
                              {},
                              [&](const error* why) {
                                stuck.push_back(why != nullptr);
                              }}));
  const auto append = [&] {
    const auto answer = actors.request<std::uint64_t>(
        actor, atom::append_v, one_event("key", "payload"));
    actors.run();
    return answer;
  };
  disk.fail_at(1, true);
  const auto waits = append();
  CHECK(waits->open());
  actors.send(actor, atom::stop_v);
  actors.run();
  const auto code = waits->failure().code;
  CHECK((code == ec::io || code == ec::disk_full));
  CHECK(stuck == std::vector{true}); // it still cannot be written
  CHECK_FALSE(append()->open());
  disk.heal();
  CHECK(append()->value());
  CHECK(stuck == std::vector{true, false});
}

TEST_CASE("an append that can never be written fails a patient journal too") {
  const scratch folder;
  auto made = event_log::create(folder.path());
  REQUIRE(made);
  deterministic_system actors;
  std::size_t notices = 0;
  const auto actor = actors.own(actors.system().spawn(
      journal, journal_inputs{std::shared_ptr<event_log>{std::move(*made)},
                              {},
                              [&](const error*) { ++notices; }}));
  const auto answer = actors.request<std::uint64_t>(
      actor, atom::append_v,
      one_event("key", std::string(wire::max_message_bytes + 1, 'x')));
  actors.run();
  CHECK(answer->failure().code == ec::invalid_argument);
  CHECK(notices == 0); // waiting would not help
}

TEST_CASE("a process without a log acknowledges and stores nothing") {
  deterministic_system actors;
  const auto actor = actors.own(actors.system().spawn(forgetful_journal));
  const auto answer = actors.request<std::uint64_t>(
      actor, atom::append_v, one_event("key", "payload"));
  actors.run();
  CHECK(answer->value() == 0);
}
