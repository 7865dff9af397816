#include "learners/brew/concept_search.hpp"
#include "tests/fixtures/stub_work.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace brewery;
using namespace brewery::test;

namespace {

rollout_result& rollout_of(job_result& answer) {
  return std::get<rollout_result>(answer.output);
}
const rollout_job& rollout_of(const job& item) {
  return std::get<rollout_job>(item.input);
}
const integrate_job& integrate_of(const job& item) {
  return std::get<integrate_job>(item.input);
}
bool is_rollout(const job& item) {
  return kind_of(item) == job_kind::rollout;
}
bool is_integrate(const job& item) {
  return kind_of(item) == job_kind::integrate;
}

/// One tree of four train and three eval tasks, fed by hand.
struct training {
  std::shared_ptr<document_store> documents =
      std::make_shared<document_store>();
  doc_hash root = documents->add("# Fan\n\nfan\n")->hash;
  std::vector<doc_ref> current{{{0}, root}};
  concept_search search;

  explicit training(const brew_settings& settings)
      : search{std::make_shared<const brew_settings>(settings),
               fan_concept(settings),
               root,
               {},
               documents} {}

  /// Answers every job of an iteration; `change` edits rollouts first.
  template <class Change>
  expand_report iterate(std::uint32_t iteration, Change change) {
    asked.clear();
    auto open = search.start({iteration, current}).jobs;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const job item = open[i];
      asked.push_back(item);
      auto answer = stub_work(item, {"fan"});
      if (is_rollout(item)) change(rollout_of(item), rollout_of(answer));
      auto step = search.on(answer);
      open.insert(open.end(), step.jobs.begin(), step.jobs.end());
      if (step.report) return *step.report;
    }
    FAIL("no report");
    return {};
  }
  expand_report iterate(std::uint32_t iteration) {
    return iterate(iteration, [](const auto&, auto&) {});
  }

  std::set<std::string> integrated() const {
    std::set<std::string> out;
    for (const auto& item : asked)
      if (is_integrate(item))
        for (const auto& counted : integrate_of(item).insights)
          out.insert(counted.item->sentence);
    return out;
  }

  std::vector<job> asked; ///< in the last iteration
};

/// What a rollout of the iteration learns, alike for all tasks.
auto learns(std::vector<std::pair<std::string, std::string>> insights) {
  return [insights](const rollout_job& work, rollout_result& out) {
    if (!work.reflect) return;
    std::vector<shared_value<insight>> learned;
    for (const auto& [topic, text] : insights)
      learned.emplace_back(stub_insight(topic, text));
    out.insights = std::move(learned);
  };
}

} // namespace

TEST_CASE("training success is the mean grade of the graded rollouts") {
  training t{stub_settings()};
  CHECK(t.iterate(0).train_success == 0); // nothing was trained
  const auto report =
      t.iterate(1, [](const rollout_job& work, rollout_result& out) {
        if (!work.reflect) return;
        out.grade.reward = work.task.value == "train1" ? 1 : 0.25;
        if (work.task.value != "train3") return;
        out.outcome = rollout_outcome::environment_error;
        out.grade.reward = 1;
      });
  CHECK(report.train_success == Approx((0.25 + 1 + 0.25) / 3));
}

TEST_CASE("training success is 0 when every environment broke") {
  training t{stub_settings()};
  t.iterate(0);
  const auto report = t.iterate(1, [](const rollout_job&, rollout_result& out) {
    out.outcome = rollout_outcome::environment_error;
    out.grade.reward = 1;
  });
  CHECK(report.train_success == 0);
}

TEST_CASE("a later iteration counts its own training only") {
  training t{stub_settings()};
  t.iterate(0);
  const auto graded = [](double reward) {
    return [reward](const rollout_job& work, rollout_result& out) {
      if (work.reflect) out.grade.reward = reward;
    };
  };
  CHECK(t.iterate(1, graded(1)).train_success == 1);
  const auto second = t.iterate(2, graded(0.5));
  CHECK(second.train_success == 0.5);
  CHECK(second.added == 3);
  CHECK(second.dropped == 0);
  CHECK(second.iteration == 2);
}

