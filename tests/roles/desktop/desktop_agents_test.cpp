/// The agents on a language model that see a desktop, against scripted models
/// that write their formats.

#include "base/rng.hpp"
#include "roles/desktop/agents/desktop_notes.hpp"
#include "roles/desktop/agents/gta1_agent.hpp"
#include "roles/desktop/agents/uitars_agent.hpp"
#include "roles/make_roles.hpp"
#include "tests/roles/desktop/fake_desktop.hpp"
#include "tests/roles/scripted_model.hpp"

using namespace brewery;
using namespace brewery::test;
using desktop::within_tokens;

namespace {

using fake_item = fake_desktop::item;

const task_info ruler_task{task_id{"t"}, "Turn on {the} Ruler."};
const std::string braces_note =
    "# Rulers\n\nPress {View}, {{task}} and {0}; 100 %s.";

fake_desktop some_desktop() {
  return {{{"View", "Ruler"},
           {"View", "Grid"},
           {"File", "Title", fake_item::kind::dialog}},
          "Ruler on"};
}

/// What an attempt came to, and what its model was asked.
struct desktop_trial {
  std::shared_ptr<scripted_model> model;
  job_context context{.job = job_id{"job-1"}};
  agent_options options{};
  lines notes{};

  result<trajectory> play(environment& env, const std::string& format) {
    role_options all;
    all.agent = options;
    all.agent.kind = "llm";
    all.agent.format = format;
    all.agent.llm.model = "m";
    all.agent.grounder_model = format == "gta1" ? "finder" : "";
    const auto made = make_roles(all, "osworld", model);
    if (!made) FAIL(made.error().message);
    retrieval_session retrieval{std::make_shared<kb_index>(*library_of(notes)),
                                3};
    return made->roles.agent->attempt(ruler_task, env, retrieval, 1, context);
  }
};

std::size_t images_in(const chat_request& request) {
  std::size_t out = 0;
  for (const auto& message : request.messages)
    out += message.images.size();
  return out;
}

std::string python(const std::string& code) {
  return "I see the window, and go on.\n```python\n" + code + "\n```";
}

/// GTA1's three models: planner, judge and grounding model. `plan(step, n)` is
/// the n-th sample of a step.
std::shared_ptr<scripted_model>
gta1_models(const std::function<std::string(std::size_t, std::uint32_t)>& plan,
            const std::string& choice, const std::string& place) {
  return std::make_shared<scripted_model>([=](const model_call& call) {
    const auto& chat = std::get<chat_request>(call.request);
    if (call.role == "grounder") return answered(says(place));
    if (contains(chat.messages[0].content, "You choose the next step"))
      return answered(says(choice));
    std::size_t step = 0;
    for (const auto& message : chat.messages)
      step += message.role == chat_role::assistant ? 1 : 0;
    return answered(says(plan(step, call.number)));
  });
}

} // namespace

TEST_CASE("the prompt agent sees, acts and ends") {
  auto env = some_desktop();
  desktop_trial who{replies_in_turn({says(python("pyautogui.click(50, 10)")),
                                     says(python("pyautogui.click(50, 30)")),
                                     says("```DONE```")})};
  const auto played = who.play(env, "prompt");
  if (!played) FAIL(played.error().message);
  CHECK(played->cut_short.empty());
  CHECK(env.called == lines{"pyautogui", "pyautogui", "done"});
  CHECK(env.grade()->reward == 1);
  REQUIRE(played->steps.size() == 3);
  const auto& opened = played->steps[0];
  CHECK(opened.tool == "pyautogui");
  CHECK(opened.mutates);
  CHECK(opened.reason == "I see the window, and go on.");
  // In place of the tree: what changed; and the screenshot's hash.
  CHECK(contains(opened.observation, "+ check-menu-item \"Ruler\""));
  CHECK(contains(opened.observation, "screenshot "));
  CHECK_FALSE(contains(opened.observation, "frame\tEditor"));
  CHECK(contains(played->steps[1].observation, "- check-menu-item \"Ruler\""));
}

