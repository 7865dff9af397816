#include "envs/tau2/data/results_file.hpp"
#include "tests/envs/scripted_participants.hpp"
#include "tests/envs/tau2/small_store.hpp"

using namespace brewery;
using namespace brewery::tau2;
using namespace brewery::test;

namespace {

trajectory_step words(std::string who, std::string text) {
  return {.requestor = std::move(who),
          .tool = "",
          .arguments = "",
          .observation = std::move(text),
          .reason = ""};
}

trajectory_step call(std::string who, std::string tool, std::string arguments,
                     bool failed = false) {
  return {.requestor = std::move(who),
          .tool = std::move(tool),
          .arguments = std::move(arguments),
          .observation = "seen",
          .failed = failed,
          .reason = ""};
}

rollout_result graded(grade_report grade) {
  rollout_result out;
  out.id = {"r1"};
  out.task = {"data_off"};
  out.grade = std::move(grade);
  out.duration_us = 1'500'000;
  return out;
}

std::vector<json> raw_tasks() {
  return json::parse(small_tasks).get<std::vector<json>>();
}

} // namespace

TEST_CASE("messages are rebuilt from steps, with who said and called what") {
  const auto messages = results_messages(
      {words("assistant", "Hi!"), words("user", "Wait."),
       call("user", "toggle_data", "{}"), words("user", "Now?"),
       call("assistant", "look", R"({"id":"L1"})", true),
       words("assistant", "Yes.")},
      play_mode::with_user);
  REQUIRE(messages.size() == 7);
  CHECK(messages[0]["role"] == "assistant");
  CHECK(messages[0]["content"] == "Hi!");
  CHECK(messages[0]["tool_calls"].is_null());
  CHECK(messages[0]["timestamp"].is_null());
  CHECK(messages[1]["role"] == "user");
  CHECK(messages[1]["content"] == "Wait."); // beside the call that follows
  CHECK(messages[1]["tool_calls"][0]["name"] == "toggle_data");
  CHECK(messages[1]["tool_calls"][0]["requestor"] == "user");
  CHECK(messages[2]["role"] == "tool");
  CHECK(messages[2]["requestor"] == "user");
  CHECK(messages[2]["id"] == messages[1]["tool_calls"][0]["id"]);
  CHECK(messages[3]["content"] == "Now?");
  CHECK(messages[3]["tool_calls"].is_null());
  CHECK(messages[4]["content"].is_null());
  CHECK(messages[4]["tool_calls"][0]["arguments"] == json{{"id", "L1"}});
  CHECK(messages[5]["error"] == true);
  CHECK(messages[6]["turn_idx"] == 6);
}

TEST_CASE("alone, every call is the agent's") {
  const auto messages =
      results_messages({call("user", "toggle_data", "{}")}, play_mode::solo);
  CHECK(messages[0]["role"] == "assistant");
  CHECK(messages[0]["tool_calls"][0]["requestor"] == "assistant");
  CHECK(messages[1]["requestor"] == "assistant");
}

TEST_CASE("how a rollout ended has the reference's name") {
  CHECK(results_ending(graded({1, {}}), play_mode::solo) == "agent_stop");
  CHECK(results_ending(graded({1, {}}), play_mode::with_user) == "user_stop");
  CHECK(results_ending(graded(premature_report(ending::max_steps)),
                       play_mode::with_user)
        == "max_steps");
  CHECK(results_ending(graded(premature_report(ending::unfinished)),
                       play_mode::with_user)
        == "agent_error");
  auto broken = graded({0, {}});
  broken.outcome = rollout_outcome::environment_error;
  CHECK(results_ending(broken, play_mode::solo) == "infrastructure_error");
}

