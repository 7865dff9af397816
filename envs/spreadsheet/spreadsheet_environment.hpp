#pragma once
/// One rollout of one task: the agent's tool `python`. Case 1 is played turn by
/// turn; the other cases are played at grading, if the metric needs them. It
/// has no goldens: an answer_grader grades the answers.

#include "envs/spreadsheet/answer_grading.hpp"
#include "envs/spreadsheet/case_episode.hpp"

namespace brewery::spreadsheet {

class spreadsheet_environment final : public environment {
public:
  /// Errors: those of case_episode::begin.
  static result<std::unique_ptr<environment>>
  start(std::shared_ptr<const play_rules> rules, const sheet_task& task,
        std::shared_ptr<const answer_grader> grader);

  const std::vector<tool_spec>& tools() const override;
  tool_result call(std::string_view name, const json& arguments) override;
  std::string briefing() const override {
    return rules_->briefing + first_rows_;
  }
  result<turn_outcome> take_turn(const turn& move) override;
  result<grade_report> grade() override;
  std::uint32_t checkpoints_met() const override { return cases_met_; }
  std::vector<answer_file> take_answers() override {
    return std::move(answers_);
  }

private:
  spreadsheet_environment(std::shared_ptr<const play_rules> rules,
                          const sheet_task& task,
                          std::shared_ptr<const answer_grader> grader,
                          std::unique_ptr<case_episode> first,
                          std::string first_rows);

  result<answer_file> answer_of(const case_files& files, std::size_t bytes_max);

  std::shared_ptr<const play_rules> rules_;
  const sheet_task& task_; ///< owned by the benchmark, which outlives it
  std::shared_ptr<const answer_grader> grader_;
  std::unique_ptr<case_episode> first_;
  std::string first_rows_;           ///< shown with the briefing; may be empty
  std::vector<answer_file> answers_; ///< set at grading
  std::uint32_t turns_ = 0;
  std::uint32_t cases_met_ = 0; ///< of the official ones, set at grading
  bool repeatable_ = true;      ///< what the cases computed, set at grading
  std::optional<error> broken_; ///< if set, there is no grade
};

/// The name of the only tool.
inline constexpr std::string_view python_tool = "python";

/// Tells the agent about the files, the engine and its limits.
std::string briefing_text(const play_options& how, const kernel_facts& kernels,
                          const std::string& office,
                          const office_functions& functions);

/// A cell that prints the first rows of each sheet of the input, and what
/// stands in the briefing of what it printed.
std::string first_rows_code(std::uint32_t rows);
std::string first_rows_text(std::uint32_t rows, const std::string& shown);

/// The task's own words, and where the answer goes.
std::string instruction_text(const sheet_task& task);

} // namespace brewery::spreadsheet
