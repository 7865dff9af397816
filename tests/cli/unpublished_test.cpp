#include "cli/kb/unpublished.hpp"
#include "tests/web/runs_folder.hpp"

using namespace brewery;
using namespace brewery::test;
using Catch::Contains;

namespace {

/// A second concept, whose best version is the empty one that it began with.
void form_empty_concept(runs_folder& runs) {
  concept_record about;
  about.id = {1};
  about.title = "Fan belt";
  gather_record closed;
  closed.iteration = 1;
  closed.reports.resize(1);
  closed.reports[0].concept_ref = {1};
  closed.reports[0].iteration = 1;
  closed.reports[0].best = version(0, 0, "");
  runs.append({event_of(about, "mcts/concept 1"),
               event_of(tree_record{{1}, 1, {version(0, 0, "")}},
                        tree_prefix("mcts", {1}) + "1"),
               event_of(closed, gather_key("mcts", 1))});
}

} // namespace

TEST_CASE("a concept whose document was never published is told why") {
  runs_folder runs;
  form_empty_concept(runs);
  const auto why = [&](const std::string& name, const std::string& search) {
    const auto said = why_no_document(runs.run() / "kb", search, name, "r");
    return said ? said->message : std::string{};
  };
  const std::string expected =
      "concept 1 (Fan belt) has no document: its best version is empty, so "
      "nothing was published; `brewery tree r 1 --strategy mcts` shows its "
      "versions";
  CHECK(why("1", "mcts") == expected);
  CHECK(why("BELT", "mcts") == expected);
  CHECK_THAT(why("0", "mcts"), Contains("do not have its best version"));
  CHECK(why("fan", "mcts").empty()); // both of them
  CHECK(why("7", "mcts").empty());
  CHECK(why("1", "greedy").empty());
}

TEST_CASE("documents that belong to no run are told nothing of concepts") {
  const scratch folder;
  CHECK_FALSE(why_no_document(folder.path() / "kb", "", "1", "kb"));
}