TEST_CASE("the prompt agent is shown the last three steps, with notes as they "
          "are") {
  auto env = some_desktop();
  std::vector<chat_reply> replies;
  for (int i = 0; i < 6; ++i)
    replies.push_back(says(python("time.sleep(" + std::to_string(i) + ")")));
  replies.push_back(says("```DONE```"));
  desktop_trial who{
      replies_in_turn(replies), {.job = job_id{"j"}}, {}, {braces_note}};
  REQUIRE(who.play(env, "prompt"));
  CHECK(images_in(who.model->request(0)) == 1);
  CHECK(images_in(who.model->request(2)) == 3);
  for (std::size_t n = 3; n < 7; ++n) {
    const auto& request = who.model->request(n);
    CHECK(images_in(request) == 4);
    REQUIRE(request.messages.size() == 8);
    CHECK(contains(request.messages[2].content,
                   "sleep(" + std::to_string(n - 3) + ")"));
    CHECK(contains(request.messages[0].content, braces_note));
    CHECK(contains(request.messages[0].content, ruler_task.instruction));
  }
}

TEST_CASE("the prompt agent can be shown the elements as text") {
  auto env = some_desktop();
  desktop_trial who{replies_in_turn({says("```DONE```")})};
  who.options.observation = "tree";
  REQUIRE(who.play(env, "prompt"));
  CHECK(images_in(who.model->request(0)) == 0);
  CHECK(contains(who.model->request(0).messages[1].content,
                 "menu\tView\t\t(0, 0)\t(100, 20)"));
}

TEST_CASE("a reply without an action twice ends the attempt, which is graded") {
  auto env = some_desktop();
  desktop_trial who{replies_in_turn(
      {says(python("pyautogui.click(50, 10)")), says("Hm."), says("Hm!")})};
  const auto played = who.play(env, "prompt");
  REQUIRE(played);
  CHECK(played->steps.size() == 1);
  CHECK(contains(played->cut_short, "it has no action"));
  CHECK_FALSE(played->broke_off);
}

TEST_CASE("an agent on a desktop whose model says nothing has broken off") {
  for (const std::string format : {"prompt", "ui_tars", "gta1"})
    for (const bool refuses : {false, true}) {
      INFO(format << ' ' << refuses);
      auto env = some_desktop();
      desktop_trial who{std::make_shared<scripted_model>(
          [&](const model_call&) -> result<model_answer> {
            if (refuses) return error{ec::refused_content, "filtered"};
            return answered(says(" "));
          })};
      const auto played = who.play(env, format);
      REQUIRE(played);
      CHECK(played->broke_off);
      CHECK(played->steps.empty());
      CHECK(contains(played->cut_short, refuses ? "filtered" : "not be used"));
    }
}

TEST_CASE("an agent on a desktop ends where its steps end") {
  auto env = some_desktop();
  desktop_trial who{replies_in_turn({says(python("x()\n```\n```WAIT"))})};
  who.options.max_calls = 3;
  const auto played = who.play(env, "prompt");
  REQUIRE(played);
  CHECK(env.called == lines{"pyautogui", "wait", "pyautogui"});
  CHECK(contains(played->cut_short, "after 3 steps"));
}

TEST_CASE("without a screen there is no score") {
  auto env = some_desktop();
  env.blind = true;
  for (const std::string format : {"prompt", "ui_tars", "gta1"}) {
    desktop_trial who{replies_in_turn({says("```DONE```")})};
    const auto played = who.play(env, format);
    REQUIRE_FALSE(played);
    CHECK(played.error().code == ec::environment);
  }
}

TEST_CASE("notes are within their budget, cut at a line's end") {
  const std::string page = "# A\n\n" + std::string(60, 'a') + "\nlast\n";
  CHECK(within_tokens({page, "b"}, 100) == lines{page, "b"});
  CHECK(within_tokens({page, "b"}, 17) == lines{page.substr(0, 65)});
  CHECK(within_tokens({page}, 0).empty());
  CHECK(within_tokens({std::string(100, 'a')}, 5).empty());
  brewery::rng draw{6};
  for (int round = 0; round < 200; ++round) {
    lines texts;
    for (auto n = draw.below(5); n > 0; --n) {
      std::string text;
      for (auto m = draw.below(20); m > 0; --m)
        text += std::string(draw.below(30), 'x') + "\n";
      texts.push_back(text);
    }
    const auto tokens = static_cast<std::uint32_t>(draw.below(200));
    std::size_t size = 0;
    const auto kept = within_tokens(texts, tokens);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      size += kept[i].size();
      CHECK(texts[i].starts_with(kept[i]));
    }
    CHECK(size <= 4 * std::size_t{tokens});
  }
}

