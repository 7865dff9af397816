#include "store/folder.hpp"
#include "tests/web/runs_folder.hpp"

#include <fmt/format.h>

using namespace brewery;
using namespace brewery::test;

namespace {

/// A published document of two lines; the second one rests on so many insights,
/// each of so many rollouts.
void publish(const std::filesystem::path& run, std::size_t insights,
             std::size_t rollouts) {
  manifest_document fan;
  fan.title = "Fan";
  fan.evidence = {{2, {}}};
  manifest about;
  about.strategy = "mcts";
  for (std::size_t i = 0; i < insights; ++i) {
    evidence_insight seen{{fmt::format("i{}", i)},
                          std::string(1000, 's'),
                          static_cast<std::uint32_t>(rollouts),
                          {}};
    for (std::size_t k = 0; k < rollouts; ++k)
      seen.rollouts.push_back({{fmt::format("{:064}", k)}, {"a task"}});
    fan.evidence[0].insights.push_back(std::move(seen));
  }
  about.documents = {fan};
  document_store documents;
  const auto kb = knowledge_base::make(
      {{{0}, "Fan", documents.add("# Fan\nTurn it on.\n")}});
  REQUIRE(kb);
  REQUIRE(write_knowledge_base(run / "kb", *kb, about));
}

const std::string lines_of_fan = "/api/runs/r/provenance/0";

} // namespace

TEST_CASE("a published line has its text, whatever it rests on") {
  runs_folder runs;
  publish(runs.run(), 500, 20); // a megabyte and more
  const auto line = runs.get(lines_of_fan)["items"][1];
  CHECK(line["line"] == 2);
  CHECK(line["text"] == "Turn it on.");
  CHECK(line["insights_total"] == 500);
  CHECK(line["insights"].size() > 10);
  CHECK(line["insights"].size() < 500);
}

TEST_CASE("an insight of very many rollouts shows the first ones") {
  runs_folder runs;
  publish(runs.run(), 1, 20'000);
  const auto line = runs.get(lines_of_fan)["items"][1];
  CHECK(line["text"] == "Turn it on.");
  REQUIRE(line["insights"].size() == 1);
  CHECK(line["insights"][0]["count"] == 20'000);
  CHECK(line["insights"][0]["rollouts"].size() > 10);
  CHECK(line["insights"][0]["rollouts"].size() < 20'000);
}

TEST_CASE("what fits on a page is shown whole") {
  runs_folder runs;
  publish(runs.run(), 3, 5);
  const auto all = runs.get(lines_of_fan)["items"];
  CHECK_FALSE(all[1].contains("insights_total"));
  REQUIRE(all[1]["insights"].size() == 3);
  CHECK(all[1]["insights"][2]["rollouts"].size() == 5);
}

TEST_CASE("a version without text is not called published") {
  runs_folder runs;
  gather_record closed;
  closed.iteration = 2;
  closed.reports.resize(1);
  closed.reports[0].iteration = 2;
  closed.reports[0].best = version(2, 1, "");
  runs.append({event_of(tree_record{{0}, 2, {version(2, 1, "")}},
                        tree_prefix("mcts", {0}) + "2"),
               event_of(closed, gather_key("mcts", 2))});
  const auto tree = runs.get("/api/runs/r/trees/mcts/0");
  CHECK(tree["best"]["empty"] == true);
  CHECK(tree["items"][2]["best"] == true);
  CHECK(tree["items"][2]["published"] == false);
  CHECK(tree["items"][2]["note"] == "best, empty, not published");
  CHECK(tree["items"][1]["published"] == true);
  CHECK_FALSE(tree["items"][1].contains("empty"));
}
