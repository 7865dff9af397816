#pragma once
/// The arguments of the `kb` commands. `kb` is a directory of documents, a run
/// directory or a run id. `runs_dir` is empty for the configured one.

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
};

struct export_arguments : kb_arguments {
  std::string skills; ///< directory to create
};

int kb_list(const kb_arguments& arguments);
int kb_show(const show_arguments& arguments);
int kb_diff(const diff_arguments& arguments);
int kb_search(const search_arguments& arguments);
int kb_export(const export_arguments& arguments);

} // namespace brewery
