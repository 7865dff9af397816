#pragma once
/// One case of a task while it is played: a workspace, a kernel in it, the
/// cells that were run. After each cell the workbooks that changed are
/// recalculated. Owned by one rollout.
///
/// What breaks around the code is repaired: a kernel that went with its host is
/// made anew in a fresh workspace, in which the cells so far are run again.
/// Only if they then do something else is that an error (ec::environment).

#include "envs/spreadsheet/dataset.hpp"
#include "envs/spreadsheet/play_options.hpp"
#include "envs/spreadsheet/service_set.hpp"
#include "envs/spreadsheet/workspace.hpp"

namespace brewery::spreadsheet {

/// What a cell did, as the agent is told.
struct cell_report {
  cell_status status = cell_status::ok;
  std::string text;

  [[nodiscard]] bool failed() const { return status != cell_status::ok; }
  bool operator==(const cell_report&) const = default;
};

class case_play {
public:
  /// Errors: those of the kernel port; ec::environment for files.
  static result<std::unique_ptr<case_play>>
  begin(std::shared_ptr<const service_set> services, case_files files,
        cell_limits limits);
  ~case_play();
  case_play(const case_play&) = delete;
  case_play& operator=(const case_play&) = delete;

  result<cell_report> run(const std::string& code);

  /// The answer as it is now, or why there is none; more than `bytes_max` is
  /// none.
  result<answer_file> answer(std::size_t bytes_max);

  struct cell {
    std::string code;
    cell_report report;
  };
  [[nodiscard]] const std::vector<cell>& cells() const { return cells_; }

private:
  case_play(std::shared_ptr<const service_set> services, case_files files,
            cell_limits limits);

  result<void> open();
  void close();
  result<void> begin_again();
  result<cell_report> run_once(const std::string& code);
  result<std::string> recalculate_changed();
  result<std::string> recalculate(const std::string& name);

  std::shared_ptr<const service_set> services_;
  case_files files_;
  cell_limits limits_;
  std::optional<workspace> workspace_;
  std::optional<kernel_id> kernel_;
  std::vector<cell> cells_;
  bool computed_ = false; ///< some workbook had formulas
};

} // namespace brewery::spreadsheet
