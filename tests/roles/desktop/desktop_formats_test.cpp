#include "base/rng.hpp"
#include "roles/desktop/formats/gta1_reply.hpp"
#include "roles/desktop/formats/prompt_reply.hpp"
#include "roles/desktop/formats/pyautogui_code.hpp"
#include "roles/desktop/formats/smart_resize.hpp"
#include "roles/desktop/formats/uitars_reply.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>

using namespace brewery;
using namespace brewery::desktop;

namespace {

const grid full_hd{1920, 1080};

std::vector<action> actions_in(const std::string& reply) {
  const auto got = read_prompt_reply(reply);
  if (!got) FAIL(got.error().message);
  return *got;
}

const action done{action::kind::done}, waits{action::kind::wait},
    gives_up{action::kind::fail};

std::string uitars_code(const std::string& written) {
  const auto got =
      read_uitars_reply("Thought: t\nAction: " + written, full_hd, full_hd);
  if (!got) FAIL(got.error().message);
  REQUIRE(got->actions.size() == 1);
  return got->actions[0].code;
}

std::string gta1_code(const std::string& call, std::vector<point> at) {
  const auto plan = read_gta1_plan("```python\n" + call + "\n```");
  if (!plan) FAIL(plan.error().message);
  return gta1_action(*plan, at).code;
}

/// Any text, with much of what parsers trip over.
std::string random_text(brewery::rng& draw,
                        const std::vector<std::string>& parts) {
  std::string out;
  for (auto n = draw.below(12); n > 0; --n)
    out += parts[draw.below(parts.size())];
  return out;
}

} // namespace

// -- the prompt agent
// ----------------------------------------------------------------------

TEST_CASE("each fence of a reply is an action, and so is a word that ends it") {
  using all = std::vector<action>;
  CHECK(actions_in("DONE") == all{done});
  CHECK(actions_in(" FAIL\n") == all{gives_up});
  CHECK(actions_in("I wait.\n```WAIT```") == all{waits});
  CHECK(actions_in("```\nDONE\n```") == all{done});
  CHECK(actions_in("```WAIT\n```") == all{waits});
  CHECK(actions_in("Now:\n```python\nx()\ny()\n```") == all{code("x()\ny()")});
  CHECK(actions_in("```python\nx()\nDONE\n```") == all{code("x()"), done});
  CHECK(actions_in("```python x()```\nthen ```python\ny()```\n```FAIL```")
        == all{code("x()"), code("y()"), gives_up});
  CHECK(actions_in("```x(); DONE```") == all{code("x()"), done});
  CHECK(actions_in("```python\nx(); y();\n```") == all{code("x()\ny()")});
}

TEST_CASE("a semicolon in a Python string or a comment is text") {
  CHECK(actions_in("```python\nw('a; b'); x(\"c;\\\";d\")\n```")[0].code
        == "w('a; b')\nx(\"c;\\\";d\")");
  CHECK(split_statements("w('''a;\nb''');y()") == "w('''a;\nb''')\ny()");
  CHECK(split_statements("x() # it's; so\ny();z()")
        == "x() # it's; so\ny()\nz()");
  CHECK(split_statements("w('open;\ny();z()") == "w('open;\ny()\nz()");
}

TEST_CASE("a reply without an action says what is expected") {
  for (const std::string reply :
       {"", "I am done.", "```", "``` ```", "```python\n\n```", "x() DONE",
        "```python\nx()"}) {
    INFO(reply);
    const auto got = read_prompt_reply(reply);
    REQUIRE_FALSE(got);
    CHECK(got.error().message.find("between ``` fences") != std::string::npos);
  }
}

TEST_CASE("fences of any number and content are read in order") {
  brewery::rng draw{1};
  for (int round = 0; round < 300; ++round) {
    std::string reply = "words; and 'more\n";
    std::vector<action> wanted;
    const auto count = 1 + draw.below(5);
    for (std::uint64_t i = 0; i < count; ++i) {
      switch (draw.below(4)) {
      case 0:
        wanted.push_back(done);
        reply += "```DONE```";
        break;
      case 1:
        wanted.push_back(waits);
        reply += "```text\nWAIT\n```\n";
        break;
      default: {
        const auto text = python_string(
            random_text(draw, {"a", ";", "\"", "'", "\\", "\n", " "}));
        wanted.push_back(code("write(" + text + ")"));
        reply += " it's ```python\n" + wanted.back().code + "\n``` ";
      }
      }
    }
    CHECK(actions_in(reply) == wanted);
  }
}

