#include "roles/procedural/procedural_judge.hpp"
#include "tests/roles/support.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

std::map<std::string, double> ratings(std::vector<trajectory_step> steps) {
  const task_info task{{"t"}, "Help."};
  const grade_report grade;
  std::map<std::string, double> out;
  const auto rated = procedural_judge{}.rate({task, steps, grade}, any_job());
  REQUIRE(rated);
  for (const auto& rating : *rated) {
    CHECK_FALSE(rating.reason.empty());
    CHECK(rating.score >= 0);
    CHECK(rating.score <= 1);
    out[rating.rubric] = rating.score;
  }
  CHECK(out.size() == 4);
  return out;
}

} // namespace

TEST_CASE("an attempt without steps breaks no habit") {
  for (const auto& [rubric, score] : ratings({}))
    CHECK(score == 1.0);
}

TEST_CASE("looking before and after each change is rated full") {
  for (const auto& [rubric, score] :
       ratings({observed("check", "a: 1"), changed("set"),
                observed("check", "a: 2"), changed("set"),
                observed("check", "a: 3")}))
    CHECK(score == 1.0);
}

TEST_CASE("each habit is a share of the calls it is about") {
  auto refused = observed("check", "Error");
  refused.failed = true;
  const auto rated = ratings(
      {observed("check", "a: 1"), observed("check", "a: 1"), changed("set"),
       changed("set"), refused, observed("other", "b", R"({"x": 1})"),
       observed("other", "b", R"({"x": 2})"), observed("check", "a: 1")});
  CHECK(rated.at("looks before changing") == 0.5);
  CHECK(rated.at("verifies after changing") == 0.5);
  CHECK(rated.at("makes valid calls") == 7.0 / 8);
  CHECK(rated.at("does not repeat itself") == 6.0 / 8);
}
