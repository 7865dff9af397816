#pragma once
/// The trees of a log as they stand, kept between readings: what a log got
/// since is added, so that a tree of ten thousand versions, or a run that is
/// being written, is not read from its beginning each time. Belongs to one
/// thread, and is of one log.

#include "report/log_history.hpp"
#include "report/search_trees.hpp"
#include "store/event_log.hpp"

#include <map>
#include <string>
#include <vector>

namespace brewery {

class tree_reader {
public:
  /// Reads the events that came since. Error: as of the log, or ec::corrupt if
  /// a record cannot be read.
  result<void> extend(const event_log& log);

  /// As `search_trees`. Until the next call of `extend`.
  [[nodiscard]] const std::vector<search_tree>& trees();

private:
  /// What is known of a tree by iteration.
  struct open_tree {
    search_tree about;
    std::map<std::uint32_t, std::vector<node_record>> changes;
    std::map<std::uint32_t, expand_report> reports;
  };

  result<void> add(const event_row& row);
  template <class Record>
  result<void> read(const event_row& row);
  open_tree& tree(const std::string& strategy, concept_id id);
  void take(const std::string& strategy, concept_record about);
  void take(const std::string& strategy, tree_record change);
  void take(const std::string& strategy, const gather_record& closed);
  static search_tree finished(const open_tree& tree);

  log_history history_;
  std::vector<std::string> order_;
  std::map<std::string, std::map<concept_id, open_tree>> trees_;
  std::vector<search_tree> finished_;
  bool changed_ = false; ///< since `finished_` was made
};

} // namespace brewery
