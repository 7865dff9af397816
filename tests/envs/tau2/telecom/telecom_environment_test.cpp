#include "tests/envs/tau2/small_store.hpp"

#include <thread>

using namespace brewery;
using namespace brewery::tau2;
using namespace brewery::test;

TEST_CASE("solo mode calls either kit by name, and no user") {
  const small_store files;
  const auto bench = files.load();
  auto env = bench->open({"data_off"}, play_mode::solo);
  REQUIRE(env.has_value());
  CHECK((*env)->tools().size() == 44);
  CHECK((*env)->tools().front().requestor == "assistant");
  CHECK((*env)->tools()[42].requestor == "user");
  CHECK((*env)->tools().back().kind == tool_kind::finish);
  CHECK_FALSE((*env)->call("check_sim_status", json::object()).failed);
  CHECK_FALSE((*env)->call("get_details_by_id", {{"id", "P1"}}).failed);
  const auto as_user = (*env)->call_as("user", "toggle_data", json::object());
  CHECK(as_user.failed);
  CHECK(as_user.content
        == "Error: User tool calls are not allowed in solo mode");
}

TEST_CASE("with a user each side has only its own kit") {
  const small_store files;
  const auto bench = files.load();
  auto env = bench->open({"data_off"}, play_mode::with_user);
  REQUIRE(env.has_value());
  CHECK((*env)->tools().size() == 13);
  CHECK((*env)->call("toggle_data", json::object()).content
        == "Error: Tool 'toggle_data' not found.");
  CHECK((*env)->call_as("user", "resume_line", json::object()).content
        == "Error: Tool 'resume_line' not found.");
  CHECK_FALSE((*env)->call_as("user", "toggle_data", json::object()).failed);
  CHECK((*env)->call_as("robot", "toggle_data", json::object()).content
        == "Error: Invalid requestor: robot");
}

TEST_CASE("unknown tools and bad arguments are answered, not thrown") {
  const small_store files;
  auto env = files.load()->make({"data_off"});
  REQUIRE(env.has_value());
  const auto answer = [&](const char* name, const json& arguments) {
    const auto given = (*env)->call(name, arguments);
    CHECK(given.failed);
    return given.content;
  };
  CHECK(answer("nope", json::object()) == "Error: Tool 'nope' not found.");
  CHECK(answer("set_data_usage", json::object())
        == "Error: Tool 'set_data_usage' not found.");
  CHECK(answer("toggle_data", {{"requestor", "user"}})
        == "Error: tau2.environment.environment.Environment.make_tool_call() "
           "got multiple values for keyword argument 'requestor'");
  CHECK(answer("toggle_data", {{"tool_name", 1}, {"self", 2}})
        == "Error: Environment.make_tool_call() got multiple values for "
           "argument 'tool_name'");
  CHECK(answer("toggle_data", {{"a'b", 1}})
        == "Error: TelecomUserTools.toggle_data() got an unexpected keyword "
           "argument 'a'b'");
  CHECK(answer("toggle_data", nullptr)
        == "Error: tau2.environment.environment.Environment.make_tool_call() "
           "argument after ** must be a mapping, not NoneType");
}

TEST_CASE("environments of one benchmark do not see each other's changes") {
  const small_store files;
  const auto bench = files.load();
  const std::string agent = bench->of().initial()->agent_hash();
  auto one = bench->open({"data_off"}, play_mode::solo);
  auto two = bench->open({"data_off"}, play_mode::solo);
  REQUIRE((one.has_value() && two.has_value()));
  const std::string user = (*two)->state().user_hash();
  const auto fresh = bench->of().initial();
  CHECK(state_of((*one)->state())
            .accounts.lines.shares_with(state_of(*fresh).accounts.lines));
  (*one)->call("toggle_airplane_mode", json::object());
  (*one)->call("enable_roaming", {{"customer_id", "C1"}, {"line_id", "L1"}});
  (*one)->call("refuel_data",
               {{"customer_id", "C1"}, {"line_id", "L1"}, {"gb_amount", 1.0}});
  CHECK((*one)->state().agent_hash() != agent);
  CHECK((*one)->state().user_hash() != user);
  CHECK((*two)->state().agent_hash() == agent);
  CHECK((*two)->state().user_hash() == user);
  CHECK(bench->of().initial()->agent_hash() == agent);
  const auto& changed = *state_of((*one)->state()).accounts.lines;
  const auto& base = *state_of(*fresh).accounts.lines;
  CHECK_FALSE(changed[0].shares_with(base[0]));
  CHECK(changed[1].shares_with(base[1])); // only what was written is cloned
}

TEST_CASE("threads may play one benchmark's tasks at the same time") {
  const small_store files;
  const auto bench = files.load();
  const std::string before = bench->of().initial()->agent_hash();
  std::vector<std::string> hashes(4);
  std::vector<std::thread> threads;
  for (auto& hash : hashes)
    threads.emplace_back([&bench, &hash] {
      for (int round = 0; round < 200; ++round) {
        auto env = bench->open({"data_off"}, play_mode::solo);
        (*env)->call("toggle_data", json::object());
        (*env)->call(
            "refuel_data",
            {{"customer_id", "C1"}, {"line_id", "L1"}, {"gb_amount", 1}});
        hash = (*env)->state().agent_hash();
      }
    });
  for (auto& thread : threads)
    thread.join();
  for (const auto& hash : hashes)
    CHECK(hash == hashes.front());
  CHECK(hashes.front() != before);
  CHECK(bench->of().initial()->agent_hash() == before);
}

TEST_CASE("grading names each check and multiplies what the task counts") {
  const small_store files;
  const auto bench = files.load();
  auto env = bench->make({"data_off"});
  REQUIRE(env.has_value());
  const grade_report before = *(*env)->grade();
  CHECK(before.reward == 0);
  REQUIRE(before.parts.size() == 3);
  CHECK(before.parts[0] == grade_part{"database matches", false});
  CHECK(
      before.parts[1]
      == grade_part{"assert_mobile_data_status(expected_status=true)", false});
  CHECK(before.parts[2]
        == grade_part{"assert_no_overdue_bill(overdue_bill_id=\"B7\")", true});
  (*env)->call("toggle_data", json::object());
  CHECK((*env)->grade()->reward == 1);
  CHECK(*(*env)->grade() == *(*env)->grade()); // grading changes nothing
  (*env)->call("toggle_roaming", json::object());
  const grade_report spoilt = *(*env)->grade();
  CHECK_FALSE(spoilt.parts[0].met);
  CHECK(spoilt.parts[1].met);
  CHECK(spoilt.reward == 0);
}

TEST_CASE("an assertion may be expected not to hold, an action to be called") {
  const small_store files;
  auto env = files.load()->make({"hand_over"});
  REQUIRE(env.has_value());
  const grade_report before = *(*env)->grade();
  REQUIRE(before.parts.size() == 2);
  CHECK(before.parts[0]
        == grade_part{"assert_service_status(expected_status=\"connected\") is "
                      "false",
                      true});
  CHECK(before.parts[1]
        == grade_part{"action transfer_to_human_agents", false});
  CHECK(before.reward == 0);
  (*env)->call("transfer_to_human_agents", {{"summary", "anything"}});
  CHECK((*env)->grade()->reward == 1);
}

TEST_CASE("an environment outlives the benchmark's last user") {
  const small_store files;
  auto bench = files.load();
  auto env = bench->make({"data_off"});
  bench.reset();
  REQUIRE(env.has_value());
  (*env)->call("toggle_data", json::object());
  CHECK((*env)->grade()->reward == 1);
}
