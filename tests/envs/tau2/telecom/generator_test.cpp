#include "envs/tau2/telecom/telecom_generator.hpp"
#include "tests/envs/tau2/telecom/faults.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>

using namespace brewery;
using namespace brewery::tau2;

namespace {

std::vector<telecom_line> some_lines() {
  return {{"C1", "Ann Example", "L11", "555-0101", 4.0},
          {"C2", "Bob Example", "L21", "555-0102", 12.0},
          {"C2", "Bob Example", "L22", "555-0103", 30.0},
          {"C3", "Cy Example", "L31", "555-0104", 60.0},
          {"C4", "Di Example", "L41", "555-0105", 4.0}};
}

std::vector<generated_task> tasks_of(const generator_options& options) {
  INFO("generator seed " << options.seed);
  auto tasks = make_tasks(options, some_lines());
  REQUIRE(tasks);
  return *tasks;
}

const telecom_fault& fault(const std::string& id) {
  const auto* found = find_fault(id);
  INFO(id);
  REQUIRE(found != nullptr);
  return *found;
}

/// Calls `check(task)` for every task of a few seeds.
template <class F>
void for_tasks(F check) {
  for (const std::uint64_t seed : {1u, 2u, 3u})
    for (const auto& task : tasks_of({.seed = seed})) {
      INFO("generator seed " << seed << ", task " << task.id);
      check(task);
    }
}

bool hands_over(const generated_task& task) {
  return std::any_of(task.faults.begin(), task.faults.end(),
                     [](const auto& id) { return fault(id).hand_over; });
}

} // namespace

TEST_CASE("a fault explains a complaint, has a cause, and a way out") {
  std::set<std::string_view> ids;
  for (const auto& row : fault_catalogue()) {
    INFO(row.id);
    CHECK(ids.insert(row.id).second);
    CHECK((row.complaints & (no_service | mobile_data | picture_mms)) != 0);
    CHECK_FALSE(row.cause.empty());
    CHECK(row.remedy.empty() == row.hand_over);
    for (const auto* calls : {&row.cause, &row.remedy, &row.proof})
      for (const auto& call : *calls) {
        CHECK((call.who == "user" || call.who == "assistant"));
        CHECK(json::parse(call.arguments).is_object());
      }
  }
}

TEST_CASE("the faults of a case fit each other and its complaint") {
  for_tasks([](const generated_task& task) {
    std::set<std::string_view> groups;
    std::size_t hand_overs = 0;
    for (const auto& id : task.faults) {
      const auto& row = fault(id);
      CHECK(groups.insert(row.group).second);
      CHECK((row.complaints & task.complaint) != 0);
      CHECK((task.abroad || !row.abroad_only));
      hand_overs += row.hand_over;
    }
    CHECK(hand_overs <= 1);
  });
}

TEST_CASE("no customer has the same faults twice, in whatever split") {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    std::set<std::string> seen, ids;
    for (const auto& task : tasks_of({.seed = seed})) {
      INFO("generator seed " << seed << ", task " << task.id);
      std::string key = task.line.customer_id;
      for (const auto& id : task.faults)
        key += "+" + id;
      CHECK(seen.insert(key).second);
      CHECK(ids.insert(task.id).second);
    }
  }
}

TEST_CASE("each split has the asked size and every number of faults") {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const generator_options options{.seed = seed};
    std::map<std::string, std::map<std::size_t, std::size_t>> counts;
    std::map<std::string, std::size_t> sizes;
    for (const auto& task : tasks_of(options)) {
      ++counts[task.split][task.faults.size()];
      ++sizes[task.split];
    }
    CHECK(sizes
          == std::map<std::string, std::size_t>{
              {"train", 60}, {"eval", 40}, {"test", 60}});
    for (const auto& [split, by_count] : counts) {
      INFO("generator seed " << seed << ", split " << split);
      CHECK(by_count.size() == options.faults_max);
      CHECK(by_count.begin()->first == 1);
      CHECK(by_count.rbegin()->first == options.faults_max);
      CHECK(by_count.at(1) == (sizes[split] + 2) / 3);
    }
  }
}

TEST_CASE("every fault occurs alone in the train split") {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    std::set<std::string> alone;
    for (const auto& task : tasks_of({.seed = seed}))
      if (task.split == "train" && task.faults.size() == 1)
        alone.insert(task.faults.front());
    CHECK(alone.size() == fault_catalogue().size());
  }
}