// -- coordinates
// ----------------------------------------------------------------------

TEST_CASE("the grid is that of the models' preprocessor") {
  const auto resized = [](std::uint32_t w, std::uint32_t h) {
    const auto got = smart_resize({w, h});
    REQUIRE(got);
    return *got;
  };
  CHECK(resized(1920, 1080) == grid{1932, 1092});
  CHECK(resized(1280, 720) == grid{1288, 728});
  CHECK(resized(28 * 100, 28 * 50) == grid{2800, 1400});
  CHECK(resized(14, 2800) == grid{28, 2800}); // halves go to the even one
  CHECK(resized(42, 5600) == grid{56, 5600});
  CHECK(resized(100, 100) == grid{280, 280});
  CHECK(resized(8000, 4000) == grid{5068, 2520});
  CHECK_FALSE(smart_resize({0, 10}));
  CHECK_FALSE(smart_resize({2010, 10}));
}

TEST_CASE(
    "any grid has whole patches, within the limits, of nearly the ratio") {
  brewery::rng draw{2};
  const resize_limits limits;
  for (int round = 0; round < 2'000; ++round) {
    const grid image{static_cast<std::uint32_t>(1 + draw.below(6'000)),
                     static_cast<std::uint32_t>(1 + draw.below(6'000))};
    const auto got = smart_resize(image);
    if (!got) {
      const auto longer = std::max(image.width_px, image.height_px);
      CHECK(longer > 200 * std::min(image.width_px, image.height_px));
      continue;
    }
    CHECK(got->width_px % 28 == 0);
    CHECK(got->height_px % 28 == 0);
    const auto area = std::uint64_t{got->width_px} * got->height_px;
    CHECK(area <= limits.max_pixels);
    CHECK(area >= limits.min_pixels);
  }
}

TEST_CASE("a point of the grid is on the screen, and comes back to a pixel") {
  brewery::rng draw{3};
  for (int round = 0; round < 1'000; ++round) {
    const grid screen{static_cast<std::uint32_t>(300 + draw.below(3'000)),
                      static_cast<std::uint32_t>(300 + draw.below(3'000))};
    const auto from = smart_resize(screen);
    REQUIRE(from);
    const point wanted{static_cast<double>(draw.below(screen.width_px)),
                       static_cast<double>(draw.below(screen.height_px))};
    const point there{
        std::round(wanted.x * from->width_px / screen.width_px),
        std::round(wanted.y * from->height_px / screen.height_px)};
    const auto back = on_screen(there, *from, screen);
    CHECK(std::abs(back.x - wanted.x) <= 1);
    CHECK(std::abs(back.y - wanted.y) <= 1);
  }
  CHECK(on_screen({99'999, -5}, full_hd, full_hd) == point{1919, 0});
}

// -- literal Python
// ----------------------------------------------------------------------

TEST_CASE("a Python string is read as the text that it was written from") {
  brewery::rng draw{4};
  for (int round = 0; round < 500; ++round) {
    const auto text = random_text(
        draw, {"a", "'", "\"", "\\", "\n", "\t", "\r", "\x01", "{}", "\xc3\xa9",
               "\xf0\x9f\x8d\xba", "\\n", "\\x41", ")", ", ", "```"});
    const auto literal = python_string(text);
    CHECK(literal.find('\n') == std::string::npos);
    const auto got = read_python_call("f(" + literal + ", k=" + literal + ")");
    REQUIRE(got);
    CHECK(got->arguments.at(0) == text);
    CHECK(got->named.at("k") == text);
  }
}

TEST_CASE("a call has literal values by place and by name") {
  const auto got =
      read_python_call("agent.do('a' \"b\", -2, 1.5e3, [1, ('x',)], {'k': "
                       "None, 3: True}, r'\\n', "
                       "\n  name=\"\"\"it's\nlong\"\"\", last=False,)");
  REQUIRE(got);
  CHECK(got->name == "agent.do");
  CHECK(json(got->arguments).dump()
        == R"x(["ab",-2,1500.0,[1,["x"]],{"k":null,"3":true},"\\n"])x");
  CHECK(got->named.dump() == R"({"name":"it's\nlong","last":false})");
  CHECK(*got->find(0, "nothing") == "ab");
  CHECK(*got->find(9, "last") == false);
  CHECK(got->find(9, "nothing") == nullptr);
}

TEST_CASE("what is no literal call is refused, whatever it is") {
  for (const std::string text : {"",
                                 "f",
                                 "f(",
                                 "f(1",
                                 "f(x)",
                                 "f(g())",
                                 "f(1 + 2)",
                                 "f(*a)",
                                 "f('a)",
                                 "f(__import__('os'))",
                                 "f(f'{x}')",
                                 "f(1) + 2",
                                 "f(1)(2)",
                                 "1(2)x",
                                 "f(-)",
                                 "f(1.2.3)",
                                 "f({1})",
                                 "f([1)",
                                 "f(lambda: 0)",
                                 "(1)"}) {
    INFO(text);
    CHECK_FALSE(read_python_call(text));
  }
  CHECK_FALSE(read_python_call("f(" + std::string(100, '[')));
  CHECK_FALSE(read_python_call("f('" + std::string(100'000, 'a') + "')"));
}

// -- UI-TARS
// ----------------------------------------------------------------------

TEST_CASE("UI-TARS' actions become code on the screen") {
  const auto from = smart_resize(full_hd);
  const auto got =
      read_uitars_reply("Thought: The menu is open.\nI take it.\nAction: "
                        "click(start_box='(966,546)')",
                        *from, full_hd);
  REQUIRE(got);
  CHECK(got->thought == "The menu is open.\nI take it.");
  CHECK(got->actions == std::vector{code("pyautogui.click(960, 540)")});
  CHECK(uitars_code("left_double(start_box='<|box_start|>(10,20)<|box_end|>')")
        == "pyautogui.click(10, 20, clicks=2, interval=0.1)");
  CHECK(uitars_code("right_single(point='<point>10 20</point>')")
        == "pyautogui.click(10, 20, button='right')");
  CHECK(uitars_code("click(start_box='[10, 20, 30, 40]')")
        == "pyautogui.click(20, 30)");
  CHECK(uitars_code("drag(start_box='(1,2)', end_box='(3,4)')")
        == "pyautogui.moveTo(1, 2)\npyautogui.dragTo(3, 4, duration=1.0, "
           "button='left')");
  CHECK(uitars_code("hotkey(key='ctrl shift Return')")
        == "pyautogui.hotkey('ctrl', 'shift', 'enter')");
  CHECK(uitars_code("hotkey(key='ctrl +')") == "pyautogui.hotkey('ctrl', '+')");
  CHECK(uitars_code("hotkey(key='ctrl+a')") == "pyautogui.hotkey('ctrl', 'a')");
  CHECK(uitars_code("hotkey(key='arrowdown')") == "pyautogui.press('down')");
  CHECK(uitars_code("type(content='it\\'s \\\"x\\\"\\n')")
        == "pyautogui.write('it\\'s \"x\"\\n', interval=0.02)");
  CHECK(uitars_code("type(content='I'm (here)')")
        == "pyautogui.write('I\\'m (here)', interval=0.02)");
  CHECK(uitars_code("scroll(start_box='(5,6)', direction='down')")
        == "pyautogui.moveTo(5, 6)\npyautogui.scroll(-5)");
  CHECK(uitars_code("scroll(direction='left', start_box='(5,6)')")
        == "pyautogui.moveTo(5, 6)\npyautogui.hscroll(5)");
}

TEST_CASE("UI-TARS ends, waits, gives up and calls for help in its words") {
  const auto only = [](const std::string& written) {
    const auto got = read_uitars_reply("Action: " + written, full_hd, full_hd);
    REQUIRE(got);
    REQUIRE(got->actions.size() == 1);
    return std::pair{got->actions[0], got->calls_user};
  };
  CHECK(only("finished(content='All done.')") == std::pair{done, false});
  CHECK(only("finished()") == std::pair{done, false});
  CHECK(only("wait()") == std::pair{waits, false});
  CHECK(only("error_env()") == std::pair{gives_up, false});
  CHECK(only("call_user()") == std::pair{waits, true});
}

TEST_CASE("several actions of UI-TARS are apart, words after them are none") {
  const auto got = read_uitars_reply(
      "Thought: x\nAction: click(start_box='(1,2)')\n\ntype(content='a')\n\n"
      "That should do.",
      full_hd, full_hd);
  REQUIRE(got);
  CHECK(got->actions
        == std::vector{code("pyautogui.click(1, 2)"),
                       code("pyautogui.write('a', interval=0.02)")});
}

TEST_CASE("what UI-TARS must not write is named") {
  for (const auto& [reply, says] :
       std::vector<std::pair<std::string, std::string>>{
           {"Thought: hm", "begins with 'Action:'"},
           {"Action: ", "begins with"},
           {"Action: jump(start_box='(1,2)')", "jump: is not known"},
           {"Action: click()", "click: needs start_box"},
           {"Action: click(start_box='here')", "click: needs start_box"},
           {"Action: drag(start_box='(1,2)')", "end_box"},
           {"Action: scroll(start_box='(1,2)')", "direction"},
           {"Action: type()", "content"},
           {"Action: hotkey(key=' ')", "key='ctrl c'"},
           {"Action: click(start_box='(1,2)'", "cannot be read"}}) {
    INFO(reply);
    const auto got = read_uitars_reply(reply, full_hd, full_hd);
    REQUIRE_FALSE(got);
    CHECK(got.error().code == ec::malformed);
    CHECK(got.error().message.find(says) != std::string::npos);
  }
}

// -- GTA1
// ----------------------------------------------------------------------

TEST_CASE("a plan has its observation, its thought and one call") {
  const auto plan = read_gta1_plan(
      "(Observation)\nThe File menu\nis open.\n\n(Thought)\nI save.\n\n"
      "```python\nagent.click(\"the item Save As\", 1, \"left\")\n```");
  REQUIRE(plan);
  CHECK(plan->observation == "The File menu\nis open.");
  CHECK(plan->thought == "I save.");
  CHECK(plan->line == "agent.click(\"the item Save As\", 1, \"left\")");
  CHECK(plan->places == std::vector<std::string>{"the item Save As"});
}

TEST_CASE("GTA1's methods become code with the places that were found") {
  CHECK(gta1_code("agent.click('x', num_clicks=2, button_type='right', "
                  "hold_keys=['ctrl'])",
                  {{1, 2}})
        == "pyautogui.keyDown('ctrl')\npyautogui.click(1, 2, clicks=2, "
           "interval=0.1, button='right')\npyautogui.keyUp('ctrl')");
  CHECK(gta1_code("agent.click('x', 99)", {{1, 2}})
        == "pyautogui.click(1, 2, clicks=3, interval=0.1)");
  CHECK(gta1_code("agent.type('field', 'a\"b', True, enter=True)", {{3, 4}})
        == "pyautogui.click(3, 4)\npyautogui.hotkey('ctrl', 'a')\n"
           "pyautogui.press('backspace')\npyautogui.write('a\"b', "
           "interval=0.02)\npyautogui.press('enter')");
  CHECK(gta1_code("agent.type(text='x')", {})
        == "pyautogui.write('x', interval=0.02)");
  CHECK(gta1_code("agent.scroll('list', -3)", {{5, 6}})
        == "pyautogui.moveTo(5, 6)\npyautogui.scroll(-3)");
  CHECK(gta1_code("agent.drag_and_drop('a', 'b')", {{1, 2}, {3, 4}})
        == "pyautogui.moveTo(1, 2)\npyautogui.dragTo(3, 4, duration=1.0, "
           "button='left')");
  CHECK(gta1_code("agent.hotkey(['Ctrl', 'S'])", {})
        == "pyautogui.hotkey('ctrl', 's')");
  CHECK(gta1_code("agent.hold_and_press(['shift'], ['down', 'down'])", {})
        == "pyautogui.keyDown('shift')\npyautogui.press('down')\n"
           "pyautogui.press('down')\npyautogui.keyUp('shift')");
  CHECK(gta1_code("agent.switch_applications('it\\'s')", {})
        == "import subprocess\nsubprocess.run(['wmctrl', '-a', 'it\\'s'])");
  CHECK(gta1_code("agent.wait(1e9)", {}) == "time.sleep(10)");
  const auto ends = [](const std::string& call) {
    return gta1_action(*read_gta1_plan(call), {});
  };
  CHECK(ends("agent.done(return_value='x')") == done);
  CHECK(ends("Thought\n```python\nagent.fail()\n```") == gives_up);
}

TEST_CASE("a plan without a call that can be made says why") {
  for (const auto& [reply, says] :
       std::vector<std::pair<std::string, std::string>>{
           {"I click.", "it has no action"},
           {"```python\nos.remove('x')\n```", "it has no action"},
           {"```python\nagent.explode()\n```", "there is no such action"},
           {"```python\nagent.click(1)\n```", "needs instruction"},
           {"```python\nagent.click(x)\n```", "cannot be read"},
           {"```python\nagent.drag_and_drop('a')\n```", "ending_description"},
           {"```python\nagent.hotkey([])\n```", "needs keys"},
           {"```python\nagent.hold_and_press(['a'])\n```", "press_keys"},
           {"```python\nagent.open()\n```", "needs a name"}}) {
    INFO(reply);
    const auto got = read_gta1_plan(reply);
    REQUIRE_FALSE(got);
    CHECK(got.error().message.find(says) != std::string::npos);
  }
}

TEST_CASE("a judge names a plan that there is") {
  CHECK(*read_gta1_choice("{\"explaining\": \"a\", \"index\": 2}", 3) == 2);
  CHECK(*read_gta1_choice("So:\n```json\n{\"index\": 0}\n```", 1) == 0);
  for (const std::string bad :
       {"2", "{\"index\": 3}", "{\"index\": -1}", "{\"index\": \"1\"}",
        "{\"index\": 1.5}", "{}", "the first"}) {
    INFO(bad);
    CHECK_FALSE(read_gta1_choice(bad, 3));
  }
}

TEST_CASE("a grounding model's point is on the screen") {
  const auto from = smart_resize(full_hd);
  CHECK(*read_gta1_point("(966, 546)", *from, full_hd) == point{960, 540});
  CHECK(*read_gta1_point("It is at 2 o'clock: (1932,1092)", *from, full_hd)
        == point{1919, 1079});
  CHECK_FALSE(read_gta1_point("(12)", *from, full_hd));
  CHECK_FALSE(read_gta1_point("nowhere", *from, full_hd));
}

TEST_CASE("no reply of any kind can break a reader") {
  brewery::rng draw{5};
  const std::vector<std::string> parts{
      "Action:",  "Thought:", "click(", "start_box=", "'",      "\"",
      "(1,2)",    ")",        "```",    "python\n",   "agent.", "type(",
      "content=", "\\",       "\n",     ";",          "{",      "}",
      "[",        "index",    ":",      "9e999",      "-",      "\xff",
      "\\u12",    "DONE",     ","};
  for (int round = 0; round < 3'000; ++round) {
    const auto text = random_text(draw, parts) + random_text(draw, parts);
    if (const auto got = read_prompt_reply(text)) CHECK_FALSE(got->empty());
    if (const auto got = read_uitars_reply(text, full_hd, full_hd))
      CHECK(got->actions.size() <= 16);
    if (const auto got = read_gta1_plan(text)) CHECK_FALSE(got->line.empty());
    if (const auto got = read_gta1_choice(text, 2)) CHECK(*got < 2);
    if (const auto got = read_gta1_point(text, full_hd, full_hd))
      CHECK(got->x < 1920);
  }
}
