#include "base/fields.hpp"
#include "base/ids.hpp"
#include "base/result.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <unordered_set>

using namespace brewery;

namespace {

struct sample {
  std::uint32_t count = 0;
  std::string name;
  task_id task;
  BREWERY_FIELDS(sample, count, name, task)
};

struct single {
  int only = 0;
  BREWERY_FIELDS(single, only)
};

result<int> parse_digit(char c) {
  if (c < '0' || c > '9') return error{ec::malformed, "not a digit"};
  return c - '0';
}

} // namespace

TEST_CASE("a result holds a value or an error") {
  const auto good = parse_digit('7');
  REQUIRE(good);
  CHECK(*good == 7);
  const auto bad = parse_digit('x');
  REQUIRE_FALSE(bad);
  CHECK(bad.error().code == ec::malformed);
  CHECK(to_string(bad.error()) == "malformed: not a digit");
}

TEST_CASE("a result moves what cannot be copied") {
  result<std::unique_ptr<int>> held{std::make_unique<int>(3)};
  const std::unique_ptr<int> taken = *std::move(held);
  CHECK(*taken == 3);
  const result<std::string> text{std::string{"abc"}};
  CHECK(text->size() == 3);
}

TEST_CASE("a result without value knows success and failure") {
  CHECK(result<void>{});
  const result<void> failed{error{ec::io, "refused"}};
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message == "refused");
}

TEST_CASE("every error code has its own name and stable number") {
  std::set<std::string_view> names;
  for (int i = 0; i <= 15; ++i)
    names.insert(to_string(static_cast<ec>(i)));
  CHECK(names.size() == 16);
  CHECK(names.count("unknown error") == 0);
  CHECK(to_string(static_cast<ec>(200)) == "unknown error");
  CHECK(static_cast<int>(ec::corrupt) == 10); // stored in event logs
}

TEST_CASE("ids of one representation are different types") {
  STATIC_REQUIRE_FALSE(std::is_same_v<task_id, job_id>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<task_id, job_id>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<std::string, task_id>);
  STATIC_REQUIRE(is_strong_id<node_id>);
  STATIC_REQUIRE_FALSE(is_strong_id<std::string>);
}

TEST_CASE("ids are ordered and hashable") {
  CHECK(node_id{1} < node_id{2});
  CHECK(task_id{"a"} == task_id{"a"});
  const std::unordered_set<task_id> set{{"a"}, {"b"}, {"a"}};
  CHECK(set.size() == 2);
}

TEST_CASE("a described struct lists its fields in order") {
  const sample value{3, "x", {"t"}};
  std::vector<std::string> names;
  sample::each(value, [&](auto... fields) {
    (names.emplace_back(fields.name), ...);
    return 0;
  });
  CHECK(names == std::vector<std::string>{"count", "name", "task"});
  CHECK(std::string{sample::type_name} == "sample");
  CHECK(described<sample>);
  CHECK_FALSE(described<int>);
}

TEST_CASE("fields refer to the members") {
  sample value;
  sample::each(value, [](auto count, auto name, auto task) {
    count.value = 5;
    name.value = "set";
    task.value = {"t"};
    return 0;
  });
  CHECK(value == sample{5, "set", {"t"}});
  CHECK_FALSE(value == sample{6, "set", {"t"}});
  const single four{4};
  const auto sum = single::each(four, [](auto only) { return only.value; });
  CHECK(sum == 4);
}