TEST_CASE("UI-TARS acts in its grid, with notes before its instruction") {
  auto env = some_desktop();
  // In the grid of 1932 x 1092.
  desktop_trial who{
      replies_in_turn({says("Thought: Menu.\nAction: "
                            "click(start_box='(50,10)')"),
                       says("Thought: Item.\nAction: "
                            "click(start_box='(50,30)')"),
                       says("Thought: So.\nAction: finished(content='x')")}),
      {.job = job_id{"j"}},
      {},
      {braces_note}};
  const auto played = who.play(env, "ui_tars");
  if (!played) FAIL(played.error().message);
  CHECK(env.called == lines{"pyautogui", "pyautogui", "done"});
  CHECK(env.codes[0] == "pyautogui.click(50, 10)");
  CHECK(env.grade()->reward == 1);
  CHECK(played->steps[1].reason == "Item.");
  const auto& request = who.model->request(2);
  REQUIRE(request.messages.size() == 6);
  CHECK(request.messages[0].role == chat_role::system);
  const auto& first = request.messages[1].content;
  CHECK(contains(first, braces_note));
  CHECK(first.find(braces_note) < first.find("## User Instruction"));
  CHECK(first.find("## User Instruction") < first.find(ruler_task.instruction));
  CHECK(request.messages[2].role == chat_role::assistant);
  CHECK(images_in(request) == 3);
}

TEST_CASE("UI-TARS is shown five screenshots, and gives up at its last step") {
  auto env = some_desktop();
  desktop_trial who{replies_in_turn({says("Thought: w\nAction: wait()")})};
  who.options.max_calls = 8;
  REQUIRE(who.play(env, "ui_tars"));
  CHECK(env.called.size() == 8);
  CHECK(env.called.back() == "fail");
  CHECK(who.model->calls.size() == 7);
  CHECK(images_in(who.model->request(6)) == 5);
  CHECK(contains(who.model->request(6).messages[3].content,
                 "earlier screenshot"));
}

TEST_CASE("the last step that a desktop allows is the agent's last one") {
  for (const std::string format : {"ui_tars", "gta1"}) {
    auto env = some_desktop();
    env.steps = 3;
    desktop_trial who{replies_in_turn({says("Thought: w\nAction: wait()")})};
    if (format == "gta1")
      who.model = gta1_models(
          [](std::size_t, std::uint32_t) {
            return std::string{"(Thought)\nw\n```python\nagent.wait(1)\n```"};
          },
          "{\"index\": 0}", "");
    INFO(format);
    REQUIRE(who.play(env, format));
    REQUIRE(env.called.size() == 3);
    CHECK(env.called.back() == "fail");
  }
}

TEST_CASE("UI-TARS waits for help three times, then gives up") {
  auto env = some_desktop();
  desktop_trial who{replies_in_turn({says("Thought: ?\nAction: call_user()")})};
  REQUIRE(who.play(env, "ui_tars"));
  CHECK(env.called == lines{"wait", "wait", "wait", "fail"});
}

TEST_CASE("UI-TARS whose replies cannot be read is done") {
  auto env = some_desktop();
  desktop_trial who{
      replies_in_turn({says("Thought: w\nAction: wait()"), says("I click.")})};
  const auto played = who.play(env, "ui_tars");
  REQUIRE(played);
  CHECK(env.called == lines{"wait", "done"});
  CHECK(who.model->calls.size() == 3);
  CHECK_FALSE(played->broke_off); // it has words

  auto fresh = some_desktop();
  desktop_trial babbler{replies_in_turn({says("I click.")})};
  const auto nothing = babbler.play(fresh, "ui_tars");
  REQUIRE(nothing);
  CHECK(fresh.called.empty()); // to be done it has to begin
  CHECK(nothing->steps.empty());
  CHECK(contains(nothing->cut_short, "not be used"));
}

