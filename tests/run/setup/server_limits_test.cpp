#include "run/setup/server_limits.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

model_catalog with_retries(std::uint32_t retries) {
  model_catalog out;
  out.servers["here"].retry.most_retries = retries;
  return out;
}

} // namespace

TEST_CASE("a session with other limits of a server is told what changed") {
  const scratch run;
  std::filesystem::create_directory(run.path() / "models");
  const auto note = [&](const model_catalog& catalog) {
    const auto changed = note_limits(run.path(), limits_of(catalog));
    REQUIRE(changed);
    return *changed;
  };
  using lines = std::vector<std::string>;
  CHECK(note(with_retries(8)).empty()); // the first session
  CHECK(note(with_retries(8)).empty());
  CHECK(note(with_retries(2)) == lines{"server.here.max_retries: 8 -> 2"});
  CHECK(note(with_retries(2)).empty());
  auto more = with_retries(2);
  more.servers["there"] = {};
  CHECK(note(more).empty()); // a server that was not there has not changed
}

TEST_CASE("limits that cannot be stored are an error, not silence") {
  const scratch run; // without the folder
  CHECK_FALSE(note_limits(run.path(), limits_of(with_retries(8))));
}
