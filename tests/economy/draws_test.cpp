/// An agent that says when it begins to draw: what stands for other trials, and
/// with reflection.

#include "tests/economy/support.hpp"

#include <deque>
#include <set>

using namespace brewery;
using test::capital_words;
using test::small_world;

namespace {

struct drawing_world : small_world {
  drawing_world() { draws = true; }

  rollout_reuse reuse(bool reflections = true) const {
    return {std::make_shared<capital_words>(true), documents,
            reuse_options{.replay = how, .reflections = reflections}};
  }

  /// A document after which the agent begins to draw at once, or never does.
  std::string body_that(bool draws_at_once) {
    rng draw{1};
    while (true) {
      auto body = "apple " + test::random_body(draw);
      const auto whole = play(rollout(1, kb({body})));
      const auto at = std::get<rollout_result>(whole.output).before_draw;
      if (at == (draws_at_once ? 1 : never_drew)) return body;
    }
  }
};

const rollout_result& rollout_of(const job_result& whole) {
  return std::get<rollout_result>(whole.output);
}

} // namespace

TEST_CASE("a rollout without a draw stands for other trials") {
  drawing_world world;
  const auto body = world.body_that(false);
  auto reuse = world.reuse();
  const auto first = small_world::rollout(1, world.kb({body}));
  const auto other =
      small_world::rollout(1, world.kb({body + " look"}), false, 3);
  CHECK(reuse.ask(first).play.size() == 1);
  const auto whole = world.play(first);
  (void)reuse.played(whole);
  const auto step = reuse.ask(other);
  REQUIRE(step.stand.size() == 1);
  auto expected = rollout_of(world.play(other));
  expected.reused_from = first.id.value;
  expected.steps.clear();
  expected.retrievals.clear();
  CHECK(step.stand.front() == expected);
  CHECK(expected.trial == 3);
}

TEST_CASE("a rollout that drew stands for its trial only") {
  drawing_world world;
  const auto body = world.body_that(true);
  auto reuse = world.reuse();
  const auto asked = [&](std::uint32_t trial, const std::string& more) {
    return reuse.ask(
        small_world::rollout(1, world.kb({body + more}), false, trial));
  };
  const auto first = small_world::rollout(1, world.kb({body}));
  (void)reuse.ask(first);
  (void)reuse.played(world.play(first));
  CHECK(asked(0, " look").stand.size() == 1);
  CHECK(asked(1, " look").play.size() == 1);
  CHECK(asked(2, " look").play.size() == 1); // it does not wait for trial 1
}

TEST_CASE("trials wait for the first until it is known to draw") {
  drawing_world world;
  const bool draws = GENERATE(false, true);
  const auto body = world.body_that(draws);
  auto reuse = world.reuse();
  const auto trial = [&](std::uint32_t number) {
    return small_world::rollout(1, world.kb({body}), false, number);
  };
  CHECK(reuse.ask(trial(0)).play.size() == 1);
  CHECK(reuse.ask(trial(1)).play.empty());
  CHECK(reuse.ask(trial(2)).play.empty());
  const auto step = reuse.played(world.play(trial(0)));
  CHECK(step.play.size() == (draws ? 2 : 0));
  CHECK(step.stand.size() == (draws ? 0 : 2));
}

TEST_CASE("where a rollout taught nothing, no others wait for the next") {
  drawing_world world;
  const auto body = world.body_that(false);
  auto reuse = world.reuse();
  const auto trial = [&](std::uint32_t number) {
    return small_world::rollout(1, world.kb({body}), false, number);
  };
  for (std::uint32_t number = 0; number < 3; ++number)
    CHECK(reuse.ask(trial(number)).play.size() == (number == 0 ? 1U : 0U));
  auto whole = world.play(trial(0));
  auto& made = std::get<rollout_result>(whole.output);
  SECTION("its worker is of an older release") {
    made.before_draw = 0;
    CHECK(reuse.played(whole).play.size() == 2);
  }
  SECTION("its environment broke") {
    made.outcome = rollout_outcome::environment_error;
    CHECK(reuse.played(whole).play.size() == 2);
  }
  SECTION("it has no result") {
    CHECK(reuse.failed(trial(0).id).play.size() == 2);
  }
  CHECK(reuse.ask(trial(3)).play.size() == 1);
  // Until one teaches something: then it stands for those that come.
  const auto step = reuse.played(world.play(trial(1)));
  CHECK(step.play.empty());
  CHECK(reuse.ask(trial(4)).stand.size() == 1);
  CHECK(reuse.played(world.play(trial(2))).checked.empty());
}