TEST_CASE("GTA1 draws plans, chooses one, and finds its place") {
  auto env = some_desktop();
  const auto plan = [](std::size_t step, std::uint32_t number) -> std::string {
    if (step == 2) return "```python\nagent.done()\n```";
    if (number % 2 == 1) return "I have no idea."; // is no candidate
    return "(Thought)\nPlan " + std::to_string(number)
           + ".\n```python\nagent.click(\"the thing\")\n```";
  };
  desktop_trial who{
      gta1_models(plan, "{\"explaining\": \"\", \"index\": 1}", "(50, 10)"),
      {.job = job_id{"j"}},
      {},
      {braces_note}};
  who.options.plans = 4;
  const auto played = who.play(env, "gta1");
  if (!played) FAIL(played.error().message);
  CHECK(env.called == lines{"pyautogui", "pyautogui", "done"});
  CHECK(env.codes[0] == "pyautogui.click(50, 10)");
  CHECK(
      contains(played->steps[0].reason, "agent.click(\"the thing\") Plan 2."));
  std::set<std::uint32_t> numbers;
  for (const auto& call : who.model->calls) {
    numbers.insert(call.number);
    const auto& chat = std::get<chat_request>(call.request);
    const bool grounds = call.role == "grounder";
    CHECK(contains(all_text(chat), braces_note) != grounds);
    CHECK(chat.model == (grounds ? "finder" : "m"));
    if (!grounds) continue;
    CHECK(chat.temperature == 0.0);
    CHECK(contains(all_text(chat), "1932 pixels wide and 1092"));
    CHECK(contains(all_text(chat), "the thing"));
    CHECK(images_in(chat) == 1);
  }
  // 4 plans, judge, place; 4 plans, judge, place; 4 plans, judge.
  CHECK(numbers.size() == 17);
  CHECK(*numbers.rbegin() == 16);
}

TEST_CASE("a plan of GTA1's that its model refuses is no candidate") {
  auto env = some_desktop();
  desktop_trial who{std::make_shared<scripted_model>(
      [](const model_call& call) -> result<model_answer> {
        if (call.number == 1) return error{ec::refused_content, "filtered"};
        return answered(says("```python\nagent.done()\n```"));
      })};
  who.options.plans = 3;
  const auto played = who.play(env, "gta1");
  REQUIRE(played);
  CHECK(env.called == lines{"done"});
  CHECK_FALSE(played->broke_off);
}

TEST_CASE("GTA1's planner keeps all plans and five screenshots") {
  auto env = some_desktop();
  desktop_trial who{gta1_models(
      [](std::size_t step, std::uint32_t) {
        return "(Thought)\nStep " + std::to_string(step)
               + ".\n```python\nagent.wait(1)\n```";
      },
      "{\"index\": 0}", "")};
  who.options.plans = 1;
  who.options.max_calls = 9;
  REQUIRE(who.play(env, "gta1"));
  CHECK(env.called.size() == 9);
  CHECK(env.called.back() == "fail");
  const auto& last = who.model->request(7);
  CHECK(images_in(last) == 5);
  CHECK(contains(all_text(last), "Step 0."));
  CHECK(contains(all_text(last), "Step 6."));
}

TEST_CASE(
    "a place that is not found is waited for, a judge's nonsense is not") {
  auto env = some_desktop();
  desktop_trial who{gta1_models(
      [](std::size_t step, std::uint32_t) {
        return step == 1 ? std::string{"```python\nagent.fail()\n```"}
                         : "```python\nagent.click(\"gone\")\n```";
      },
      "all of them", "I cannot see it.")};
  who.options.plans = 2;
  const auto played = who.play(env, "gta1");
  if (!played) FAIL(played.error().message);
  CHECK(env.called == lines{"wait", "fail"});
  CHECK(contains(played->steps[0].reason, "was not found"));
}

TEST_CASE("documents for a desktop have the four parts of the paper") {
  std::string prompt;
  role_options all;
  all.integrator.kind = "llm";
  all.integrator.llm.model = "m";
  const auto model = std::make_shared<scripted_model>([&](const model_call& c) {
    prompt = all_text(std::get<chat_request>(c.request));
    return answered(says("no document"));
  });
  const auto made = make_roles(all, "osworld", model);
  REQUIRE(made);
  integrate_job job;
  job.title = "menus";
  CHECK_FALSE(made->roles.integrator->integrate(job, nullptr, any_job()));
  for (const std::string part : {"**When to use**", "### How to perform",
                                 "### Additional actions", "### Example"})
    CHECK(contains(prompt, part));
  CHECK_FALSE(contains(prompt, "**Why to use it**"));
}
