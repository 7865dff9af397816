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

struct sheet_task {
  task_id id;
  std::string instruction;
  std::string type;              ///< "Cell-Level Manipulation" or the like
  std::string position;          ///< as it is written, however odd
  std::string sheet;             ///< answer_sheet; empty: not said
  std::vector<case_files> cases; ///< by number; may be fewer than there were
};

struct dataset {
  std::filesystem::path directory;
  std::vector<sheet_task> tasks; ///< in file order; each has a case 1
  /// Tasks that cannot be played, a line each: which and what is missing.
  std::vector<std::string> missing;
  std::uint32_t cases_most = 0; ///< of a task
};

/// Errors name the file, the record and the key.
result<dataset> load_dataset(const std::filesystem::path& directory);

/// Of the tasks and of the bytes of all their files. ec::io names the file.
result<std::string> content_of(const dataset& what);

/// The cases in a task's folder, by number; `id` is part of most names.
std::vector<case_files> find_cases(const std::filesystem::path& folder,
                                   const std::string& id);

} // namespace brewery::spreadsheet
