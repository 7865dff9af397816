#pragma once
/// SpreadsheetBench tasks on disk, in any of its layouts: the 912 of v0.1, the
/// sample of 200, the verified 400, and our own. The files of a task are
/// searched for, not assumed.
///
///   DIR/dataset.json                          (any single *.json list)
///   DIR/spreadsheet/ID/1_ID_input.xlsx        1_ID_answer.xlsx      v0.1
///   DIR/spreadsheet/ID/1_ID_init.xlsx         1_ID_golden.xlsx      verified
///   DIR/spreadsheet/ID/initial.xlsx           golden.xlsx           verified
///   DIR/ID/...                                if there is no spreadsheet/

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

/// Which files of a task a process may open.
enum class share : std::uint8_t {
  all,
  play,  ///< inputs; goldens are not searched for
  grade, ///< inputs and goldens; no code of an agent is run
};

struct sheet_task {
  task_id id;
  std::string instruction;
  std::string type;              ///< "Cell-Level Manipulation" or the like
  std::string position;          ///< as written in the data
  std::string sheet;             ///< answer_sheet; empty: not given
  std::vector<case_files> cases; ///< by number; some may be missing
  /// Cases by number, with or without a golden; the golden is not set. So
  /// rollouts are the same in a process without goldens.
  std::vector<case_files> inputs{};
};

struct dataset {
  std::filesystem::path directory;
  std::vector<sheet_task> tasks;    ///< in file order; each has a case 1
  std::vector<sheet_task> unscored; ///< those with an input but no golden
  /// Tasks that cannot be used, one line each: which, and what is missing.
  std::vector<std::string> missing;
  std::uint32_t cases_most = 0; ///< the largest number in a task
};

/// Errors name the file, the record and the key.
result<dataset> load_dataset(const std::filesystem::path& directory,
                             share what = share::all);

/// Hash of the tasks and their inputs' bytes; equal with and without goldens.
/// Error ec::io names the file.
result<std::string> inputs_content(const dataset& what);
/// Hash of the positions and the goldens' bytes.
result<std::string> goldens_content(const dataset& what);

/// The cases in a task's folder, by number; `id` is part of most names.
std::vector<case_files> find_cases(const std::filesystem::path& folder,
                                   const std::string& id);
/// The same without goldens.
std::vector<case_files> find_inputs(const std::filesystem::path& folder,
                                    const std::string& id);

} // namespace brewery::spreadsheet
