#include "report/tree_branches.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace brewery;

namespace {

/// Versions by their parents; the first one is the root.
search_tree tree_of(const std::vector<std::uint32_t>& parents) {
  search_tree out;
  for (const auto parent : parents) {
    node_record item;
    item.id = {static_cast<std::uint32_t>(out.nodes.size())};
    item.parent = {parent};
    out.nodes.push_back(item);
  }
  return out;
}

std::vector<std::string> lines_of(const search_tree& tree) {
  std::vector<std::string> out;
  for (const auto& branch : branches_of(tree))
    out.push_back(branch.lead + std::to_string(branch.version->id.value));
  return out;
}

} // namespace

TEST_CASE("a version stands above those that change it, in order") {
  CHECK(lines_of(tree_of({0, 0, 0, 1, 1, 3, 2}))
        == std::vector<std::string>{"0", "|- 1", "|  |- 3", "|  |  `- 5",
                                    "|  `- 4", "`- 2", "   `- 6"});
  CHECK(lines_of(tree_of({0})) == std::vector<std::string>{"0"});
  CHECK(branches_of({}).empty());
}

TEST_CASE("a chain of versions is written in lines of bounded length") {
  constexpr std::uint32_t versions = 100'000;
  std::vector<std::uint32_t> parents{0};
  for (std::uint32_t i = 1; i < versions; ++i)
    parents.push_back(i - 1);
  const auto lines = lines_of(tree_of(parents));
  REQUIRE(lines.size() == versions);
  CHECK(lines[64] == std::string(63 * std::size_t{3}, ' ') + "`- 64");
  CHECK(lines[65] == std::string(63 * std::size_t{3}, ' ') + "... 65: 65");
  CHECK(std::ranges::all_of(
      lines, [](const auto& line) { return line.size() < 250; }));
}
