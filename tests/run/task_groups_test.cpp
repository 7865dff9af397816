#include "run/report/task_groups.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

std::vector<arm_result> arms_over(std::vector<std::string> ids,
                                  task_rewards before, task_rewards after) {
  evaluation_record first{"no KB", "test", {}, std::move(before)};
  for (auto& id : ids)
    first.tasks.push_back({std::move(id)});
  auto second = first;
  second.name = "learned, mcts";
  second.rewards = std::move(after);
  return compare_arms({first, second}, 1);
}

} // namespace

TEST_CASE("a composed id tells its group and its parts") {
  const auto ours = parts_of_task({"no_service/L1/overdue_bill+airplane_mode"});
  CHECK(ours.group == "no_service");
  CHECK(ours.parts
        == std::vector<std::string>{"overdue_bill", "airplane_mode"});
  const auto official =
      parts_of_task({"[mms_issue]bad_vpn|data_off[PERSONA:Hard]"});
  CHECK(official.group == "mms_issue");
  CHECK(official.parts == std::vector<std::string>{"bad_vpn", "data_off"});
  CHECK(parts_of_task({"blanks-fill-down"}).group == "blanks");
  CHECK(parts_of_task({"blanks-fill-down"}).parts.empty());
}

TEST_CASE("ids that are numbers tell no group") {
  CHECK(parts_of_task({"12"}).group.empty());
  CHECK(parts_of_task({"13-1"}).group.empty());
  CHECK(parts_of_task({"CF_132"}).group.empty());
  CHECK(
      success_by_group(arms_over({"1", "2"}, {{0}, {0}}, {{1}, {0}})).empty());
  CHECK(success_by_group({}).empty());
}

TEST_CASE("numbers within an id tell no part and no group") {
  CHECK(parts_of_task({"easy/12"}).group == "easy");
  CHECK(parts_of_task({"easy/12"}).parts.empty());
  CHECK(parts_of_task({"12/easy"}).group.empty());
  CHECK(parts_of_task({"[3]1|sim|\u00fc"}).parts
        == std::vector<std::string>{"sim", "\u00fc"});
  CHECK(success_by_part(arms_over({"easy/1", "hard/1", "easy/2"},
                                  {{0}, {0}, {0}}, {{1}, {0}, {0}}))
            .empty());
}

TEST_CASE("success is counted by group, and by each part of a task") {
  const auto arms = arms_over({"a/1/x+y", "b/2/y", "a/3/z"}, {{0}, {1}, {}},
                              {{1, 0}, {1}, {0}});
  const auto groups = success_by_group(arms);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].name == "a");
  CHECK(groups[0].tasks == 2);
  CHECK(groups[0].success
        == std::vector<std::optional<double>>{0, 0.25}); // without ungraded
  const auto parts = success_by_part(arms);
  REQUIRE(parts.size() == 3);
  CHECK(parts[1].name == "y");
  CHECK(parts[1].success == std::vector<std::optional<double>>{0.5, 0.75});
  CHECK(parts[2].success == std::vector<std::optional<double>>{{}, 0});
}

TEST_CASE("groups of one task each tell nothing more than the tasks") {
  CHECK(
      success_by_group(arms_over({"test-1", "test-2"}, {{0}, {0}}, {{1}, {0}}))
          .empty()); // one group
  CHECK(success_by_group(arms_over({"one", "two"}, {{0}, {0}}, {{1}, {0}}))
            .empty());
}

TEST_CASE("a group's success that leaves attempts out says which share") {
  const auto arms =
      arms_over({"a/1", "a/2", "b/1"}, {{1}, {0}, {}}, {{1}, {}, {1}});
  const auto text = groups_text(arms, "task group", success_by_group(arms));
  CHECK_THAT(text, Catch::Contains("| a | 2 | 50.0 % | 100.0 % (50.0 % no "
                                   "score) |"));
  CHECK_THAT(text, Catch::Contains("| b | 1 | unknown | 100.0 % |"));
}