TEST_CASE("the train split shows complaints, places and all ways to a cure") {
  std::set<std::uint8_t> complaints;
  std::set<bool> abroad;
  std::set<std::string> lines;
  std::set<std::string> remedies;
  for (const auto& task : tasks_of({})) {
    if (task.split != "train") continue;
    complaints.insert(task.complaint);
    abroad.insert(task.abroad);
    lines.insert(task.line.line_id);
    for (const auto& action : task.document["evaluation_criteria"]["actions"])
      remedies.insert(action["name"].get<std::string>());
  }
  CHECK(complaints.size() == 3);
  CHECK(abroad.size() == 2);
  CHECK(lines.size() == some_lines().size());
  for (const char* needed :
       {"reset_apn_settings", "reboot_device", "enable_roaming", "refuel_data",
        "transfer_to_human_agents", "set_network_mode_preference",
        "grant_app_permission"})
    CHECK(remedies.count(needed) == 1);
}

TEST_CASE("a ticket states the facts an agent needs and not the faults") {
  for_tasks([](const generated_task& task) {
    const auto ticket = task.document["ticket"].get<std::string>();
    CHECK_THAT(ticket,
               Catch::Contains("Customer name: " + task.line.full_name)
                   && Catch::Contains("phone number: " + task.line.phone_number)
                   && Catch::Contains(
                       task.abroad ? "current location: abroad, country: "
                                   : "current location: at home"));
    for (const auto& id : task.faults)
      CHECK_THAT(ticket, !Catch::Contains(id));
    for (const auto& action : task.document["evaluation_criteria"]["actions"])
      if (action["name"] == "refuel_data") {
        const double amount = action["arguments"]["gb_amount"];
        const std::string text = json(amount).dump() + " GB";
        CHECK_THAT(ticket, Catch::Contains(text));
      }
  });
}

TEST_CASE("no placeholder of the catalogue is left in a task") {
  for_tasks([](const generated_task& task) {
    CHECK(task.document.dump().find('$') == std::string::npos);
  });
}

TEST_CASE("a case that cannot be cured asks for the hand-over alone") {
  std::size_t seen = 0;
  for_tasks([&seen](const generated_task& task) {
    const auto& criteria = task.document["evaluation_criteria"];
    if (!hands_over(task)) {
      CHECK(criteria["reward_basis"] == json{"ENV_ASSERTION"});
      return;
    }
    ++seen;
    CHECK(criteria["reward_basis"] == json{"ENV_ASSERTION", "ACTION"});
    REQUIRE(criteria["actions"].size() == 1);
    CHECK(criteria["actions"][0]["name"] == "transfer_to_human_agents");
    CHECK(criteria["actions"][0]["compare_args"] == json::array());
  });
  CHECK(seen >= 9); // three kinds, three seeds, in train alone
}

TEST_CASE("a restart comes last and once, if a remedy needs it") {
  for_tasks([](const generated_task& task) {
    if (hands_over(task)) return;
    const bool needed =
        std::any_of(task.faults.begin(), task.faults.end(),
                    [](const auto& id) { return fault(id).reboot; });
    const auto& actions = task.document["evaluation_criteria"]["actions"];
    std::size_t reboots = 0;
    for (const auto& action : actions)
      reboots += action["name"] == "reboot_device";
    CHECK(reboots == (needed ? 1 : 0));
    CHECK((actions.back()["name"] == "reboot_device") == needed);
  });
}

TEST_CASE("tasks are a function of seed and lines") {
  const auto texts = [](std::uint64_t seed) {
    std::string out;
    for (const auto& task : tasks_of({.seed = seed}))
      out += task.split + task.document.dump() + "\n";
    return out;
  };
  CHECK(texts(7) == texts(7));
  CHECK(texts(7) != texts(8));
}

TEST_CASE("options the generator cannot meet are refused with a reason") {
  struct row {
    generator_options options;
    std::vector<telecom_line> lines;
    const char* says;
  };
  const std::vector<telecom_line> one{some_lines().front()};
  const row rows[] = {
      {{.faults_max = 0}, one, "faults_max is 0"},
      {{.faults_max = 7}, one, "faults_max is 7"},
      {{}, {}, "no usable line"},
      {{.train = 100, .faults_max = 1}, one, "on 1 line; ask for fewer tasks"},
  };
  for (const auto& [options, lines, says] : rows) {
    const auto tasks = make_tasks(options, lines);
    REQUIRE_FALSE(tasks);
    CHECK(tasks.error().code == ec::invalid_argument);
    CHECK_THAT(tasks.error().message,
               Catch::Contains(says) && !Catch::Contains("(s)"));
  }
}

TEST_CASE("small splits and few faults are possible") {
  const auto tasks =
      tasks_of({.train = 4, .eval = 0, .test = 3, .faults_max = 2});
  CHECK(tasks.size() == 7);
  for (const auto& task : tasks)
    CHECK(task.faults.size() <= 2);
}
