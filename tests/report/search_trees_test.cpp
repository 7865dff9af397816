#include "coordinator/recorded.hpp"
#include "report/search_trees.hpp"
#include "store/event_log.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using Catch::Contains;

namespace {

node_record version(std::uint32_t id, std::uint32_t parent, double value) {
  node_record out;
  out.id = {id};
  out.parent = {parent};
  out.value = value;
  return out;
}

/// A record of concept 0 after an iteration of mcts.
event_row change(std::uint32_t iteration, std::vector<node_record> nodes) {
  return event_of(tree_record{{0}, iteration, std::move(nodes)},
                  tree_prefix("mcts", {0}) + std::to_string(iteration));
}

event_row formed(std::uint32_t id, const std::string& title) {
  concept_record out;
  out.id = {id};
  out.title = title;
  return event_of(out, "mcts/concept " + std::to_string(id));
}

event_row closed(std::uint32_t iteration, std::uint32_t best) {
  gather_record out;
  out.iteration = iteration;
  expand_report report;
  report.iteration = iteration;
  report.best.id = {best};
  report.dropped = 1;
  out.reports.push_back(report);
  return event_of(out, gather_key("mcts", iteration));
}

result<std::vector<search_tree>> read(const std::vector<event_row>& events) {
  const scratch root;
  auto log = event_log::create(root.path());
  REQUIRE(log);
  REQUIRE((*log)->append(events));
  return search_trees(root.path());
}

} // namespace

TEST_CASE("a later record of a tree stands over an earlier one") {
  // A search that was executed again from its begin wrote iteration 0 last.
  const auto trees = read({formed(0, "fan"), closed(0, 0),
                           change(1, {version(0, 0, 0.5), version(1, 0, 0.75)}),
                           closed(1, 1), change(0, {version(0, 0, 0.25)})});
  REQUIRE(trees);
  REQUIRE(trees->size() == 1);
  const auto& tree = trees->front();
  CHECK(tree.strategy == "mcts");
  CHECK(tree.about.title == "fan");
  CHECK(tree.iteration == 1);
  CHECK(tree.nodes == std::vector{version(0, 0, 0.5), version(1, 0, 0.75)});
  CHECK(tree.published == std::vector<node_id>{{0}, {1}});
  CHECK(tree.dropped == 2);
  CHECK(is_whole(tree));
}

TEST_CASE("a tree of an older release is not recorded, or not its beginning") {
  const auto none = read({formed(0, "fan"), closed(0, 0)});
  REQUIRE(none);
  REQUIRE(none->size() == 1);
  CHECK(none->front().nodes.empty());
  CHECK_FALSE(is_whole(none->front()));
  const auto end = read({formed(0, "fan"), closed(0, 0),
                         change(4, {version(2, 0, 0.5)}), closed(4, 2)});
  REQUIRE(end);
  CHECK(end->front().iteration == 4);
  CHECK_FALSE(is_whole(end->front()));
}

TEST_CASE("a version is below an older one, and the root below none") {
  using versions = std::vector<node_record>;
  for (const auto& wrong :
       {versions{version(0, 1, 0), version(1, 0, 0)},
        versions{version(0, 0, 0), version(1, 1, 0)},
        versions{version(0, 0, 0), version(1, 2, 0), version(2, 1, 0)}}) {
    const auto trees = read({formed(0, "fan"), change(3, wrong)});
    REQUIRE_FALSE(trees);
    CHECK(trees.error().code == ec::corrupt);
    CHECK_THAT(trees.error().message,
               Contains("mcts/tree 0/iteration 3: version 1 is below")
                   || Contains("version 0 is below version 1"));
  }
  CHECK(read({formed(0, "fan"), change(3, {version(7, 2, 0)})}));
}

TEST_CASE("a record of a tree that cannot be read is named") {
  auto damaged = change(3, {});
  damaged.payload = "junk";
  const auto trees = read({formed(0, "fan"), damaged});
  REQUIRE_FALSE(trees);
  CHECK(trees.error().code == ec::corrupt);
  CHECK_THAT(trees.error().message, Contains("mcts/tree 0/iteration 3"));
}
