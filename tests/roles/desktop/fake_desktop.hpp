#pragma once
/// A desktop of the tests: one window with a menu bar, whose items are on the
/// screen while their menu is open, and a dialog with a text field. It runs the
/// few pyautogui calls that agents write, and shows its state as a screenshot
/// (a PNG's header and a hash) and as an accessibility tree.

#include "base/hash.hpp"
#include "base/text.hpp"
#include "roles/desktop/formats/numbers_in_text.hpp"
#include "roles/desktop/formats/python_call.hpp"
#include "tests/roles/support.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

namespace brewery::test {

class fake_desktop final : public environment {
public:
  struct item {
    std::string menu, name;
    enum class kind : std::uint8_t { check, dialog, plain } what = kind::check;
  };

  /// `wanted`: the grade is 1 if this was done: "Ruler on", "Title=text",
  /// "fail".
  fake_desktop(std::vector<item> items, std::string wanted)
      : items_(std::move(items)), wanted_(std::move(wanted)) {
    for (const auto& each : items_)
      if (menus_.empty() || menus_.back() != each.menu)
        menus_.push_back(each.menu);
    const auto tool = [](const char* name, tool_kind kind) {
      return tool_spec{"assistant", name, kind, "", {}};
    };
    tools_ = {tool("pyautogui", tool_kind::write),
              tool("wait", tool_kind::generic), tool("done", tool_kind::finish),
              tool("fail", tool_kind::finish)};
  }

  const std::vector<tool_spec>& tools() const override { return tools_; }

  tool_result call(std::string_view name, const json& arguments) override {
    called.emplace_back(name);
    if (name == "fail") done_.insert("fail");
    if (name == "pyautogui") {
      codes.push_back(arguments.at("code").get<std::string>());
      for (const auto line : split(codes.back(), '\n'))
        run(line);
    }
    return {"tag\tname\ttext\tposition\nframe\tEditor\t\t(0, 0)\nscreenshot "
                + content_hash(state()),
            false};
  }

  result<turn_outcome> take_turn(const turn& move) override {
    auto out = environment::take_turn(move);
    for (const auto& asked : move.calls)
      out->over = out->over || asked.name == "done" || asked.name == "fail";
    return out;
  }

  result<screen> look() override {
    if (blind) return error{ec::environment, "has no screen"};
    ++looks;
    using namespace std::string_literals;
    screen out;
    out.png = "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x07\x80\0\0\x04\x38"s
              + content_hash(state());
    out.accessibility = with_tree ? xml() : "";
    out.width_px = 1920;
    out.height_px = 1080;
    if (steps) out.steps_left = *steps - called.size();
    return out;
  }

  result<grade_report> grade() override {
    const bool met = done_.contains(wanted_);
    return grade_report{met ? 1.0 : 0.0, {{"wanted state", met}}};
  }

  /// The middle of an element, as code that clicks on it.
  std::string click_on(const std::string& name) const {
    for (const auto& each : elements())
      if (each.name == name)
        return fmt::format("pyautogui.click({}, {})", each.x + 50, each.y + 10);
    return {};
  }

  bool with_tree = true;
  bool blind = false;
  int looks = 0;
  std::optional<std::uint32_t> steps; ///< that it allows
  lines called, codes;

private:
  struct element {
    std::string tag, name, states, text;
    int x = 0, y = 0;
    bool showing = true;
  };

  std::vector<element> elements() const {
    std::vector<element> out;
    for (std::size_t m = 0; m < menus_.size(); ++m) {
      out.push_back({"menu", menus_[m], "", "", static_cast<int>(m) * 100, 0});
      int row = 0;
      for (const auto& each : items_) {
        if (each.menu != menus_[m]) continue;
        const bool check = each.what == item::kind::check;
        out.push_back(
            {check ? "check-menu-item" : "menu-item", each.name,
             done_.contains(each.name + " on") ? " st:checked=\"true\"" : "",
             "", static_cast<int>(m) * 100, 20 + 20 * row++,
             open_ == menus_[m]});
      }
    }
    if (dialog_) {
      out.push_back({"dialog", *dialog_, "", "", 600, 400});
      out.push_back({"text", *dialog_ + " text",
                     " st:editable=\"true\" st:focused=\"true\"", typed_, 600,
                     440});
      out.push_back({"push-button", "OK", "", "", 600, 480});
    }
    return out;
  }

  std::string xml() const {
    std::string out = "<desktop-frame xmlns:st=\"s\" xmlns:cp=\"c\">"
                      "<application name=\"editor\"><frame name=\"Editor\" "
                      "st:active=\"true\" st:showing=\"true\" cp:screencoord="
                      "\"(0, 0)\" cp:size=\"(1920, 1080)\">";
    // The items of a menu are inside of it, on the screen or not.
    bool in_menu = false;
    for (const auto& each : elements()) {
      const bool inside = each.tag.ends_with("menu-item");
      if (in_menu && !inside) out += "</menu>";
      in_menu = inside || each.tag == "menu";
      out += fmt::format("<{} name=\"{}\" st:enabled=\"true\" {}{}>{}",
                         each.tag, each.name, each.states,
                         each.showing ? fmt::format(
                             " st:showing=\"true\" cp:screencoord=\"({}, {})\" "
                             "cp:size=\"(100, 20)\"",
                             each.x, each.y)
                                      : "",
                         each.text);
      if (each.tag != "menu") out += "</" + each.tag + ">";
    }
    if (in_menu) out += "</menu>";
    return out + "</frame></application></desktop-frame>";
  }

  std::string state() const { return xml(); }

  void run(std::string_view line) {
    const auto call = desktop::read_python_call(line);
    if (!call) return;
    if (call->name == "pyautogui.click" && call->arguments.size() >= 2)
      click(call->arguments[0].get<int>(), call->arguments[1].get<int>());
    const auto* text = call->find(0, "message");
    if (call->name == "pyautogui.write" && dialog_ && text != nullptr)
      typed_ += text->get<std::string>();
    if (call->name == "pyautogui.press" && text != nullptr && *text == "enter")
      confirm();
    if (call->name == "pyautogui.press" && text != nullptr && *text == "esc")
      close_all();
  }

  void click(int x, int y) {
    for (const auto& each : elements()) {
      if (!each.showing || x < each.x || x >= each.x + 100 || y < each.y
          || y >= each.y + 20)
        continue;
      if (each.name == "OK") return confirm();
      if (each.tag == "menu") {
        open_ = each.name;
        return;
      }
      return choose(each.name);
    }
    open_.clear();
  }

  void choose(const std::string& name) {
    for (const auto& each : items_) {
      if (each.name != name) continue;
      open_.clear();
      if (each.what == item::kind::dialog) {
        dialog_ = name;
        typed_.clear();
      } else if (done_.erase(name + " on") == 0) {
        done_.insert(name + " on");
      }
      return;
    }
  }

  void confirm() {
    if (dialog_) done_.insert(*dialog_ + "=" + typed_);
    close_all();
  }

  void close_all() {
    dialog_.reset();
    open_.clear();
  }

  std::vector<item> items_;
  std::string wanted_;
  std::vector<std::string> menus_;
  std::vector<tool_spec> tools_;
  std::string open_, typed_;
  std::optional<std::string> dialog_;
  std::set<std::string> done_;
};

} // namespace brewery::test
