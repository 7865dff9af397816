#include "report/tree_json.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "search/node.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

std::int64_t best_of(const search_tree& tree) {
  return tree.published.empty() ? -1 : tree.published.back().value;
}

bool was_published(const search_tree& tree, node_id id) {
  return std::ranges::find(tree.published, id) != tree.published.end();
}

bool is_empty(const node_record& item) {
  return item.hash.value == content_hash("");
}

std::string reward_text(const node_record& item) {
  if (item.least.empty()) return fmt::format("{:.3f}", item.reward);
  return fmt::format("{:.3f} to {:.3f}", item.least.front(), item.reward);
}

std::string part_text(const node_record& item, double part) {
  return fmt::format("{}{:.3f}", item.least.empty() ? "" : "at most ", part);
}

bool is_refused(const node_record& item) {
  return !item.challenges.empty() && !is_confirmed(item.challenges.back());
}

std::string note_of(const search_tree& tree, const node_record& item) {
  std::vector<std::string> out;
  if (item.id.value == best_of(tree))
    out.emplace_back("best");
  else if (was_published(tree, item.id))
    out.emplace_back("was best");
  if (!out.empty() && is_empty(item)) out.emplace_back("empty, not published");
  if (!item.least.empty())
    out.push_back(fmt::format("stopped: at least {:.3f}", item.least.front()));
  if (!item.raced.empty()) out.emplace_back("raced away");
  if (is_refused(item)) out.emplace_back("refused by fresh trials");
  return join(out, ", ");
}

json version_json(const search_tree& tree, const node_record& item) {
  json out{{"id", item.id.value},
           {"parent", item.parent.value},
           {"document", item.hash.value},
           {"iteration", item.iteration},
           {"depth", item.depth},
           {"visits", item.visits},
           {"value", item.value},
           {"reward", item.reward},
           {"correctness", item.correctness},
           {"retrieval", item.retrieval},
           {"rollouts", item.evaluated}};
  if (!item.least.empty()) out["reward_least"] = item.least.front();
  if (is_empty(item)) out["empty"] = true;
  if (!item.raced.empty()) out["raced"] = item.raced.front();
  if (const auto note = note_of(tree, item); !note.empty()) out["note"] = note;
  return out;
}

json tree_json(const search_tree& tree) {
  json out{{"strategy", tree.strategy},  {"concept", tree.about.id.value},
           {"title", tree.about.title},  {"iteration", tree.iteration},
           {"whole", is_whole(tree)},    {"dropped", tree.dropped},
           {"published", json::array()}, {"versions", json::array()}};
  for (const auto id : tree.published)
    out["published"].push_back(id.value);
  for (const auto& item : tree.nodes)
    out["versions"].push_back(version_json(tree, item));
  return out;
}

} // namespace brewery
