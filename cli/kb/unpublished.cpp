#include "cli/kb/unpublished.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/locate.hpp"
#include "report/search_trees.hpp"
#include "report/tree_json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

/// The trees of the search whose concept is meant: the one with this number,
/// else those with this text in their titles.
std::vector<search_tree> meant_trees(std::vector<search_tree> trees,
                                     const std::string& search,
                                     const std::string& name) {
  std::erase_if(trees, [&](const auto& tree) {
    return !search.empty() && tree.strategy != search;
  });
  const auto number = whole_number<std::uint32_t>(name);
  const auto numbered = std::ranges::find_if(
      trees, [&](const auto& tree) { return number == tree.about.id.value; });
  if (numbered != trees.end()) return {*numbered};
  std::erase_if(trees, [&](const auto& tree) {
    return lower(tree.about.title).find(lower(name)) == std::string::npos;
  });
  return trees;
}

std::string reason_of(const search_tree& tree) {
  const auto best = best_of(tree);
  const auto found =
      std::ranges::find_if(tree.nodes, [&](const node_record& item) {
        return item.id.value == best;
      });
  if (found == tree.nodes.end()) return "no version of it is on record";
  return is_empty(*found)
             ? "its best version is empty, so nothing was published"
             : "the documents do not have its best version";
}

} // namespace

std::optional<error> why_no_document(const std::filesystem::path& documents,
                                     const std::string& search,
                                     const std::string& name,
                                     const std::string& word) {
  const auto options = config_of_run(documents);
  if (!options) return std::nullopt;
  const auto run = std::filesystem::path{*options}.parent_path();
  const auto trees = search_trees(run);
  if (!trees) return std::nullopt;
  const auto meant = meant_trees(*trees, search, name);
  if (meant.size() != 1) return std::nullopt;
  const auto& tree = meant.front();
  std::error_code none; // as for an id
  const bool by_folder = std::filesystem::equivalent(word, documents, none);
  return error{
      ec::not_found,
      fmt::format("concept {} ({}) has no document: {}; `brewery tree {} {} "
                  "--strategy {}` shows its versions",
                  tree.about.id.value, single_line(tree.about.title),
                  reason_of(tree), shell_word(by_folder ? run.string() : word),
                  tree.about.id.value, shell_word(single_line(tree.strategy)))};
}

} // namespace brewery
