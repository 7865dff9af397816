#include "envs/spreadsheet/spreadsheet_environment.hpp"

#include "envs/spreadsheet/ask_with_retry.hpp"
#include "messages/reusable.hpp"

#include <fmt/format.h>

namespace brewery::spreadsheet {

namespace {

/// Larger code is no sensible program; a kernel host may refuse it.
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

cell_limits limits_of(const play_options& how) {
  auto out = how.cells;
  out.total = out.timeout * how.turns;
  return out;
}

/// Whether other cases run this cell too. Cells that were interrupted or ended
/// their process are not accepted.
bool accepted(const case_episode::cell& one) {
  return one.report.status == cell_status::ok
         || one.report.status == cell_status::error;
}

} // namespace

spreadsheet_environment::spreadsheet_environment(
    std::shared_ptr<const play_rules> rules, const sheet_task& task,
    std::shared_ptr<const answer_grader> grader,
    std::unique_ptr<case_episode> first, std::string first_rows)
    : rules_(std::move(rules)), task_(task), grader_(std::move(grader)),
      first_(std::move(first)), first_rows_(std::move(first_rows)) {}

result<std::unique_ptr<environment>>
spreadsheet_environment::start(std::shared_ptr<const play_rules> rules,
                               const sheet_task& task,
                               std::shared_ptr<const answer_grader> grader) {
  auto first = case_episode::begin(rules->services, task.inputs.front(),
                                   limits_of(rules->how));
  if (!first) return retryable(first.error());
  std::string first_rows;
  if (const auto rows = rules->how.first_rows; rows > 0) {
    const auto shown = (*first)->look(first_rows_code(rows));
    if (!shown) return retryable(shown.error());
    first_rows = first_rows_text(rows, *shown);
  }
  return std::unique_ptr<environment>{
      new spreadsheet_environment{std::move(rules), task, std::move(grader),
                                  std::move(*first), std::move(first_rows)}};
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
    broken_ = retryable(report.error());
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

/// The answer after running the accepted cells in another case's workspace.
result<answer_file> spreadsheet_environment::answer_of(const case_files& files,
                                                       std::size_t bytes_max) {
  auto play =
      case_episode::begin(rules_->services, files, limits_of(rules_->how));
  if (!play) return play.error();
  for (const auto& one : first_->cells())
    if (accepted(one))
      if (auto done = (*play)->run(one.code); !done) return done.error();
  repeatable_ = repeatable_ && (*play)->repeatable();
  return (*play)->answer(bytes_max);
}

result<grade_report> spreadsheet_environment::grade() {
  if (broken_) return *broken_;
  const auto wanted =
      rules_->how.score == metric::first ? 1U : task_.inputs.size();
  const auto bytes_max = workbook_bytes_max / wanted;
  answers_.clear();
  repeatable_ = first_->repeatable();
  for (std::size_t i = 0; i < wanted; ++i) {
    auto answer = i == 0 ? first_->answer(bytes_max)
                         : answer_of(task_.inputs[i], bytes_max);
    if (!answer) return retryable(answer.error());
    answers_.push_back(std::move(*answer));
  }
  auto grade = grader_->grade(task_.id, answers_);
  if (!grade) return retryable(grade.error());
  cases_met_ = official_cases_met(*grade);
  // A grader sees only the formulas that are left in the answers.
  for (auto& part : grade->parts)
    if (part.name == repeatable_check) part.met = part.met && repeatable_;
  return grade;
}

} // namespace brewery::spreadsheet
