#pragma once
/// One case of a task during a rollout: a workspace, a kernel in it, and the
/// cells that were run. After each cell, changed workbooks are recalculated.
/// Owned by one rollout.
///
/// Failures of the machinery are repaired: a kernel that was lost with its host
/// is replaced, in a fresh workspace in which all cells run again. If their
/// results then differ, the agent was told what is no longer so: the rollout
/// has to be played from its start (ec::exhausted).
///
/// A cell that ended its process is repeated in the same way, because something
/// else may have ended it. Here only that it dies is compared: what the cells
/// print is the agent's choice, and must not be a way to have no score.

#include "envs/spreadsheet/dataset.hpp"
#include "envs/spreadsheet/play_options.hpp"
#include "envs/spreadsheet/service_set.hpp"
#include "envs/spreadsheet/workspace.hpp"

namespace brewery::spreadsheet {

/// The result of a cell, for the agent.
struct cell_report {
  cell_status status = cell_status::ok;
  std::string text;
  bool killed = false; ///< see cell_outcome

  [[nodiscard]] bool failed() const { return status != cell_status::ok; }
  bool operator==(const cell_report&) const = default;
};

class case_episode {
public:
  /// Errors: those of the kernel port; ec::environment for files.
  static result<std::unique_ptr<case_episode>>
  begin(std::shared_ptr<const service_set> services, case_files files,
        cell_limits limits);
  ~case_episode();
  case_episode(const case_episode&) = delete;
  case_episode& operator=(const case_episode&) = delete;

  /// What `code` prints, which is ours and changes nothing: it is no cell, and
  /// has a limit of its own, 1 MiB.
  result<std::string> look(const std::string& code);

  result<cell_report> run(const std::string& code);

  /// The current answer, or the reason why there is none. A file above
  /// `bytes_max` is no answer.
  result<answer_file> answer(std::size_t bytes_max);

  struct cell {
    std::string code;
    cell_report report;
  };
  [[nodiscard]] const std::vector<cell>& cells() const { return cells_; }

  /// Whether no workbook that was recalculated had functions of time or chance:
  /// code may carry their values from there to the answer.
  [[nodiscard]] bool repeatable() const { return repeatable_; }

private:
  case_episode(std::shared_ptr<const service_set> services, case_files files,
               cell_limits limits);

  /// Whether cells that run again must do what they did.
  enum class replay : std::uint8_t { exact, tolerant };

  result<void> open();
  result<void> open_kernel();
  void close();
  result<void> begin_again(replay how);
  result<cell_report> run_once(const std::string& code);
  result<void> replace_kernel(cell_report& report);
  result<std::string> recalculate_changed();
  result<std::string> recalculate(const std::string& name,
                                  std::chrono::milliseconds& left);

  std::shared_ptr<const service_set> services_;
  case_files files_;
  cell_limits limits_;
  std::optional<workspace> workspace_;
  std::optional<kernel_id> kernel_;
  std::vector<cell> cells_;
  bool computed_ = false; ///< some workbook has formulas
  bool repeatable_ = true;
  /// In cells, and in formulas that took too long.
  std::chrono::steady_clock::duration spent_{0};
  std::string refused_; ///< why no kernel may have the workspace any more
};

} // namespace brewery::spreadsheet
