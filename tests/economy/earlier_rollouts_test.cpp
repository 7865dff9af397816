/// Rollouts that another run has played stand in this one, as copies.

#include "messages/reusable.hpp"
#include "messages/reused_from.hpp"
#include "tests/economy/support.hpp"

#include <set>

using namespace brewery;
using test::capital_words;
using test::small_world;

namespace {

/// Another run, which has played with documents of its own.
struct earlier_world {
  small_world world;
  std::vector<rollout_result> played;
  bool is_there = true; ///< its log

  const rollout_result& play(std::uint64_t task,
                             const std::vector<std::string>& bodies) {
    const auto whole = world.play(small_world::rollout(task, world.kb(bodies)));
    played.push_back(std::get<rollout_result>(whole.output));
    return played.back();
  }

  rollout_reuse reused_in(const small_world& mine, double audit_share = 0) {
    reuse_options options{mine.how, audit_share};
    options.read_earlier =
        [this](const earlier_place& place) -> result<rollout_result> {
      if (!is_there) return error{ec::not_found, "no log"};
      return played.at(place.event);
    };
    return {std::make_shared<capital_words>(), mine.documents,
            std::move(options)};
  }

  bool tell(rollout_reuse& reuse, std::size_t which) const {
    rollout_job like;
    like.task = played[which].task;
    return reuse.know(like, played[which], *world.documents,
                      {"first", "runs/first", which});
  }
};

std::vector<doc_hash> shown_in(const rollout_result& rollout) {
  std::vector<doc_hash> out;
  for (const auto& record : rollout.retrievals)
    out.insert(out.end(), record.documents.begin(), record.documents.end());
  return out;
}

} // namespace

TEST_CASE("a rollout of another run stands as the one that is not played") {
  earlier_world before;
  const auto first = before.play(1, {"apple Turn", "cedar"});
  small_world mine;
  auto reuse = before.reused_in(mine);
  REQUIRE(before.tell(reuse, 0));
  const auto same =
      small_world::rollout(1, mine.kb({"apple Turn look", "cedar"}));
  const auto step = reuse.ask(same);
  REQUIRE(step.stand.size() == 1);
  const auto& copy = step.stand.front();
  CHECK(copy.reused_from == of_other_run("first", first.id));
  // All else is what its own rollout would have left.
  auto own = std::get<rollout_result>(mine.play(same).output);
  CHECK(shown_in(own) != shown_in(first));
  own.reused_from = copy.reused_from;
  CHECK(copy == own);

  // A further one stands on the copy, which is in this run's log.
  const auto again =
      small_world::rollout(1, mine.kb({"apple Turn look look", "cedar"}));
  const auto next = reuse.ask(again);
  REQUIRE(next.stand.size() == 1);
  CHECK(next.stand.front().reused_from == same.id.value);
  CHECK(next.stand.front().steps.empty());

  // Another reading is played.
  const auto other = small_world::rollout(1, mine.kb({"apple Push", "cedar"}));
  CHECK(reuse.ask(other).play.size() == 1);
}

TEST_CASE("what stands of another run is what would have been played") {
  const auto seed = GENERATE(range(1, 21));
  INFO("seed " << seed);
  rng draw{static_cast<std::uint64_t>(seed)};
  earlier_world before;
  small_world mine;
  std::vector<std::string> bodies;
  for (int i = 0; i < 3; ++i)
    bodies.push_back(test::random_body(draw));
  const auto changed = [&] {
    auto out = bodies;
    out[draw.below(out.size())] = test::random_body(draw);
    return out;
  };
  auto reuse = before.reused_in(mine);
  for (std::size_t i = 0; i < 30; ++i) {
    before.play(draw.below(3), changed());
    CHECK(before.tell(reuse, i));
  }
  std::size_t copies = 0;
  std::set<job_id> asked;
  for (int i = 0; i < 60; ++i) {
    const auto work = small_world::rollout(draw.below(3), mine.kb(changed()));
    if (!asked.insert(work.id).second) continue;
    const auto step = reuse.ask(work);
    const auto own = mine.play(work);
    for (const auto& play : step.play)
      CHECK(reuse.played(mine.play(play)).checked.empty());
    for (auto stands : step.stand) {
      if (is_of_other_run(stands.reused_from)) {
        ++copies;
        stands.reused_from.clear();
        CHECK(stands == std::get<rollout_result>(own.output));
      } else {
        CHECK(stands.grade == std::get<rollout_result>(own.output).grade);
      }
    }
  }
  CHECK(copies > 0);
}

TEST_CASE("rollouts of other runs are audited like those of this one") {
  earlier_world before;
  before.play(1, {"apple Turn"});
  small_world mine;
  auto reuse = before.reused_in(mine, 1);
  REQUIRE(before.tell(reuse, 0));
  const auto same = small_world::rollout(1, mine.kb({"apple Turn look"}));
  CHECK(reuse.ask(same).play.size() == 1);
  auto whole = mine.play(same);
  const bool differs = GENERATE(false, true);
  if (differs) std::get<rollout_result>(whole.output).grade.reward = 7;
  const auto step = reuse.played(whole);
  REQUIRE(step.checked.size() == 1);
  CHECK(step.checked.front().differs.empty() != differs);
}

TEST_CASE("a rollout is played if the log of the other run is gone") {
  earlier_world before;
  before.play(1, {"apple Turn"});
  small_world mine;
  auto reuse = before.reused_in(mine);
  REQUIRE(before.tell(reuse, 0));
  before.is_there = false;
  const auto same = small_world::rollout(1, mine.kb({"apple Turn look"}));
  CHECK(reuse.ask(same).play.size() == 1);
  CHECK(reuse.played(mine.play(same)).checked.empty());
  // From then on its own rollout stands.
  const auto next =
      reuse.ask(small_world::rollout(1, mine.kb({"apple Turn look look"})));
  REQUIRE(next.stand.size() == 1);
  CHECK(next.stand.front().reused_from == same.id.value);
}

TEST_CASE("other runs that contradict each other are not reused") {
  earlier_world before;
  before.play(1, {"apple Turn"});
  before.play(1, {"apple Turn look"});
  before.played[1].grade.reward += 1;
  small_world mine;
  auto reuse = before.reused_in(mine);
  CHECK(before.tell(reuse, 0));
  CHECK_FALSE(before.tell(reuse, 1));
  const auto work = small_world::rollout(1, mine.kb({"apple Turn"}));
  CHECK(reuse.ask(work).stand.empty());
}

TEST_CASE("what another run cannot repeat, or says too little of, is unknown") {
  earlier_world before;
  before.play(1, {"apple Turn"});
  small_world mine;
  auto reuse = before.reused_in(mine);
  auto& rollout = before.played.front();
  SECTION("it broke") {
    rollout.outcome = rollout_outcome::environment_error;
  }
  SECTION("its grade depends on time") {
    rollout.grade.parts = {{std::string{repeatable_check}, false}};
  }
  SECTION("its trajectory is with another") {
    rollout.reused_from = "other";
  }
  SECTION("a document is not there") {
    rollout.retrievals.front().documents.push_back({"unknown"});
  }
  CHECK_FALSE(before.tell(reuse, 0));
}
