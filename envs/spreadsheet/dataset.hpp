#pragma once
/// SpreadsheetBench tasks on disk, in any of the layouts there are: the 912 of
/// v0.1, the sample of 200, the verified 400, and ours. What files a task has
/// is found, not assumed.
///
///   DIR/dataset.json                          (any one *.json list will do)
///   DIR/spreadsheet/ID/1_ID_input.xlsx        1_ID_answer.xlsx      v0.1
///   DIR/spreadsheet/ID/1_ID_init.xlsx         1_ID_golden.xlsx      verified
///   DIR/spreadsheet/ID/initial.xlsx           golden.xlsx           verified
///   DIR/ID/...                                where there is no spreadsheet/

#include "base/ids.hpp"
#include "base/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace brewery::spreadsheet {

struct case_files {
  std::uint32_t number = 1; ///< from 1
  std::filesystem::path input, golden;
};

/// What a process may open of a task.
enum class share : std::uint8_t {
  all,
  play,  ///< inputs; no golden is looked for
  grade, ///< inputs and goldens, and no code of an agent is run
};

struct sheet_task {
  task_id id;
  std::string instruction;
  std::string type;              ///< "Cell-Level Manipulation" or the like
  std::string position;          ///< as it is written, however odd
  std::string sheet;             ///< answer_sheet; empty: not said
  std::vector<case_files> cases; ///< by number; may be fewer than there were
  /// Cases by number whether or not they have a golden, which is not set: what
  /// is played is the same where there is none.
  std::vector<case_files> inputs{};
};

struct dataset {
  std::filesystem::path directory;
  std::vector<sheet_task> tasks;    ///< in file order; each has a case 1
  std::vector<sheet_task> unscored; ///< those with an input but no golden
  /// Tasks that cannot be played, a line each: which and what is missing.
  std::vector<std::string> missing;
  std::uint32_t cases_most = 0; ///< of a task
};

/// Errors name the file, the record and the key.
result<dataset> load_dataset(const std::filesystem::path& directory,
                             share what = share::all);

/// Of the tasks and the bytes of their inputs: the same with and without
/// goldens. ec::io names the file.
result<std::string> inputs_content(const dataset& what);
/// Of the positions and the bytes of the goldens.
result<std::string> goldens_content(const dataset& what);

/// The cases in a task's folder, by number; `id` is part of most names.
std::vector<case_files> find_cases(const std::filesystem::path& folder,
                                   const std::string& id);
/// The same without goldens.
std::vector<case_files> find_inputs(const std::filesystem::path& folder,
                                    const std::string& id);

} // namespace brewery::spreadsheet
