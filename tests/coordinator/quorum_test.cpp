/// Whole searches in virtual time: phases and trees with simulated work that
/// takes as long as it is told, on as many workers as there are jobs.

#include "coordinator/phases.hpp"
#include "tests/fixtures/stub_work.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <deque>

using namespace brewery;
using namespace brewery::test;

namespace {

const std::vector<std::string> ten_topics{"a", "b", "c", "d", "e",
                                          "f", "g", "h", "i", "j"};

/// How long a job takes, by its tree (initial work has none).
using pace = std::function<double(const job&)>;

class timed_search {
public:
  timed_search(const brew_settings& settings, pace takes,
               std::vector<gather_record> recorded = {})
      : settings_(std::make_shared<const brew_settings>(settings)),
        takes_(std::move(takes)),
        phases_(settings_, documents_, std::move(recorded)) {}

  void run() {
    steps_.push_back(phases_.begin());
    for (;;) {
      while (!steps_.empty()) {
        const auto step = std::move(steps_.front());
        steps_.pop_front();
        carry_out(step);
      }
      if (running_.empty()) return;
      const auto first = running_.begin();
      now_ = first->first;
      const auto work = std::move(first->second);
      running_.erase(first);
      const auto answer = stub_work(work, ten_topics);
      steps_.push_back(phases_.on(answer));
      for (auto& [id, tree] : trees_)
        take(tree.on(answer));
    }
  }

  std::vector<gather_record> gathers;
  std::vector<double> closed_at; ///< by iteration
  /// Under which knowledge base a tree did an iteration.
  std::map<std::pair<concept_id, std::uint32_t>, std::vector<doc_ref>> orders;
  const brew_phases& phases() const { return phases_; }

private:
  void carry_out(const phase_step& step) {
    REQUIRE_FALSE(step.failed);
    for (const auto& work : step.jobs)
      begin(work);
    for (const auto& seed : step.trees)
      trees_.emplace(seed.about.record.id,
                     concept_search{settings_, seed.about, seed.root,
                                    seed.evidence, documents_});
    if (step.catch_up) order(step.late_tree, *step.catch_up);
    if (step.gathered) {
      gathers.push_back(*step.gathered);
      closed_at.push_back(now_);
    }
    if (step.expand)
      for (const auto id : step.ready)
        order(id, *step.expand);
  }

  void order(concept_id tree, const start_expand& message) {
    CHECK(orders.emplace(std::pair{tree, message.iteration}, message.current)
              .second);
    take(trees_.at(tree).start(message));
  }

  void take(const search_step& step) {
    for (const auto& work : step.jobs)
      begin(work);
    if (step.report) steps_.push_back(phases_.on(*step.report));
  }

  void begin(const job& work) { running_.emplace(now_ + takes_(work), work); }

  std::shared_ptr<const brew_settings> settings_;
  std::shared_ptr<document_store> documents_ =
      std::make_shared<document_store>();
  pace takes_;
  brew_phases phases_;
  std::map<concept_id, concept_search> trees_;
  std::deque<phase_step> steps_;
  std::multimap<double, job> running_;
  double now_ = 0;
};

brew_settings settings(double quorum) {
  auto out = stub_settings();
  out.learner.iterations = 8;
  out.learner.gather_quorum = quorum;
  out.learner.tree.max_width = 8;
  return out;
}

/// One job in thirty takes thirty times as long: some tree is nearly always
/// late, and it is a different one each time.
pace with_stalls(std::uint64_t seed) {
  return [seed](const job& work) {
    rng draw{rng_key(seed, "pace", work.id.value)};
    const double takes = 0.5 + draw.uniform();
    return draw.below(30) == 0 ? 30 * takes : takes;
  };
}

} // namespace

TEST_CASE("with a quorum a search with stragglers is done earlier") {
  double full = 0, quorum = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    INFO("seed " << seed);
    timed_search all{settings(1), with_stalls(seed)};
    all.run();
    timed_search most{settings(0.7), with_stalls(seed)};
    most.run();
    REQUIRE(all.gathers.size() == 9);
    REQUIRE(most.gathers.size() == 9);
    CHECK(count_late(all.gathers) == 0);
    CHECK(count_late(most.gathers) > 0);
    // The first barrier waits for fewer of the very same jobs.
    CHECK(most.closed_at.front() <= all.closed_at.front());
    full += all.closed_at.back();
    quorum += most.closed_at.back();
  }
  INFO("full " << full << ", quorum " << quorum);
  CHECK(quorum < 0.9 * full);
}

TEST_CASE("every tree does every iteration once, on that iteration's KB") {
  timed_search search{settings(0.5), with_stalls(3)};
  search.run();
  CHECK(search.phases().phase() == search_phase::finished);
  REQUIRE(search.gathers.size() == 9);
  const auto trees = search.phases().concepts().size();
  REQUIRE(trees >= 5);
  CHECK(search.orders.size() == 9 * trees);
  for (const auto& [who, current] : search.orders)
    if (who.second > 0) {
      INFO("tree " << who.first.value << ", iteration " << who.second);
      // Late or not: what the barrier before had gathered.
      CHECK(current == search.gathers[who.second - 1].current);
    }
  // The result has everything: the best of each tree's last report.
  for (const auto& report : search.gathers.back().reports)
    CHECK(report.iteration == 8);
  CHECK(search.gathers.back().reports.size() == trees);
}

TEST_CASE("a search that follows a log ends alike at any pace") {
  timed_search recorded{settings(0.5), with_stalls(3)};
  recorded.run();
  std::size_t others = 0;
  for (std::uint64_t seed = 10; seed < 15; ++seed) {
    INFO("pace " << seed);
    timed_search fresh{settings(0.5), with_stalls(seed)};
    fresh.run();
    others += fresh.gathers != recorded.gathers;
    timed_search followed{settings(0.5), with_stalls(seed), recorded.gathers};
    followed.run();
    CHECK(followed.gathers == recorded.gathers);
    CHECK(followed.orders == recorded.orders);
  }
  CHECK(others > 0);
}

TEST_CASE("with a full barrier the pace of the work changes nothing") {
  timed_search one{settings(1), with_stalls(1)};
  one.run();
  timed_search two{settings(1), with_stalls(2)};
  two.run();
  CHECK(one.gathers == two.gathers);
}