TEST_CASE("insights that are too many to be kept stand for no trial") {
  drawing_world world;
  const auto body = world.body_that(false);
  auto reuse = world.reuse();
  const auto first = small_world::rollout(1, world.kb({body}), true);
  (void)reuse.ask(first);
  auto whole = world.play(first);
  std::get<rollout_result>(whole.output).insights =
      std::vector<shared_value<insight>>(300'000, insight{});
  (void)reuse.played(whole);
  const auto other = small_world::rollout(1, world.kb({body}), true, 1);
  CHECK(reuse.ask(other).play.size() == 1);
}

TEST_CASE("what was played while all was forgotten has its insights") {
  drawing_world world;
  const auto body = world.body_that(false);
  rollout_reuse reuse{std::make_shared<capital_words>(true), world.documents,
                      reuse_options{.replay = world.how,
                                    .audit_share = 1,
                                    .max_questions = 50,
                                    .reflections = true}};
  const auto ends = [&](const job& work) {
    return reuse.played(world.play(work));
  };
  const auto rollout = [&](std::uint64_t task, std::uint32_t trial) {
    return small_world::rollout(task, world.kb({body}), true, trial);
  };
  CHECK(reuse.ask(rollout(1, 0)).play.size() == 1);
  CHECK(ends(rollout(1, 0)).checked.empty());
  CHECK(reuse.ask(rollout(1, 1)).play.size() == 1); // an audit
  for (std::uint64_t task = 2; reuse.forgotten() == 0; ++task) {
    REQUIRE(task < 100);
    (void)reuse.ask(rollout(task, 0));
    (void)ends(rollout(task, 0));
  }
  CHECK(ends(rollout(1, 1)).checked.size() == 1);
  CHECK(reuse.ask(rollout(1, 2)).play.size() == 1);
  CHECK(ends(rollout(1, 2)).checked.size() == 1); // it might have stood
}

TEST_CASE("with reflection ratings and insights stand too") {
  drawing_world world;
  const auto body = world.body_that(false);
  const auto first = small_world::rollout(1, world.kb({body}), true);
  const auto other =
      small_world::rollout(1, world.kb({body + " look"}), true, 1);
  SECTION("where reviews look at the attempt only") {
    auto reuse = world.reuse();
    (void)reuse.ask(first);
    (void)reuse.played(world.play(first));
    const auto step = reuse.ask(other);
    REQUIRE(step.stand.size() == 1);
    const auto played = rollout_of(world.play(other));
    REQUIRE_FALSE(played.insights.empty());
    CHECK(step.stand.front().insights == played.insights);
    CHECK(step.stand.front().ratings == played.ratings);
    CHECK(reuse.ask(small_world::rollout(1, world.kb({body}))).play.size()
          == 1); // without reflection it is another sample
  }
  SECTION("and nowhere else") {
    auto reuse = world.reuse(false);
    (void)reuse.ask(first);
    (void)reuse.played(world.play(first));
    CHECK(reuse.ask(other).play.size() == 1);
  }
}

TEST_CASE("with reflection a rollout that drew stands for none") {
  drawing_world world;
  const auto body = world.body_that(true);
  auto reuse = world.reuse();
  const auto first = small_world::rollout(1, world.kb({body}), true);
  (void)reuse.ask(first);
  (void)reuse.played(world.play(first));
  const auto same = small_world::rollout(1, world.kb({body + " look"}), true);
  CHECK(reuse.ask(same).play.size() == 1);
  CHECK(reuse.played(world.play(same)).checked.empty());
}

TEST_CASE("a rollout of an older release says nothing about its draws") {
  drawing_world world;
  const auto body = world.body_that(false);
  auto reuse = world.reuse();
  const auto first = small_world::rollout(1, world.kb({body}));
  auto whole = world.play(first);
  std::get<rollout_result>(whole.output).before_draw = GENERATE(0U, 9U);
  reuse.recall(std::get<rollout_job>(first.input), whole);
  const auto same = small_world::rollout(1, world.kb({body + " look"}));
  CHECK(reuse.ask(same).play.size() == 1);
  CHECK(reuse.played(world.play(same)).checked.empty());
}

TEST_CASE("what stands for any trial is what would have been played") {
  const auto seed = GENERATE(range(1, 41));
  INFO("seed " << seed);
  rng draw{static_cast<std::uint64_t>(seed)};
  drawing_world world;
  auto reuse = world.reuse();
  std::vector<std::string> bodies(3);
  for (auto& body : bodies)
    body = test::random_body(draw);
  std::map<job_id, job> asked;
  std::map<job_id, rollout_result> got;
  std::deque<job> open;
  const auto take = [&](reuse_step step) {
    for (auto& work : step.play)
      open.push_back(std::move(work));
    for (auto& one : step.stand)
      CHECK(got.emplace(one.id, one).second);
    CHECK(step.checked.empty());
  };
  const auto end_one = [&] {
    const auto which = static_cast<std::ptrdiff_t>(draw.below(open.size()));
    const auto work = open[static_cast<std::size_t>(which)];
    open.erase(open.begin() + which);
    const auto whole = world.play(work);
    CHECK(got.emplace(work.id, rollout_of(whole)).second);
    take(reuse.played(whole));
  };
  for (int i = 0; i < 150; ++i) {
    auto changed = bodies;
    changed[draw.below(changed.size())] = test::random_body(draw);
    auto work = small_world::rollout(draw.below(2), world.kb(changed),
                                     draw.below(2) == 0,
                                     static_cast<std::uint32_t>(draw.below(4)));
    if (asked.emplace(work.id, work).second) take(reuse.ask(work));
    if (!open.empty() && draw.below(3) == 0) end_one();
  }
  while (!open.empty())
    end_one();
  CHECK(got.size() == asked.size()); // nothing waits for ever
  std::size_t of_other_trials = 0;
  for (const auto& [id, work] : asked) {
    const auto& made = got.at(id);
    const auto expected = rollout_of(world.play(work));
    CHECK(made.grade == expected.grade);
    CHECK(made.trial == expected.trial);
    CHECK(made.insights == expected.insights);
    CHECK(made.ratings == expected.ratings);
    if (!made.reused_from.empty())
      of_other_trials += got.at(job_id{made.reused_from}).trial != made.trial;
  }
  CHECK(of_other_trials > 0);
}
