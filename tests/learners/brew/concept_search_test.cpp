#include "base/text.hpp"
#include "kb/knowledge_base.hpp"
#include "learners/brew/concept_search.hpp"
#include "search/report.hpp"
#include "tests/learners/brew/support.hpp"

#include <catch2/catch.hpp>

#include <deque>
#include <functional>
#include <set>

using namespace brewery;
using namespace brewery::test;

namespace {

struct outcome {
  std::vector<expand_report> reports;
  std::vector<node_record> nodes;
  std::vector<counted_insight> insights;
  bool operator==(const outcome&) const = default;
};

outcome run(std::uint64_t seed, bool twice, std::uint32_t expansions) {
  auto settings = stub_settings();
  settings.learner.tree.expansions = expansions;
  bench b{settings};
  outcome out;
  for (std::uint32_t i = 0; i <= 3; ++i)
    out.reports.push_back(b.iterate(i, seed, twice));
  out.nodes = records_of(b.search.nodes());
  out.insights = b.search.insights().list();
  return out;
}

} // namespace

TEST_CASE("iteration 0 scores the root only") {
  bench b;
  const auto first = b.search.start({0, b.current});
  CHECK_FALSE(first.report);
  REQUIRE(first.jobs.size() == 3);
  for (const auto& item : first.jobs) {
    REQUIRE(kind_of(item) == job_kind::rollout);
    CHECK_FALSE(std::get<rollout_job>(item.input).reflect);
    CHECK(std::get<rollout_job>(item.input).knowledge == b.current);
    CHECK(item.id == identity(std::get<rollout_job>(item.input)));
  }
  bench other;
  const auto report = other.iterate(0);
  CHECK(report.best.id == node_id{0});
  CHECK(report.best.hash == other.root);
  CHECK(report.best.evaluated == 3);
  CHECK(report.added == 0);
  CHECK(report.note.empty());
}

TEST_CASE("an iteration trains, integrates h candidates, scores each") {
  bench b;
  b.iterate(0);
  auto step = b.search.start({1, b.current});
  REQUIRE(step.jobs.size() == 4); // the train tasks, reflected
  std::vector<job> next;
  for (const auto& item : step.jobs) {
    CHECK(std::get<rollout_job>(item.input).reflect);
    CHECK(std::get<rollout_job>(item.input).knowledge == b.current);
    for (auto& made : b.search.on(bench::work(item)).jobs)
      next.push_back(made);
  }
  REQUIRE(next.size() == 3);
  std::set<std::uint32_t> draws;
  std::vector<job> scoring;
  for (const auto& item : next) {
    const auto& work = std::get<integrate_job>(item.input);
    draws.insert(work.draw);
    CHECK(work.parent == b.root);
    CHECK(work.temperature == 0.7);
    CHECK(work.insights.size() == 5); // the first and one per train task
    for (const auto& counted : work.insights)
      CHECK(counted.item->topic == "fan"); // no other concept's
    for (auto& made : b.search.on(bench::work(item)).jobs)
      scoring.push_back(made);
  }
  CHECK(draws.size() == 3);
  REQUIRE(scoring.size() == 9); // 3 candidates x 3 eval tasks
  std::set<doc_hash> candidates;
  for (const auto& item : scoring) {
    const auto& knowledge = std::get<rollout_job>(item.input).knowledge;
    REQUIRE(knowledge.size() == 2);
    CHECK(knowledge[1] == b.current[1]); // the other concept's best stays
    candidates.insert(knowledge[0].hash);
  }
  CHECK(candidates.size() == 3);
  CHECK_FALSE(candidates.contains(b.root));
}

TEST_CASE("odd orders and repeated results give the same search") {
  const std::uint32_t expansions = GENERATE(1u, 3u);
  const auto expected = run(0, false, expansions);
  CHECK(expected.nodes.size() > 4 * expansions);
  for (std::uint64_t seed = 1; seed <= 12; ++seed)
    for (const bool twice : {false, true}) {
      INFO(counted(expansions, "expansion")
           << ", seed " << seed << (twice ? ", results twice" : ""));
      CHECK(run(seed, twice, expansions) == expected);
    }
}

