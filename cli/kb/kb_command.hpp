#pragma once
/// The arguments of the `kb` commands. `kb` is a directory of documents, a run
/// directory or a run id. `runs_dir` is empty for the configured one.

#include "cli/commands.hpp"
#include "store/folder.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace brewery {

struct kb_arguments {
  std::string kb;
  std::string runs_dir;
  bool json = false;
};

struct show_arguments : kb_arguments {
  std::string concept_name; ///< number, or part of the title
  bool provenance = false;
};

struct diff_arguments {
  std::string before;
  std::string after;
  std::string runs_dir;
  bool json = false;
};

struct search_arguments : kb_arguments {
  std::vector<std::string> query;
  std::uint32_t limit = 10;
  std::string kind;               ///< empty: that of the configuration
  config_arguments configuration; ///< no file: that of the documents' run
};

/// The directory to create; all but one are empty.
struct export_arguments : kb_arguments {
  std::string skills;
  std::string experiences; ///< for agent_kb.start_from
  std::string documents;   ///< of experiences, for an agent that reads those
  std::string memory;      ///< for muse.memory
  std::string domain;      ///< of what is no experience yet; empty: the run's
};

/// Opens the folder of documents that a command line names. Warnings go to
/// standard error.
result<kb_folder> open_kb(const std::string& name, const std::string& runs_dir);

std::string concept_text(concept_id id);

int kb_list(const kb_arguments& arguments);
int kb_show(const show_arguments& arguments);
int kb_diff(const diff_arguments& arguments);
int kb_search(const search_arguments& arguments);
int kb_export(const export_arguments& arguments);

} // namespace brewery
