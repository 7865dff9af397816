/// Which rollouts stand for others where retrieval is by vectors.

#include "tests/economy/by_vectors.hpp"
#include "tests/economy/support.hpp"

#include <deque>
#include <set>

using namespace brewery;
using test::capital_words;
using test::small_world;

namespace {

small_world by_vectors() {
  small_world out;
  out.how.by_vectors = test::replay_by_vectors().by_vectors;
  return out;
}

rollout_reuse reuse_by_vectors(const small_world& world,
                               std::size_t max_questions = 1'000'000,
                               double audit_share = 0) {
  return {std::make_shared<capital_words>(),
          world.documents,
          {world.how, audit_share, max_questions}};
}

/// What became of each job, whose rollouts and embeddings end in any order.
struct dense_outcome {
  std::map<job_id, rollout_result> results;
  std::size_t reused = 0;
  std::vector<std::string> embedded;

  void take(reuse_step step) {
    for (auto& text : step.embed)
      texts_.push_back(std::move(text));
    for (auto& work : step.play)
      jobs_.push_back(std::move(work));
    for (auto& one : step.stand) {
      ++reused;
      const auto id = one.id;
      CHECK(results.emplace(id, std::move(one)).second);
    }
  }

  void end_one(rollout_reuse& reuse, small_world& world, rng& draw) {
    const auto which = draw.below(jobs_.size() + texts_.size());
    if (which < jobs_.size()) {
      const auto work = std::move(jobs_[which]);
      jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(which));
      const auto whole = world.play(work);
      CHECK(results.emplace(work.id, std::get<rollout_result>(whole.output))
                .second);
      take(reuse.played(whole));
      return;
    }
    const auto at =
        texts_.begin() + static_cast<std::ptrdiff_t>(which - jobs_.size());
    const auto text = std::move(*at);
    texts_.erase(at);
    embedded.push_back(text);
    take(reuse.embedded(text, std::make_shared<const std::vector<double>>(
                                  small_world::vector_of(text))));
  }

  [[nodiscard]] bool open() const { return !jobs_.empty() || !texts_.empty(); }

private:
  std::deque<job> jobs_;
  std::deque<std::string> texts_;
};

} // namespace

TEST_CASE("with vectors a result stands with what its own rollout had seen") {
  const auto seed = GENERATE(range(1, 31));
  INFO("seed " << seed);
  rng draw{static_cast<std::uint64_t>(seed)};
  auto world = by_vectors();
  // All is forgotten now and then in some.
  auto reuse = reuse_by_vectors(world, seed % 3 == 0 ? 40 : 1'000'000);
  std::vector<std::string> bodies;
  for (int i = 0; i < 4; ++i)
    bodies.push_back(test::random_body(draw));
  dense_outcome got;
  std::set<job_id> asked;
  std::vector<job> all;
  for (int kb = 0; kb < 20; ++kb) {
    auto changed = bodies;
    changed[draw.below(changed.size())] = test::random_body(draw);
    if (draw.below(4) == 0) bodies = changed;
    for (std::uint64_t task = 0; task < 3; ++task) {
      auto work = small_world::rollout(task, world.kb(changed));
      if (!asked.insert(work.id).second) continue;
      all.push_back(work);
      got.take(reuse.ask(std::move(work)));
      while (got.open() && draw.below(3) > 0)
        got.end_one(reuse, world, draw);
    }
  }
  while (got.open())
    got.end_one(reuse, world, draw);
  REQUIRE(got.results.size() == all.size());
  CHECK(got.reused > 0);
  for (const auto& work : all) {
    const auto own = std::get<rollout_result>(world.play(work).output);
    const auto& made = got.results.at(work.id);
    CHECK(made.grade == own.grade);
    CHECK(made.ranking == own.ranking);
  }
  if (seed % 3 == 0) return;
  const std::set<std::string> once{got.embedded.begin(), got.embedded.end()};
  CHECK(once.size() == got.embedded.size());
}

TEST_CASE("an audit compares how all concepts are ranked, too") {
  const bool wrong = GENERATE(false, true);
  auto world = by_vectors();
  auto reuse = reuse_by_vectors(world, 1'000'000, 1);
  dense_outcome got;
  rng draw{1};
  got.take(reuse.ask(small_world::rollout(1, world.kb({"apple Turn"}))));
  while (got.open())
    got.end_one(reuse, world, draw);
  const auto same = small_world::rollout(1, world.kb({"apple Turn look"}));
  reuse_step step = reuse.ask(same);
  while (step.play.empty()) {
    REQUIRE(step.embed.size() == 1);
    const auto text = step.embed.front();
    step = reuse.embedded(text, std::make_shared<const std::vector<double>>(
                                    small_world::vector_of(text)));
  }
  auto whole = world.play(same);
  if (wrong) std::get<rollout_result>(whole.output).ranking.clear();
  const auto checked = reuse.played(whole).checked;
  REQUIRE(checked.size() == 1);
  CHECK(checked[0].id == same.id);
  CHECK(checked[0].differs.empty() != wrong);
}

TEST_CASE("a rollout is played where a text can have no vector") {
  auto world = by_vectors();
  auto reuse = reuse_by_vectors(world);
  const auto work = small_world::rollout(1, world.kb({"apple Turn", "cedar"}));
  const auto step = reuse.ask(work);
  CHECK(step.play.empty());
  CHECK(step.embed == std::vector<std::string>{"apple Turn", "cedar"});
  CHECK(reuse.expects(work.id));
  const auto next = reuse.embedded("apple Turn", nullptr);
  REQUIRE(next.play.size() == 1);
  CHECK(next.play[0].id == work.id);
  CHECK(reuse.ask(small_world::rollout(2, world.kb({"apple Turn"}))).play.size()
        == 1);
}

TEST_CASE("a blank document needs no embedder") {
  auto world = by_vectors();
  auto reuse = reuse_by_vectors(world);
  const auto step =
      reuse.ask(small_world::rollout(1, world.kb({"apple", " \n"})));
  CHECK(step.embed == std::vector<std::string>{"apple"});
}

TEST_CASE("who is held for a vector is told when the run stops") {
  auto world = by_vectors();
  auto reuse = reuse_by_vectors(world);
  const auto held = small_world::rollout(1, world.kb({"apple"}));
  REQUIRE(reuse.ask(held).play.empty());
  CHECK(reuse.stop() == std::vector<job_id>{held.id});
  CHECK(reuse.embedded("apple", std::make_shared<const std::vector<double>>(8))
            .play.empty());
}

TEST_CASE("a result that was offered frees the one that is held") {
  auto world = by_vectors();
  auto reuse = reuse_by_vectors(world);
  const auto held = small_world::rollout(1, world.kb({"apple Turn"}));
  const auto same = small_world::rollout(1, world.kb({"apple Turn look"}));
  REQUIRE(reuse.ask(held).play.empty());
  REQUIRE(reuse.ask(same).play.empty());
  dense_outcome got;
  rng draw{1};
  got.take(reuse.played(world.play(held)));
  CHECK_FALSE(reuse.expects(held.id));
  got.take(reuse.embedded("apple Turn look",
                          std::make_shared<const std::vector<double>>(
                              small_world::vector_of("apple Turn look"))));
  while (got.open())
    got.end_one(reuse, world, draw);
  CHECK(got.reused == 1);
  CHECK(got.results.contains(same.id));
}