TEST_CASE("findings of graders come back from a real report") {
  const small_store files;
  const auto bench = files.load();
  auto env = bench->make({"data_off"});
  REQUIRE(env.has_value());
  const task& item = *bench->find({"data_off"});
  const auto raw = raw_tasks();
  const auto before =
      results_reward(bench->of(), item, raw[0], graded(*(*env)->grade()));
  CHECK(before["reward"] == 0.0);
  CHECK(before["db_check"] == json{{"db_match", false}, {"db_reward", 0.0}});
  CHECK(before["reward_basis"] == json::array({"ENV_ASSERTION", "DB"}));
  CHECK(before["reward_breakdown"]
        == json{{"DB", 0.0}, {"ENV_ASSERTION", 0.0}});
  REQUIRE(before["env_assertions"].size() == 2);
  CHECK(before["env_assertions"][0]["met"] == false);
  CHECK(before["env_assertions"][1]["met"] == true);
  CHECK(before["env_assertions"][1]["env_assertion"]
        == raw[0]["evaluation_criteria"]["env_assertions"][1]);
  CHECK(before["action_checks"].is_null()); // not graded
  (*env)->call("toggle_data", json::object());
  const auto after =
      results_reward(bench->of(), item, raw[0], graded(*(*env)->grade()));
  CHECK(after["reward"] == 1.0);
  CHECK(after["reward_breakdown"] == json{{"DB", 1.0}, {"ENV_ASSERTION", 1.0}});

  auto second = bench->make({"hand_over"});
  const auto actions = results_reward(bench->of(), *bench->find({"hand_over"}),
                                      raw[1], graded(*(*second)->grade()));
  CHECK(actions["action_checks"][0]["action_match"] == false);
  CHECK(actions["action_checks"][0]["tool_type"] == "generic");
  CHECK(actions["db_check"].is_null());
}

TEST_CASE("what was not graded has no reward, what broke off has 0") {
  const small_store files;
  const auto bench = files.load();
  const task& item = *bench->find({"data_off"});
  const auto raw = raw_tasks();
  auto broken = graded({0, {}});
  broken.outcome = rollout_outcome::environment_error;
  CHECK(results_reward(bench->of(), item, raw[0], broken).is_null());
  const auto cut = results_reward(bench->of(), item, raw[0],
                                  graded(premature_report(ending::timeout)));
  CHECK(cut["reward"] == 0.0);
  CHECK(cut["reward_basis"].is_null());
}

TEST_CASE("a results file has what the reference's reader insists on") {
  const small_store files;
  const auto bench = files.load();
  auto rollout = graded({1, {}});
  rollout.trial = 1;
  auto stranger = rollout;
  stranger.task = {"nobody"};
  const auto document = results_document(*bench,
                                         {.version = "0",
                                          .run = "first",
                                          .arm = "no KB",
                                          .agent_model = "gpt",
                                          .user_model = "",
                                          .seed = 7,
                                          .trials = 2},
                                         raw_tasks(), {rollout, stranger});
  CHECK(document["tasks"].size() == 2);
  REQUIRE(document["simulations"].size() == 1);
  const auto& simulation = document["simulations"][0];
  for (const char* text : {"id", "task_id", "timestamp", "start_time",
                           "end_time", "termination_reason", "mode"}) {
    INFO(text);
    CHECK(simulation[text].is_string());
  }
  CHECK(simulation["duration"] == 1.5);
  CHECK(simulation["trial"] == 1);
  CHECK(simulation["seed"] == 7);
  CHECK(simulation["agent_cost"].is_null());
  const auto& info = document["info"];
  CHECK(info["git_commit"].is_string());
  CHECK(info["num_trials"] == 2);
  CHECK(info["max_steps"] == 100);
  CHECK(info["environment_info"]["domain_name"] == "telecom");
  CHECK(info["agent_info"]["llm"] == "gpt");
  CHECK(info["user_info"]["llm"].is_null());
  CHECK(info["brewery"]["arm"] == "no KB");
  const auto& differences = info["brewery"]["differences"];
  CHECK(differences.size() >= 4);
  const auto says = [&](const char* text) {
    return std::find(differences.begin(), differences.end(), text)
           != differences.end();
  };
  CHECK(says("max_steps 100; the reference's command line uses 200"));
  CHECK(says("attempts also end at agent.max_calls"));
}
