#include "cluster/ledger/memo_loader.hpp"
#include "messages/search_msgs.hpp"
#include "messages/side_records.hpp"
#include "report/log_history.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

event_row row(std::string_view kind, std::string key) {
  return {0, std::string{kind}, std::move(key), "x", false};
}

constexpr const char* result_kind = job_result::type_name;
constexpr const char* decided = gather_record::type_name;
constexpr const char* measured = evaluation_record::type_name;

/// The keys of rows that hold, in order, as read after each of the rows.
struct standing {
  scratch at;
  std::unique_ptr<event_log> log;
  log_history history;
  std::vector<std::string> keys;

  standing() { begin("first"); }
  void begin(const std::string& folder) {
    std::filesystem::create_directory(at.path() / folder);
    log = std::move(*event_log::create(at.path() / folder));
  }
  std::vector<std::string> after(const std::vector<event_row>& rows) {
    REQUIRE(log->append(rows));
    return read();
  }
  std::vector<std::string> read() {
    const auto add = [](std::vector<std::string>& to) {
      return [&to](const event_row& one) -> result<void> {
        to.push_back(one.key);
        return {};
      };
    };
    const auto see = [](const event_row&) {};
    REQUIRE(read_standing(
        history, *log, [&] { keys.clear(); }, add(keys), see, result_kind));
    // Who begins now reads the same.
    log_history fresh;
    std::vector<std::string> all;
    REQUIRE(read_standing(
        fresh, *log, [&] { all.clear(); }, add(all), see, result_kind));
    CHECK(all == keys);
    return keys;
  }
};

using keys = std::vector<std::string>;

} // namespace

TEST_CASE("a retry takes back a result and what was decided since") {
  standing log;
  CHECK(log.after({row(decided, "0"), row(result_kind, "a"), row(decided, "1"),
                   row(result_kind, "b")})
        == keys{"0", "a", "1", "b"});
  const auto back = log.after({row(retry_result_event, "a")});
  CHECK(back == keys{"0", "b", "a"}); // the order itself is the last
  CHECK(log.after({row(result_kind, "a"), row(decided, "1")})
        == keys{"0", "b", "a", "a", "1"});
}

TEST_CASE("a retry of what is not done takes nothing back") {
  standing log;
  CHECK(log.after({row(result_kind, "a"), row(decided, "1"),
                   row(retry_result_event, "b"), row(retry_event, "a")})
            .size()
        == 4);
}

TEST_CASE("retries of several jobs take back what any of them decided") {
  standing log;
  log.after({row(result_kind, "a"), row(decided, "1"), row(verdict_event, "b"),
             row(decided, "2")});
  CHECK(log.after({row(retry_event, "b"), row(retry_result_event, "a")})
        == keys{"b", "a"}); // the orders
  CHECK(log.after({row(result_kind, "b"), row(result_kind, "a"),
                   row(decided, "1"), row(decided, "2")})
            .size()
        == 6);
}

TEST_CASE("an extension takes back the final evaluation alone") {
  standing log;
  const auto arm = row(purpose_record::type_name, arm_key(1, "test", "no KB"));
  log.after({row(run_record::type_name, "run"), row(decided, "1"), arm,
             row(measured, "no KB")});
  CHECK(log.after({row(run_record::type_name, "run")})
        == keys{"run", "1", "run"});
  CHECK(log.after({arm, row(measured, "no KB")}).size() == 5);
}

TEST_CASE("another log in the place of one that was read is read anew") {
  standing log;
  log.after({row(result_kind, "a"), row(decided, "1")});
  log.begin("second");
  REQUIRE(log.log->append(
      {row(result_kind, "b"), row(decided, "2"), row(decided, "3")}));
  CHECK(log.read() == keys{"b", "2", "3"});
  log.begin("third"); // a shorter one
  REQUIRE(log.log->append({row(result_kind, "b")}));
  CHECK(log.read() == keys{"b"});
}

TEST_CASE(
    "a row that cannot be taken is tried again, those before it are not") {
  standing log;
  REQUIRE(log.log->append({row(decided, "1"), row(result_kind, "a"),
                           row(decided, "bad"), row(decided, "2"),
                           row(retry_result_event, "a"), row(decided, "3")}));
  log_history history;
  keys added;
  bool is_bad = true;
  const auto read = [&] {
    return read_standing(
        history, *log.log, [&] { added.clear(); },
        [&](const event_row& one) -> result<void> {
          if (is_bad && one.key == "bad") return error{ec::corrupt, "bad"};
          added.push_back(one.key);
          return {};
        },
        [](const event_row&) {});
  };
  // It does not hold, as the whole log says: it is not even read.
  REQUIRE(read());
  CHECK(added == keys{"1", "a", "3"});
  REQUIRE(log.log->append({row(decided, "bad"), row(decided, "4")}));
  CHECK_FALSE(read());
  CHECK_FALSE(read());
  CHECK(added == keys{"1", "a", "3"});
  is_bad = false; // the file was restored
  REQUIRE(read());
  CHECK(added == keys{"1", "a", "3", "bad", "4"});
}

TEST_CASE("who asks sees rows that do not hold, too") {
  standing log;
  const auto arm = row(purpose_record::type_name, arm_key(1, "test", "no KB"));
  REQUIRE(log.log->append({row(run_record::type_name, "run"), arm,
                           row(run_record::type_name, "run"), arm,
                           row(run_record::type_name, "run")}));
  log_history history;
  std::size_t seen = 0, held = 0;
  REQUIRE(read_standing(
      history, *log.log, [] {},
      [&](const event_row& one) -> result<void> {
        held += one.kind == purpose_record::type_name;
        return {};
      },
      [&](const event_row& one) {
        seen += one.kind == purpose_record::type_name;
      }));
  CHECK(seen == 2);
  CHECK(held == 0);
}
