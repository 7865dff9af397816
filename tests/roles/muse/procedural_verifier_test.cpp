#include "base/rng.hpp"
#include "base/text.hpp"
#include "envs/toy/toy.hpp"
#include "roles/muse/procedural_verifier.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

using namespace brewery;

namespace {

/// An attempt at the toy device that makes claims, true ones and false ones.
class claimant {
public:
  claimant(const benchmark& bench, const task_id& task, std::uint64_t key)
      : env_(std::move(*bench.make(task))), draw_(key) {}

  void look() {
    for (const auto& tool : env_->tools())
      if (tool.kind == tool_kind::read) call(tool.name);
  }

  /// Changes a switch and looks. The name of the tool.
  std::string change() {
    std::vector<std::string> toggles;
    for (const auto& tool : env_->tools())
      if (tool.kind == tool_kind::write && tool.parameters.empty()
          && tool.name.starts_with("toggle"))
        toggles.push_back(tool.name);
    const auto name = toggles[draw_.below(toggles.size())];
    call(name);
    return name;
  }

  void call(const std::string& name) {
    auto answer = env_->call(name, json::object());
    if (name.starts_with("check")) {
      auto& lines = seen_[name + "()"];
      lines.clear();
      for (const auto line : split(answer.content, '\n'))
        lines.emplace_back(line);
    }
    steps_.push_back({"assistant", name, "{}", std::move(answer.content),
                      answer.failed, !name.starts_with("check"), ""});
  }

  /// A line that a look reported last.
  condition some_line() {
    const auto& lines = seen_.at("check_board()");
    return {"check_board()", lines[draw_.below(lines.size())]};
  }

  sub_task_verdict verdict_on(const sub_task_claim& claim, bool with_probe) {
    return verify(
        claim, steps_,
        [&](const std::string& look)
            -> std::optional<std::vector<std::string>> {
          if (!with_probe) return std::nullopt;
          const auto shown =
              env_->probe(look.substr(0, look.size() - 2), json::object());
          std::vector<std::string> lines;
          for (const auto line : split(shown->content, '\n'))
            lines.emplace_back(line);
          return lines;
        },
        [&](const std::string& look)
            -> std::optional<std::vector<std::string>> {
          const auto found = seen_.find(look);
          if (found == seen_.end()) return std::nullopt;
          return found->second;
        });
  }

  std::size_t steps() const { return steps_.size(); }
  rng& draw() { return draw_; }

private:
  std::unique_ptr<environment> env_;
  rng draw_;
  std::vector<trajectory_step> steps_;
  std::map<std::string, std::vector<std::string>> seen_;
};

struct caught_claims {
  std::size_t caught = 0, alarms = 0;
};

/// 500 false and 500 true claims.
caught_claims plant_claims(bool with_probe) {
  const auto bench = make_toy_benchmark({});
  caught_claims out;
  for (std::uint64_t i = 0; i < 500; ++i) {
    const auto& task = bench->tasks()[i % bench->tasks().size()].id;
    claimant attempt{*bench, task, rng_key(3, "claims", i)};
    attempt.look();
    sub_task_claim claim;
    claim.first_step = attempt.steps();
    claim.tools = {attempt.change()};
    attempt.look();
    claim.shows = attempt.some_line();
    if (i % 2 == 0) claim.kept = {attempt.some_line()};
    if (!attempt.verdict_on(claim, with_probe).met) ++out.alarms;

    auto untrue = claim;
    switch (i % 4) {
    case 0: // a call that was not made
      untrue.tools.push_back("restart_device");
      break;
    case 1: // not what was seen
      untrue.shows.line += "!";
      break;
    case 2: // says that it is gone
      untrue.gone = true;
      break;
    default: // true when it was seen, and undone since
      untrue.shows = {};
      for (const auto* line : {"Fan: on", "Fan: off"}) {
        auto sure = claim;
        sure.shows = {"check_board()", line};
        if (attempt.verdict_on(sure, false).met) untrue.shows = sure.shows;
      }
      attempt.call("toggle_fan");
    }
    if (!attempt.verdict_on(untrue, with_probe).met) ++out.caught;
  }
  return out;
}

} // namespace

TEST_CASE("the verifier catches caught_claims claims") {
  const auto with = plant_claims(true);
  CHECK(with.caught == 500);
  CHECK(with.alarms == 0);
  // What was undone after it was seen shows in a fresh look only.
  const auto without = plant_claims(false);
  CHECK(without.caught == 375);
  CHECK(without.alarms == 0);
}

TEST_CASE("the verifier says what is not so") {
  const std::vector<trajectory_step> steps{
      {"assistant", "set", "{}", "", true, true, ""},
      {"assistant", "look", "{}", "A: 1", false, false, ""}};
  const line_probe blind =
      [](const std::string&) -> std::optional<std::vector<std::string>> {
    return std::nullopt;
  };
  const line_memory seen =
      [](const std::string& look) -> std::optional<std::vector<std::string>> {
    if (look != "look()") return std::nullopt;
    return std::vector<std::string>{"A: 1"};
  };
  sub_task_claim claim;
  claim.shows = {"look()", "A: 1"};
  CHECK(verify(claim, steps, blind, seen).met);
  CHECK(verify(claim, steps, blind, seen).report == "`look()` shows \"A: 1\"");
  claim.tools = {"set"};
  CHECK(verify(claim, steps, blind, seen).report == "set failed");
  claim.tools = {"look", "look"};
  CHECK(verify(claim, steps, blind, seen).report
        == "look was claimed and not called");
  claim.tools.clear();
  claim.shows = {"peek()", "A: 1"};
  CHECK(verify(claim, steps, blind, seen).report
        == "`peek()` was not looked at");
  claim.shows = {"look()", "A: 2"};
  CHECK(verify(claim, steps, blind, seen).report
        == "`look()` does not show \"A: 2\"");
  claim.shows = {"look()", "A: 1"};
  const line_probe fresh =
      [](const std::string&) -> std::optional<std::vector<std::string>> {
    return std::vector<std::string>{"A: 3"};
  };
  const auto verdict = verify(claim, steps, fresh, seen);
  CHECK(verdict.report == "a fresh look, `look()`, does not show \"A: 1\"");
  CHECK(verdict.probes == 1);
}
