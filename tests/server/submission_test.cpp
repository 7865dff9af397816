/// What a coordinator keeps beside a run, and what it lets be tried again.

#include "base/file.hpp"
#include "cluster/ledger/job_memo.hpp"
#include "server/managed_run.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <fstream>

using namespace brewery;
using Catch::Contains;

namespace {

struct submitted {
  scratch root;
  run_directory directory = made(root);

  static run_directory made(const scratch& root) {
    auto out = run_directory::create(root.path(), "night");
    REQUIRE(out);
    return *out;
  }
  void write(const std::string& text) const {
    std::ofstream{directory.path() / "submission.json"} << text;
  }
};

} // namespace

TEST_CASE("a submission is read as it was written") {
  const submitted s;
  submission written{2.5, -3, true, "wide"};
  written.order = "cafe";
  written.group_point = 3;
  REQUIRE(write_submission(s.directory, written));
  const auto read = read_submission(s.directory);
  REQUIRE(read);
  CHECK(read->weight == 2.5);
  CHECK(read->priority == -3);
  CHECK(read->cancelled);
  CHECK(read->group == "wide");
  CHECK(read->order == "cafe");
  CHECK(read->group_point == 3U);
}

TEST_CASE("a run whose log cannot be looked for gets no new one") {
  const submitted s;
  const auto file = s.directory.path() / GENERATE("events.db", "events.ack");
  std::filesystem::create_symlink(file, file); // which leads nowhere
  const auto log = log_of(s.directory);
  REQUIRE_FALSE(log);
  CHECK_THAT(log.error().message, Contains("cannot read " + file.string()));
  CHECK_FALSE(std::filesystem::is_regular_file(
      std::filesystem::symlink_status(s.directory.events())));
}

TEST_CASE("what an older release did not write has its usual value") {
  const submitted s;
  s.write("{}");
  const auto read = read_submission(s.directory);
  REQUIRE(read);
  CHECK(read->weight == 1);
  CHECK(read->priority == 0);
  CHECK_FALSE(read->cancelled);
  CHECK(read->group.empty());
}

TEST_CASE("a run without a submission belongs to no coordinator") {
  const submitted s;
  const auto read = read_submission(s.directory);
  REQUIRE_FALSE(read);
  CHECK(read.error().code == ec::not_found);
}

TEST_CASE("a submission that is damaged is an error with its file") {
  const submitted s;
  for (const auto* text :
       {"", "[1]", "{\"weight\": ", "{\"weight\": \"2\"}", "{\"weight\": null}",
        "{\"priority\": \"high\"}", "{\"cancelled\": 1}", "{\"group\": 1}",
        "{\"order\": 1}"}) {
    INFO(text);
    s.write(text);
    const auto read = read_submission(s.directory);
    REQUIRE_FALSE(read);
    CHECK(read.error().code == ec::corrupt);
    CHECK_THAT(read.error().message, Contains("submission.json"));
    CHECK(read.error().message.find('\n') == std::string::npos);
  }
}