TEST_CASE("insights after one on another concept's topic are still learned") {
  training t{stub_settings()};
  t.iterate(0);
  t.iterate(1, learns({{"bill", "foreign"}, {"fan", "own"}}));
  CHECK(t.integrated() == std::set<std::string>{"own"});
}

TEST_CASE("kept or not, the integrator is told what this iteration learned") {
  for (const bool keep : {true, false}) {
    INFO("insights are kept: " << keep);
    auto settings = stub_settings();
    settings.learner.accumulate_insights = keep;
    training t{settings};
    t.iterate(0);
    t.iterate(1, learns({{"fan", "first"}}));
    CHECK(t.integrated() == std::set<std::string>{"first"});
    t.iterate(2, learns({{"fan", "second"}}));
    CHECK(t.integrated()
          == (keep ? std::set<std::string>{"first", "second"}
                   : std::set<std::string>{"second"}));
  }
}

TEST_CASE("training trials go on counting after the initial ones") {
  auto settings = stub_settings();
  settings.learner.initial_trials = 2;
  settings.learner.train_trials = 3;
  training t{settings};
  t.iterate(0);
  const auto trials = [&t] {
    std::multiset<std::uint32_t> out;
    for (const auto& item : t.asked)
      if (is_rollout(item) && rollout_of(item).reflect
          && rollout_of(item).task.value == "train0")
        out.insert(rollout_of(item).trial);
    return out;
  };
  t.iterate(1);
  CHECK(trials() == std::multiset<std::uint32_t>{2, 3, 4});
  t.iterate(2);
  CHECK(trials() == std::multiset<std::uint32_t>{5, 6, 7});
}

TEST_CASE("the draws below a version are numbered on from those before") {
  auto settings = stub_settings();
  settings.learner.tree.max_width = 6;
  training t{settings};
  t.iterate(0);
  const auto draws = [&t] {
    std::vector<std::uint32_t> out;
    for (const auto& item : t.asked)
      if (is_integrate(item)) out.push_back(integrate_of(item).draw);
    return out;
  };
  t.iterate(1);
  CHECK(draws() == std::vector<std::uint32_t>{0, 1, 2});
  t.iterate(2);
  CHECK(draws() == std::vector<std::uint32_t>{3, 4, 5});
}

TEST_CASE("an integration is told all that its result depends on") {
  auto settings = stub_settings();
  settings.seed = 9;
  settings.learner.integrator_temperature = 0.25;
  training t{settings};
  t.iterate(0);
  t.iterate(1);
  std::size_t integrations = 0;
  for (const auto& item : t.asked)
    if (is_integrate(item)) {
      ++integrations;
      const auto& work = integrate_of(item);
      CHECK(work.id == identity(work, ""));
      CHECK(work.seed == 9);
      CHECK(work.temperature == 0.25);
      CHECK(work.title == "Fan");
      CHECK(work.concept_ref == concept_id{0});
      CHECK(work.parent == t.root);
    }
  CHECK(integrations == 3);
}

TEST_CASE("a version is scored in each evaluation trial of each task") {
  auto settings = stub_settings();
  settings.eval_choice.trials = 2;
  training t{settings};
  CHECK(t.iterate(0).best.evaluated == 6);
  std::set<std::pair<std::string, std::uint32_t>> asked;
  for (const auto& item : t.asked)
    asked.emplace(rollout_of(item).task.value, rollout_of(item).trial);
  CHECK(asked.size() == 6);
  for (const auto& [task, trial] : asked)
    CHECK(trial < 2);
}

TEST_CASE("a concept without held-out tasks keeps its first document") {
  auto settings = stub_settings();
  settings.eval.clear();
  training t{settings};
  const auto step = t.search.start({1, t.current});
  CHECK(step.jobs.empty());
  REQUIRE(step.report);
  CHECK(step.report->note
        == "no held-out task is relevant: the first document stays");
  CHECK(step.report->best.hash == t.root);
}

TEST_CASE("a concept without training tasks is integrated at once") {
  auto settings = stub_settings();
  settings.train.clear();
  training t{settings};
  t.iterate(0);
  const auto step = t.search.start({1, t.current});
  REQUIRE(step.jobs.size() == 3);
  for (const auto& item : step.jobs)
    CHECK(is_integrate(item));
}

