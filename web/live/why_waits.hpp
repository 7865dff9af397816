#pragma once
/// Why a run waits, in one sentence of what is really so: what its process says
/// while it goes on (run/live/live_file.hpp), or its turn and its budget while
/// a coordinator holds it back.

#include "base/json.hpp"
#include "report/run_overview.hpp"
#include "store/run_directory.hpp"
#include "store/submission.hpp"

#include <map>
#include <string>
#include <vector>

namespace brewery::web {

class waiting_reasons {
public:
  /// `all` are the runs beside it, of which some are of its group.
  explicit waiting_reasons(const std::vector<run_directory>& all) : all_(all) {}

  /// Adds `waits` to what `overview_json` says of the run if it waits. A run
  /// that was ordered and has not begun is `queued` then, not unreadable.
  void add(json& about, const run_directory& run);

private:
  struct group_state {
    std::size_t under_way = 0;
    double cost_usd = 0;
  };
  const group_state& group(const std::string& name);
  std::string of_queued(const submission& order);

  const std::vector<run_directory>& all_;
  std::map<std::string, group_state> groups_; ///< empty until one is asked for
  bool read_ = false;
};

} // namespace brewery::web
