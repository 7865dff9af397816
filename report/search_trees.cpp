#include "report/search_trees.hpp"

#include "report/tree_reader.hpp"

namespace brewery {

result<std::vector<search_tree>>
search_trees(const std::filesystem::path& run) {
  const auto log = event_log::open_for_reading(run);
  if (!log) return log.error();
  tree_reader reader;
  if (auto ok = reader.extend(**log); !ok) return ok.error();
  return reader.trees();
}

bool is_whole(const search_tree& tree) {
  // Ids are given in order of making.
  std::uint32_t expected = 0;
  for (const auto& item : tree.nodes)
    if (item.id.value != expected++) return false;
  return !tree.nodes.empty();
}

} // namespace brewery
