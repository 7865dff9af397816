/// What pages show of a log whose rows do not all hold.

#include "tests/web/runs_folder.hpp"

using namespace brewery;
using namespace brewery::test;

TEST_CASE("what a retry took back is shown no more") {
  runs_folder runs;
  CHECK(runs.get("/api/runs/r/trees/mcts/0")["total"] == 2);
  CHECK(runs.get("/api/runs/r")["progress"].size() == 1);
  CHECK(runs.get("/api/runs/r/rollouts")["total"] == 2);
  runs.append({{0, "retry_result", "aaaa", "", false}});
  CHECK(runs.get("/api/runs/r/trees")["total"] == 1); // its concept stands
  CHECK(runs.get("/api/runs/r")["progress"].empty());
  CHECK(runs.get("/api/runs/r")["iteration"] == 0);
  CHECK(runs.get("/api/runs/r/rollouts")["total"] == 1);
  runs.refused(404, "/api/runs/r/rollouts/aaaa");
  runs.append({played("aaaa", "t1"),
               event_of(tree_record{{0}, 0, {version(0, 0, first_text)}},
                        tree_prefix("mcts", {0}) + "0")});
  CHECK(runs.get("/api/runs/r/trees/mcts/0")["total"] == 1);
  CHECK(runs.get("/api/runs/r/rollouts/aaaa")["total"] > 0);
}

TEST_CASE("a log that was copied over the one that was read is read anew") {
  runs_folder runs;
  const auto text = "/api/runs/r/documents/" + content_hash(second_text);
  REQUIRE(runs.get("/api/runs/r/rollouts/aaaa")["total"] > 0);
  REQUIRE(runs.get(text)["text"] == second_text);
  std::vector<event_row> other;
  for (int i = 0; i < 20; ++i)
    other.push_back(played("other" + std::to_string(i), "t9"));
  runs.put_another_log(other);
  runs.refused(404, "/api/runs/r/rollouts/aaaa");
  runs.refused(404, text);
  CHECK(runs.get("/api/runs/r/rollouts")["total"] == 20);
}
