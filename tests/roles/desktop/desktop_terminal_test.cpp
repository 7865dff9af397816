/// The agent without a language model in a terminal: what it tries does not
/// rest on how soon the window is there.

#include "roles/desktop/procedural/desktop_policy.hpp"
#include "roles/desktop/procedural/moves.hpp"
#include "roles/desktop/procedural/shell_commands.hpp"
#include "tests/fixtures/text.hpp"
#include "tests/roles/support.hpp"

using namespace brewery;
using namespace brewery::test;
using namespace brewery::desktop;

namespace {

/// An empty screen. After ctrl+alt+t a window comes, then its menu, and then it
/// takes what is typed: each after `pace` more actions.
class slow_terminal final : public environment {
public:
  explicit slow_terminal(int pace) : pace_(pace) {
    for (const char* name : {"pyautogui", "wait", "done", "fail"})
      tools_.push_back({"assistant", name, tool_kind::write, "", {}});
  }

  const std::vector<tool_spec>& tools() const override { return tools_; }

  tool_result call(std::string_view name, const json& arguments) override {
    if (opened_) ++age_;
    if (name == "wait") ++waits;
    if (name != "pyautogui") return {"", false};
    const auto code = arguments.at("code").get<std::string>();
    if (contains(code, "'alt'")) {
      opened_ = true;
    } else if (contains(code, "write")) {
      typed.push_back(code);
      lost += takes_keys() ? 0 : 1;
    }
    return {"", false};
  }

  result<turn_outcome> take_turn(const turn& move) override {
    auto out = environment::take_turn(move);
    for (const auto& asked : move.calls)
      out->over = out->over || asked.name == "done" || asked.name == "fail";
    return out;
  }

  result<screen> look() override {
    screen out;
    out.png = "p";
    out.width_px = 1920;
    out.height_px = 1080;
    const auto shown = [](const char* tag, const char* name,
                          const char* states) {
      return fmt::format("<{0} name=\"{1}\" st:showing=\"true\" {2} "
                         "cp:screencoord=\"(0, 0)\" cp:size=\"(9, 9)\">",
                         tag, name, states);
    };
    std::string inside;
    if (opened_ && age_ >= pace_) {
      inside = shown("application", "shell", "")
               + shown("frame", "Terminal", "st:active=\"true\"");
      if (age_ >= 2 * pace_)
        inside += shown("push-button", "Find", "") + "</push-button>";
      inside += shown("terminal", "Terminal",
                      takes_keys() ? "st:focused=\"true\"" : "")
                + "</terminal></frame></application>";
    }
    out.accessibility = "<desktop-frame xmlns:st=\"s\" xmlns:cp=\"c\">" + inside
                        + "</desktop-frame>";
    return out;
  }

  result<grade_report> grade() override { return grade_report{}; }

  int waits = 0, lost = 0;
  lines typed;

private:
  bool takes_keys() const { return opened_ && age_ >= 3 * pace_; }

  int pace_;
  bool opened_ = false;
  int age_ = 0;
  std::vector<tool_spec> tools_;
};

struct tried_here {
  lines typed;
  int waits = 0, lost = 0;
};

tried_here tried(int pace, std::uint64_t key, const lines& documents = {}) {
  agent_options options;
  options.max_calls = 60;
  options.explore_writes = 4;
  const procedural_desktop_agent agent{options};
  slow_terminal env{pace};
  retrieval_session retrieval{library_of(documents), 3};
  const task_info task{task_id{"t"}, "Give \"a\" the new name \"b\", my file."};
  const auto got = agent.attempt(task, env, retrieval, key, any_job());
  if (!got) FAIL(got.error().message);
  return {env.typed, env.waits, env.lost};
}

} // namespace

TEST_CASE("a command of one task is the same move in others") {
  const auto task = terms_of("Rename \"a b.txt\" to \"it's\".");
  const auto other = terms_of("Rename \"x\" to \"y.txt\".");
  const call_text move{
      command_tool,
      {{"words", {}, "mv"}, {"first", {}, "a b.txt"}, {"second", {}, "it's"}}};
  CHECK(command_line(move, task) == "mv 'a b.txt' 'it'\\''s'");
  const auto learned = generalised(move, task);
  CHECK(to_text(learned)
        == "command(words=\"mv\", first=<text 1>, second=<text 2>)");
  CHECK(command_line(learned, other) == "mv x y.txt");
  CHECK(command_line(learned, terms_of("Rename \"x\".")).empty());
  CHECK(
      command_line({command_tool, {{"words", {}, "ls\nrm x"}}}, task).empty());
}

TEST_CASE("commands are drawn with the texts of the task") {
  brewery::rng draw{1};
  CHECK_FALSE(random_command(terms_of("Turn it on."), draw));
  const auto task = terms_of("Rename \"a\" to \"b\".");
  std::set<std::string> drawn;
  for (int i = 0; i < 400; ++i)
    drawn.insert(command_line(*random_command(task, draw), task));
  CHECK(drawn.contains("mv a b"));
  CHECK(drawn.contains("mv b a"));
  CHECK(drawn.contains("mkdir b"));
}

TEST_CASE("how soon a terminal comes changes nothing that is tried") {
  std::set<lines> different;
  for (std::uint64_t key = 0; key < 30; ++key) {
    const auto soon = tried(0, key), late = tried(5, key);
    CHECK(soon.typed == late.typed);
    CHECK(late.lost == 0);
    if (!late.typed.empty()) CHECK(late.waits > soon.waits);
    different.insert(soon.typed);
  }
  CHECK(different.size() > 5);
}

TEST_CASE("a rule waits for the terminal that it opens") {
  const auto done = tried(5, 1,
                          {"# Names\n\n1. When `screen()` shows \"application: "
                           "none\" and the task says \"new\": call "
                           "`key(keys=\"ctrl+alt+t\")`, then `command(words="
                           "\"mv\", first=<text 1>, second=<text 2>)`, then "
                           "`done()`.\n"});
  REQUIRE(done.typed.size() == 1);
  CHECK(contains(done.typed[0], "mv a b"));
  CHECK(done.lost == 0);
}
