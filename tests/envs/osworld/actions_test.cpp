#include "envs/osworld/actions/action.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::osworld;

TEST_CASE("osworld: '<' is typed by the shifted comma") {
  const auto [given, wanted] = GENERATE(table<std::string, std::string>(
      {{"pyautogui.press('<')", R"(pyautogui.hotkey("shift", ","))"},
       {R"(pyautogui.press("\u003c"))", R"(pyautogui.hotkey("shift", ","))"},
       {"pyautogui.typewrite('a<b')",
        R"(pyautogui.typewrite('a'); pyautogui.hotkey("shift", ","); )"
        "pyautogui.typewrite('b')"},
       {R"(pyautogui.write("<\n"))",
        R"(pyautogui.hotkey("shift", ","); pyautogui.write("\n"))"},
       {"pyautogui.typewrite('it\\'s <')",
        R"(pyautogui.typewrite('it\'s '); pyautogui.hotkey("shift", ","))"},
       {"x = 1 < 2", "x = 1 < 2"},
       {"pyautogui.press('a')", "pyautogui.press('a')"}}));
  CHECK(with_typed_less_than(given) == wanted);
}

TEST_CASE("osworld: computer_13 becomes code") {
  const auto [given, wanted] = GENERATE(table<std::string, std::string>(
      {{R"({"action_type": "CLICK"})", "pyautogui.click()"},
       {R"({"action_type": "CLICK", "x": 1, "y": 2.5, "button": "right"})",
        "pyautogui.click(x=1, y=2.5, button='right')"},
       {R"({"action_type": "CLICK", "parameters": {"x": 1, "y": 2,
            "num_clicks": 2}})",
        "pyautogui.click(x=1, y=2, clicks=2)"},
       {R"({"action_type": "TYPING", "text": "it's"})",
        R"(pyautogui.typewrite("it's"))"},
       {R"({"action_type": "HOTKEY", "keys": ["ctrl", "s"]})",
        "pyautogui.hotkey('ctrl', 's')"},
       {R"({"action_type": "SCROLL", "dy": -3})", "pyautogui.vscroll(-3)"},
       {R"({"action_type": "KEY_DOWN", "key": "Shift"})",
        "pyautogui.keyDown('Shift')"}}));
  const auto action = computer_13_action(json::parse(given));
  REQUIRE(action);
  CHECK(action->code == wanted);
}

TEST_CASE("osworld: an action that makes no sense is told to the agent") {
  const auto given =
      GENERATE(as<std::string>{},
               R"({"action_type": "PRESS", "key": "'); import os; ('"})",
               R"({"action_type": "CLICK", "x": "1; import os", "y": 2})",
               R"({"action_type": "CLICK", "x": 1})",
               R"({"action_type": "CLICK", "button": "'"})",
               R"({"action_type": "HOTKEY", "keys": []})",
               R"({"action_type": "FLY"})", R"({})", R"([])");
  const auto action = computer_13_action(json::parse(given));
  INFO(given);
  REQUIRE_FALSE(action);
  CHECK(action.error().code == ec::invalid_argument);
}

TEST_CASE("osworld: both spaces have wait, done and fail") {
  for (const auto space :
       {action_space::pyautogui, action_space::computer_13}) {
    CHECK(action_of(space, "wait", {})->kind == action_kind::wait);
    CHECK(action_of(space, "done", {})->kind == action_kind::done);
    CHECK(action_of(space, "fail", {})->kind == action_kind::fail);
    CHECK(action_tools(space).size() == 4);
  }
  CHECK_FALSE(action_of(action_space::pyautogui, "computer_13", {}));
  CHECK_FALSE(
      action_of(action_space::pyautogui, "pyautogui", {{"code", "  "}}));
}
