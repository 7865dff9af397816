#include "envs/tau2/tau2_benchmark.hpp"
#include "roles/model/llm_judge.hpp"
#include "roles/model/llm_reflector.hpp"
#include "roles/model/trajectory_text.hpp"
#include "tests/roles/scripted_model.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

trajectory_step said(const std::string& who, const std::string& words) {
  return {who, std::string{words_tool}, "", words, false, false, ""};
}

std::string text_of(const std::vector<trajectory_step>& steps,
                    const std::vector<tool_spec>* tools = nullptr) {
  return steps_text(steps, {}, tools);
}

/// A case of the example desk, played to its end with these calls.
struct recorded {
  task_info task;
  std::string briefing;
  std::vector<tool_spec> tools;
  std::vector<trajectory_step> steps;
  grade_report grade;
};

recorded play_example(const std::vector<std::string>& calls) {
  const auto desk = tau2::load_tau2(
      "tau2-telecom", std::string{BREWERY_SOURCE_DIR} + "/examples/telecom");
  REQUIRE(desk);
  recorded out;
  out.task = (*desk)->tasks().front();
  const auto env = (*desk)->make(out.task.id);
  REQUIRE(env);
  out.briefing = (*env)->briefing();
  out.tools = (*env)->tools();
  for (const auto& name : calls) {
    const auto turn = (*env)->take_turn({"", {{"c", name, json::object()}}});
    REQUIRE(turn);
    out.steps.insert(out.steps.end(), turn->events.begin(), turn->events.end());
  }
  const auto grade = (*env)->grade();
  REQUIRE(grade);
  out.grade = *grade;
  return out;
}

} // namespace

TEST_CASE("the end of a conversation is told, not spelled as a token") {
  CHECK(text_of({said("user", "Thanks, bye. ###STOP###")})
        == "[0] user said: Thanks, bye.\n    and ended the conversation\n");
  CHECK(text_of({said("user", "###TRANSFER###")})
        == "[0] user ended the conversation: handed over to a person\n");
  CHECK(text_of({said("user", "Hm. ###OUT-OF-SCOPE###")})
        == "[0] user said: Hm.\n    and ended the conversation: the scenario "
           "says no more\n");
  CHECK(text_of({said("assistant", "###STOP###")})
        == "[0] assistant ended its work\n");
  CHECK(text_of({said("user", "Use ### and STOP.")})
        == "[0] user said: Use ### and STOP.\n");
}

TEST_CASE("a call that ends the work is told as its end, unless it failed") {
  const std::vector<tool_spec> tools{
      reads("check"), {"assistant", "finish", tool_kind::finish, "", {}}};
  auto end = observed("finish", "ok");
  CHECK(text_of({observed("check", "on"), end}, &tools)
        == "[0] assistant called check with {}\n    answer: on\n"
           "[1] assistant called finish with {}\n    answer: ok\n"
           "    and ended its work\n");
  end.failed = true;
  CHECK_FALSE(contains(text_of({end}, &tools), "ended"));
}

TEST_CASE("of a long answer the beginning and the end are shown") {
  const auto lines_of = [](std::size_t bytes) {
    return "Sheet1" + std::string(bytes, '.') + "KeyError: 'B7'";
  };
  const auto whole = lines_of(8'100); // as much as a kernel shows
  CHECK(contains(text_of({observed("run", whole)}), "answer: " + whole + "\n"));
  const auto cut = text_of({observed("run", lines_of(20'000))});
  CHECK(contains(cut, "answer: Sheet1..."));
  CHECK(contains(cut, "...KeyError: 'B7'\n"));
  CHECK(contains(cut, "\n[... 11700 bytes left out ...]\n"));
}

TEST_CASE("judge and reflector are told the task in the agent's words") {
  const std::vector<trajectory_step> steps{observed("check", "fan: off")};
  const grade_report grade{};
  const auto shown = [&](const task_info& task) {
    return attempt_texts({task, steps, grade});
  };
  const auto told = shown({{"t"}, "Sum up.\nCells to answer: B7", "Sum up."});
  CHECK(told.at("task") == lines{"Sum up.\nCells to answer: B7"});
  CHECK(told.at("wish") == lines{""});
  const auto untold = shown({{"t"}, "", "No data."});
  CHECK(untold.at("task") == lines{""});
  CHECK(untold.at("wish") == lines{"No data."});
  // An agent to whom a user speaks first is told nothing else.
  const std::vector<trajectory_step> talk{said("user", "Hello?")};
  const auto heard = attempt_texts({{{"t"}, "No data."}, talk, grade});
  CHECK(heard.at("task") == lines{""});
  CHECK(heard.at("wish") == lines{"No data."});
}

TEST_CASE("what a user wanted is not called what the agent was asked") {
  const task_info task{{"t"}, "", "No data."};
  const std::vector<trajectory_step> steps{observed("check", "fan: off")};
  const grade_report grade{};
  job_context context;
  const auto model = replies_in_turn({says("")});
  (void)llm_judge{asker_of("judge", kit_of(model)),
                  {{"looks", "Does it look?", "yes", "no"}}}
      .rate({task, steps, grade}, context);
  const auto& user = model->request(0).messages[1].content;
  CHECK(contains(user, "What its user wanted. The agent was not told this"));
  CHECK(contains(user, "No data."));
  CHECK_FALSE(contains(user, "What the agent was asked"));
}

TEST_CASE("an attempt at the example desk is shown whole, to its end") {
  const auto played =
      play_example({"check_status_bar", "toggle_airplane_mode", "done"});
  graded_attempt attempt{played.task, played.steps, played.grade};
  attempt.briefing = played.briefing;
  attempt.tools = &played.tools;
  const auto model = replies_in_turn({says("")});
  job_context context;
  const llm_reflector learner{asker_of("reflector", kit_of(model)), 8};
  REQUIRE_FALSE(learner.reflect(attempt, {}, context));
  const auto& system = model->request(0).messages[0].content;
  const auto& user = model->request(0).messages[1].content;
  CHECK(contains(system, "name=\"briefing\">\n<instructions>\nYou work at a "
                         "company's customer desk and settle one ticket.\n"));
  // The example has no policy, so nothing is said to be binding.
  CHECK_FALSE(contains(system, "policy"));
  CHECK(contains(system, "- refuel_data(customer_id, line_id, gb_amount): "));
  CHECK(contains(system, "- get_bills_for_customer(customer_id, limit?): "));
  CHECK(contains(user, "[0] assistant called check_status_bar with {}\n"
                       "    answer: "));
  CHECK(contains(user, "[2] assistant ended its work\n"));
  CHECK_FALSE(contains(user, "###"));
  CHECK(contains(user, "NOT met: "));
}