TEST_CASE("results that nobody waits for change nothing") {
  bench b;
  b.iterate(0);
  const auto before = records_of(b.search.nodes());
  auto step = b.search.start({1, b.current});
  const auto late = bench::work(step.jobs.front());
  job_result stranger = late;
  stranger.id = {"stranger"};
  CHECK(b.search.on(stranger).jobs.empty());
  // A new order ends the open iteration: its results come too late.
  const auto again = b.search.start({2, b.current});
  CHECK(b.search.on(late).jobs.empty());
  CHECK(records_of(b.search.nodes()) == before);
  // Equal jobs of both iterations would be equal work; these are other trials.
  for (const auto& item : again.jobs)
    CHECK_FALSE(item.id == late.id);
}

TEST_CASE("a job's identity is everything its result depends on") {
  const auto settings = stub_settings();
  const auto base = make_rollout_job(settings, {"t"}, 0, {}, false);
  CHECK(make_rollout_job(settings, {"t"}, 0, {}, false).id == base.id);
  std::set<job_id> ids{base.id};
  CHECK(ids.insert(make_rollout_job(settings, {"u"}, 0, {}, false).id).second);
  CHECK(ids.insert(make_rollout_job(settings, {"t"}, 1, {}, false).id).second);
  CHECK(ids.insert(make_rollout_job(settings, {"t"}, 0, {}, true).id).second);
  CHECK(
      ids.insert(make_rollout_job(settings, {"t"}, 0, {{{0}, {"d"}}}, false).id)
          .second);
  CHECK(
      ids.insert(make_rollout_job(settings, {"t"}, 0, {{{1}, {"d"}}}, false).id)
          .second);
  auto other = settings;
  other.seed = 2;
  CHECK(ids.insert(make_rollout_job(other, {"t"}, 0, {}, false).id).second);
  other = settings;
  other.fingerprint = "later";
  CHECK(ids.insert(make_rollout_job(other, {"t"}, 0, {}, false).id).second);
}

TEST_CASE("candidates that are known documents are dropped and counted") {
  auto settings = stub_settings();
  settings.learner.tree.candidates = 3;
  bench b{settings};
  b.iterate(0);
  auto step = b.search.start({1, b.current});
  std::vector<job> next;
  for (const auto& item : step.jobs)
    for (auto& made : b.search.on(bench::work(item)).jobs)
      next.push_back(made);
  std::optional<expand_report> report;
  for (const auto& item : next) {
    auto answer = bench::work(item);
    std::get<integrate_result>(answer.output).body =
        b.documents->find(b.root)->body;
    report = b.search.on(answer).report;
  }
  REQUIRE(report);
  CHECK(report->added == 0);
  CHECK(report->dropped == 3);
  CHECK(report->note == "no candidate differed from a known version");
  CHECK(b.search.nodes().size() == 1);
}

TEST_CASE("broken rollouts teach nothing and are no score") {
  bench b;
  const auto broken = [](const job& item) {
    auto answer = bench::work(item);
    if (auto* rollout = std::get_if<rollout_result>(&answer.output)) {
      rollout->outcome = rollout_outcome::environment_error;
      rollout->grade.reward = 0;
    }
    return answer;
  };
  std::optional<expand_report> report;
  for (const auto& item : b.search.start({0, b.current}).jobs)
    report = b.search.on(broken(item)).report;
  REQUIRE(report);
  CHECK(report->best.evaluated == 0);
  CHECK(report->best.hash == b.root);
  std::vector<job> next;
  for (const auto& item : b.search.start({1, b.current}).jobs)
    for (auto& made : b.search.on(broken(item)).jobs)
      next.push_back(made);
  REQUIRE_FALSE(next.empty());
  CHECK(std::get<integrate_job>(next.front().input).insights.size() == 1);
}

