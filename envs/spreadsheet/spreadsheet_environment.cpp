#include "envs/spreadsheet/spreadsheet_environment.hpp"

#include "messages/reusable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace brewery::spreadsheet {

namespace {

/// More is no program; a kernel host may refuse it.
constexpr std::size_t code_bytes_max = std::size_t{256} << 10;

const std::vector<tool_spec>& the_tools() {
  static const std::vector<tool_spec> tools{
      {"assistant",
       std::string{python_tool},
       tool_kind::write,
       "Run Python code in the workspace. Variables, imports and files are "
       "kept from call to call. Returns what it printed, the value of a final "
       "expression, or the error; long output is cut in its middle.",
       {{"code", "string", "The code to run.", {}, true}}}};
  return tools;
}

/// Cells that another case runs too: what was interrupted or ended its process
/// was not accepted.
bool accepted(const case_play::cell& one) {
  return one.report.status == cell_status::ok
         || one.report.status == cell_status::error;
}

double reward_of(const std::vector<bool>& passed, metric score) {
  if (score == metric::first) return passed.front() ? 1 : 0;
  const auto met = std::count(passed.begin(), passed.end(), true);
  const auto all = static_cast<double>(passed.size());
  if (score == metric::soft) return static_cast<double>(met) / all;
  return met == static_cast<std::ptrdiff_t>(passed.size()) ? 1 : 0;
}

} // namespace

spreadsheet_environment::spreadsheet_environment(
    std::shared_ptr<const play_rules> rules, const sheet_task& task,
    std::unique_ptr<case_play> first)
    : rules_(std::move(rules)), task_(task), first_(std::move(first)) {}

result<std::unique_ptr<environment>>
spreadsheet_environment::start(std::shared_ptr<const play_rules> rules,
                               const sheet_task& task) {
  auto first =
      case_play::begin(rules->services, task.cases.front(), rules->how.cells);
  if (!first) return first.error();
  return std::unique_ptr<environment>{
      new spreadsheet_environment{std::move(rules), task, std::move(*first)}};
}

const std::vector<tool_spec>& spreadsheet_environment::tools() const {
  return the_tools();
}

tool_result spreadsheet_environment::call(std::string_view name,
                                          const json& arguments) {
  if (name != python_tool)
    return {fmt::format("There is no tool {}; the only one is {}.", name,
                        python_tool),
            true};
  const auto code =
      arguments.is_object() ? arguments.find("code") : arguments.end();
  if (code == arguments.end() || !code->is_string())
    return {"The tool python needs \"code\", a string.", true};
  if (code->get_ref<const std::string&>().size() > code_bytes_max)
    return {fmt::format("Not run: the code is longer than {} bytes.",
                        code_bytes_max),
            true};
  if (broken_ || turns_ == rules_->how.turns)
    return {fmt::format("Not run: the {} calls of this task are used up.",
                        rules_->how.turns),
            true};
  ++turns_;
  auto report = first_->run(code->get<std::string>());
  if (!report) {
    broken_ = report.error();
    return {"Not run: the environment broke.", true};
  }
  auto text = std::move(report->text);
  if (text.empty()) text = "(no output)";
  const auto left = rules_->how.turns - turns_;
  text +=
      fmt::format("{}[{} of {} calls left]", text.ends_with('\n') ? "" : "\n",
                  left, rules_->how.turns);
  return {std::move(text), report->failed()};
}

result<turn_outcome> spreadsheet_environment::take_turn(const turn& move) {
  auto out = environment::take_turn(move);
  if (broken_) return *broken_;
  if (out && turns_ == rules_->how.turns) out->over = true;
  return out;
}

/// The accepted cells in another case's folder.
result<case_play::graded>
spreadsheet_environment::grade_case(const case_files& files) {
  auto play = case_play::begin(rules_->services, files, rules_->how.cells);
  if (!play) return play.error();
  for (const auto& one : first_->cells())
    if (accepted(one))
      if (auto done = (*play)->run(one.code); !done) return done.error();
  return (*play)->grade({task_.position, task_.sheet});
}

result<grade_report> spreadsheet_environment::grade() {
  if (broken_) return *broken_;
  const auto wanted = rules_->how.score == metric::first ? 1U : rules_->cases;
  grade_report out;
  std::vector<bool> passed;
  std::set<std::string> changing;
  for (std::uint32_t i = 0; i < wanted; ++i) {
    const auto name = fmt::format("case {}", i + 1);
    if (i >= task_.cases.size()) {
      passed.push_back(false);
      out.parts.push_back({name + " has its workbooks", false});
      continue;
    }
    auto graded = i == 0 ? first_->grade({task_.position, task_.sheet})
                         : grade_case(task_.cases[i]);
    if (!graded) return graded.error();
    const auto& [official, repaired] = graded->grade;
    out.parts.push_back({name + ", official", official.passed});
    out.parts.push_back({name + ", repaired", repaired.passed});
    const bool by_repaired = rules_->how.parser == position_parser::repaired;
    const auto& counts = by_repaired ? repaired : official;
    if (!counts.passed && !counts.why.empty())
      out.parts.push_back({name + ": " + counts.why, false});
    passed.push_back(counts.passed);
    changing.insert(graded->volatile_functions.begin(),
                    graded->volatile_functions.end());
  }
  out.parts.push_back({std::string{repeatable_check}, changing.empty()});
  out.reward = reward_of(passed, rules_->how.score);
  return out;
}

} // namespace brewery::spreadsheet