TEST_CASE("integrations that were given up are dropped, the rest adopted") {
  training t{stub_settings()};
  t.iterate(0);
  auto open = t.search.start({1, t.current}).jobs;
  std::optional<expand_report> report;
  bool first = true;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const job item = open[i];
    auto answer = stub_work(item, {"fan"});
    if (is_integrate(item) && std::exchange(first, false))
      answer.output = std::monostate{};
    auto step = t.search.on(answer);
    open.insert(open.end(), step.jobs.begin(), step.jobs.end());
    if (step.report) report = step.report;
  }
  REQUIRE(report);
  CHECK(report->added == 2);
  CHECK(report->dropped == 1);
}

TEST_CASE("the number of a draw that was given up is not drawn again") {
  // Nothing new is learned, so an equal number would be the same job.
  auto settings = stub_settings();
  settings.train.clear();
  settings.learner.tree.how = GENERATE(strategy::mcts, strategy::iterative);
  const bool all = GENERATE(false, true);
  training t{settings};
  t.iterate(0);
  std::set<job_id> drawn;
  std::size_t given_up = 0;
  for (std::uint32_t iteration = 1; iteration <= 2; ++iteration) {
    auto open = t.search.start({iteration, t.current}).jobs;
    std::optional<expand_report> report;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const job item = open[i];
      auto answer = stub_work(item, {"fan"});
      if (is_integrate(item)) {
        INFO("iteration " << iteration << ", " << i);
        CHECK(drawn.insert(item.id).second);
        if (iteration == 1 && (all || given_up == 0)) {
          ++given_up;
          answer.output = std::monostate{};
        }
      }
      auto step = t.search.on(answer);
      open.insert(open.end(), step.jobs.begin(), step.jobs.end());
      if (step.report) report = step.report;
    }
    REQUIRE(report);
    if (iteration == 1) CHECK(report->dropped == given_up);
    if (iteration == 1 && all)
      CHECK(report->note == "no candidate was written");
    if (iteration == 2) CHECK(report->added > 0);
  }
}

TEST_CASE("the retrieval reward is that of the concept's own document") {
  auto settings = stub_settings();
  training t{settings};
  // Only the other document has the words of the eval instructions.
  const auto other = t.documents->add("# Eval\n\neval number 0 1 2\n")->hash;
  t.current.push_back({{1}, other});
  CHECK(t.iterate(0).best.retrieval == 0);
}

TEST_CASE("the retrieval reward is for what the agent asked first") {
  auto settings = stub_settings();
  training t{settings};
  const auto other = t.documents->add("# Eval\n\neval number 0 1 2\n")->hash;
  t.current.push_back({{1}, other});
  const auto report =
      t.iterate(0, [](const rollout_job& work, rollout_result& out) {
        // A word of the tree's own document.
        if (!work.reflect) out.asked = "fan";
      });
  CHECK(report.best.retrieval == 1);
}

TEST_CASE("the retrieval reward is by the ranking that rollouts bring") {
  auto settings = stub_settings();
  settings.ranked_by_rollouts = true;
  training t{settings};
  const auto other = t.documents->add("# Eval\n\neval number 0 1 2\n")->hash;
  t.current.push_back({{1}, other});
  CHECK(t.iterate(0).best.retrieval == 0); // BM25 is not asked
  const auto second = [](const rollout_job& work, rollout_result& out) {
    if (!work.reflect) out.ranking = {{1}, {0}};
  };
  training found{settings};
  found.documents->add("# Eval\n\neval number 0 1 2\n");
  found.current.push_back({{1}, other});
  CHECK(found.iterate(0, second).best.retrieval == 0.5);
}

TEST_CASE("training rollouts may have the version that is expanded") {
  const auto on_selected = GENERATE(false, true);
  auto settings = stub_settings();
  settings.learner.train_on_selected = on_selected;
  training t{settings};
  t.iterate(0);
  // The gathered version is another than the root, which is expanded.
  const auto best = t.documents->add("# Fan\n\nanother fan\n")->hash;
  t.current = {{{0}, best}};
  std::size_t trained = 0;
  t.iterate(1, [&](const rollout_job& work, rollout_result&) {
    if (!work.reflect) return;
    ++trained;
    REQUIRE(work.knowledge.size() == 1);
    CHECK(work.knowledge[0].hash == (on_selected ? t.root : best));
  });
  CHECK(trained > 0);
}