TEST_CASE("a version with too few graded rollouts is not the best") {
  for (const double share : {0.75, 0.0}) {
    auto settings = stub_settings();
    settings.eval_choice.min_graded = share;
    bench b{settings};
    for (const auto& item : b.search.start({0, b.current}).jobs) {
      auto answer = bench::work(item);
      std::get<rollout_result>(answer.output).grade.reward = 0;
      b.search.on(answer);
    }
    // Of each later version only the first rollout is graded, well.
    std::set<doc_hash> seen;
    std::deque<job> open;
    std::optional<expand_report> report;
    const auto take = [&](search_step step) {
      open.insert(open.end(), step.jobs.begin(), step.jobs.end());
      if (step.report) report = step.report;
    };
    take(b.search.start({1, b.current}));
    while (!open.empty()) {
      auto answer = bench::work(open.front());
      const auto* work = std::get_if<rollout_job>(&open.front().input);
      if (work && !work->reflect) {
        auto& rollout = std::get<rollout_result>(answer.output);
        if (seen.insert(work->knowledge.at(0).hash).second)
          rollout.grade.reward = 1;
        else
          rollout.outcome = rollout_outcome::environment_error;
      }
      open.pop_front();
      take(b.search.on(answer));
    }
    REQUIRE(report);
    REQUIRE(report->added > 0);
    CHECK((report->best.hash == b.root) == (share > 0));
    CHECK((report->note.find("too few rollouts were graded to compare") == 0)
          == (share > 0));
  }
}

TEST_CASE("insights of earlier iterations are kept only if asked") {
  for (const bool keep : {true, false}) {
    auto settings = stub_settings();
    settings.learner.accumulate_insights = keep;
    bench b{settings};
    b.iterate(0);
    b.iterate(1);
    CHECK((b.search.insights().size() > 1) == keep);
  }
}

TEST_CASE("evidence is kept for every version of the document") {
  bench b;
  CHECK(b.search.evidence_of(b.root).size() == 1);
  b.iterate(0);
  b.iterate(1);
  REQUIRE(b.search.nodes().size() == 4);
  for (const auto& item : b.search.nodes().nodes())
    CHECK(b.search.evidence_of(item.hash).size() == 1);
  CHECK(b.search.evidence_of({"unknown"}).empty());
}

TEST_CASE("when nothing can be expanded the iteration says so and reports") {
  auto settings = stub_settings();
  settings.learner.tree.max_depth = 1;
  bench b{settings};
  b.iterate(0);
  CHECK(b.iterate(1).added == 3); // the root is full now
  const auto report = b.iterate(2);
  CHECK(report.note == "every node is fully expanded");
  CHECK(report.best.evaluated > 0);
}

TEST_CASE("an integration tells the parent's score and what training missed") {
  bench b;
  b.iterate(0);
  auto open = b.search.start({1, b.current}).jobs;
  std::vector<job> next;
  while (next.empty() && !open.empty()) {
    auto done = bench::work(open.front());
    open.erase(open.begin());
    if (auto* rollout = std::get_if<rollout_result>(&done.output)) {
      rollout->grade.parts = {{"trained", rollout->trial > 1000}};
      std::vector<shared_value<insight>> plain;
      for (auto item : rollout->insights) {
        auto told = *item;
        told.fact.kind = {}; // a sentence
        plain.emplace_back(std::move(told));
      }
      rollout->insights = std::move(plain);
    }
    for (auto& made : b.search.on(done).jobs)
      (kind_of(made) == job_kind::integrate ? next : open).push_back(made);
  }
  REQUIRE_FALSE(next.empty());
  const auto& work = std::get<integrate_job>(next.front().input);
  const auto root = record_of(b.search.nodes().at(tree::root()));
  CHECK(work.parent_score
        == document_score{root.evaluated, root.reward, root.correctness,
                          root.retrieval});
  CHECK(work.parent_score.evaluated == 3);
  CHECK(work.missed == std::vector<check_share>{{"trained", 0, 4}});
  CHECK(work.parent_evidence == b.search.evidence_of(b.root));
  for (const auto& counted : work.insights) {
    CHECK(counted.fresh == (counted.item->sentence != "first"));
    CHECK(counted.rollouts.empty() == is_sentence(counted));
  }
}

TEST_CASE("nothing of a held-out rollout but its numbers is integrated") {
  const auto integrations = [](const std::string& secret) {
    bench b;
    std::vector<job> open, out;
    for (std::uint32_t iteration = 0; iteration < 3; ++iteration) {
      open = b.search.start({iteration, b.current}).jobs;
      while (!open.empty()) {
        const auto item = open.front();
        open.erase(open.begin());
        if (kind_of(item) == job_kind::integrate) out.push_back(item);
        auto done = bench::work(item);
        if (auto* rollout = std::get_if<rollout_result>(&done.output);
            rollout && rollout->task.value.starts_with("eval")) {
          rollout->grade.parts = {{secret, false}};
          rollout->insights = {stub_insight("fan", secret)};
          rollout->steps = {{"assistant", secret, "{}", secret, {}, {}, {}}};
        }
        for (auto& made : b.search.on(done).jobs)
          open.push_back(made);
      }
    }
    return out;
  };
  const auto told = integrations("one"), otherwise = integrations("another");
  REQUIRE_FALSE(told.empty());
  CHECK(told == otherwise);
}

namespace {

/// One search whose rollouts write sentences; `vector_of` embeds.
struct sentence_bench {
  bench b;
  std::vector<job> embeddings, integrations;
  std::function<std::vector<double>(const std::string&)> vector_of;

  static insight sentence(std::string text) {
    insight item;
    item.topic = "fan";
    item.sentence = std::move(text);
    item.id = identity(item);
    return item;
  }

  void iterate(std::uint32_t iteration) {
    auto open = b.search.start({iteration, b.current}).jobs;
    while (!open.empty()) {
      const auto item = open.front();
      open.erase(open.begin());
      auto done = bench::work(item);
      if (auto* rollout = std::get_if<rollout_result>(&done.output)) {
        rollout->insights = {sentence(rollout->task.value == "train0"
                                          ? "Look at it early."
                                          : "It should be seen.")};
      } else if (const auto* work = std::get_if<embed_job>(&item.input)) {
        embeddings.push_back(item);
        embed_result made;
        made.id = item.id;
        if (vector_of)
          for (const auto& text : work->texts)
            made.vectors.push_back(vector_of(text));
        done = {item.id, vector_of ? "" : "no embedder", {}};
        if (vector_of) done.output = std::move(made);
      } else if (kind_of(item) == job_kind::integrate) {
        integrations.push_back(item);
        auto& made = std::get<integrate_result>(done.output);
        for (const auto& counted : std::get<integrate_job>(item.input).insights)
          if (is_sentence(counted)) made.evidence = {{1, {counted.item->id}}};
      }
      for (auto& made : b.search.on(done).jobs)
        open.push_back(made);
    }
  }

  [[nodiscard]] const integrate_job& integration() const {
    return std::get<integrate_job>(integrations.back().input);
  }
};

std::uint32_t most_rollouts(const integrate_job& work) {
  std::uint32_t most = 0;
  for (const auto& counted : work.insights)
    most = std::max(most, counted.count);
  return most;
}

} // namespace

TEST_CASE("new sentences are embedded once, and equal ones merged") {
  sentence_bench s;
  s.vector_of = [](const std::string&) { return std::vector<double>{1, 0}; };
  s.iterate(0);
  s.iterate(1);
  REQUIRE(s.embeddings.size() == 1);
  CHECK(std::get<embed_job>(s.embeddings[0].input).texts
        == std::vector<std::string>{"It should be seen.", "Look at it early."});
  CHECK(s.integration().insights.size() == 2); // with the fact "first"
  CHECK(most_rollouts(s.integration()) == 4);  // of both sentences
  s.iterate(2);
  CHECK(s.embeddings.size() == 1);
  CHECK(most_rollouts(s.integration()) == 8);
}

TEST_CASE("evidence names all sentences that were merged") {
  sentence_bench s;
  s.vector_of = [](const std::string&) { return std::vector<double>{1, 0}; };
  s.iterate(0);
  s.iterate(1);
  std::set<insight_id> named;
  for (const auto& node : records_of(s.b.search.nodes()))
    for (const auto& line : s.b.search.evidence_of(node.hash))
      named.insert(line.insights.begin(), line.insights.end());
  const auto early = sentence_bench::sentence("Look at it early.").id,
             seen = sentence_bench::sentence("It should be seen.").id;
  CHECK(named.contains(early));
  CHECK(named.contains(seen));
}

TEST_CASE("without vectors no sentences are merged, and the search goes on") {
  sentence_bench s;
  s.iterate(0);
  s.iterate(1);
  CHECK(s.embeddings.size() == 1);
  REQUIRE_FALSE(s.integrations.empty());
  CHECK(s.integration().insights.size() == 3);
  CHECK(most_rollouts(s.integration()) == 3);
}
