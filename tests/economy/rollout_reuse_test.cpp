/// Which rollouts are played, which stand for others, and which wait.

#include "economy/rollout_reuse.hpp"
#include "messages/reusable.hpp"
#include "tests/economy/support.hpp"

#include <deque>
#include <set>

using namespace brewery;
using test::capital_words;
using test::small_world;

namespace {

rollout_reuse reuse_of(const small_world& world, double audit_share = 0,
                       std::size_t max_questions = 1'000'000) {
  return {std::make_shared<capital_words>(),
          world.documents,
          {world.how, audit_share, max_questions}};
}

/// The outcome of every job: its reward, and whether it stands for another.
struct answered {
  std::map<job_id, double> rewards;
  std::map<job_id, std::string> reused;
  std::vector<reuse_check> checked;
  std::deque<job> open;

  void take(reuse_step step) {
    for (auto& work : step.play)
      open.push_back(std::move(work));
    for (const auto& one : step.stand) {
      CHECK(rewards.emplace(one.id, one.grade.reward).second);
      reused.emplace(one.id, one.reused_from);
    }
    for (auto& one : step.checked)
      checked.push_back(std::move(one));
  }

  /// Ends an open rollout, any of them.
  void end_one(rollout_reuse& reuse, small_world& world, std::size_t which) {
    const auto work = std::move(open[which]);
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
    const auto whole = world.play(work);
    CHECK(rewards
              .emplace(work.id,
                       std::get<rollout_result>(whole.output).grade.reward)
              .second);
    take(reuse.played(whole));
  }

  void end_all(rollout_reuse& reuse, small_world& world) {
    while (!open.empty())
      end_one(reuse, world, 0);
  }
};

/// Asks for the jobs one after the other, each when the one before has ended.
answered in_turn(rollout_reuse& reuse, small_world& world,
                 const std::vector<job>& jobs) {
  answered out;
  for (const auto& work : jobs) {
    out.take(reuse.ask(work));
    out.end_all(reuse, world);
  }
  return out;
}

std::vector<job> random_jobs(const small_world& world, rng& draw) {
  std::vector<std::string> bodies;
  for (int i = 0; i < 4; ++i)
    bodies.push_back(test::random_body(draw));
  std::vector<job> out;
  std::set<job_id> known;
  for (int kb = 0; kb < 20; ++kb) {
    auto changed = bodies;
    changed[draw.below(changed.size())] = test::random_body(draw);
    if (draw.below(4) == 0) bodies = changed;
    for (std::uint64_t task = 0; task < 3; ++task)
      if (auto work = small_world::rollout(task, world.kb(changed));
          known.insert(work.id).second)
        out.push_back(std::move(work));
  }
  return out;
}

} // namespace

TEST_CASE("another document that is read the same reuses the rollout") {
  small_world world;
  auto reuse = reuse_of(world);
  const auto first = small_world::rollout(1, world.kb({"apple Turn", "cedar"}));
  const auto same =
      small_world::rollout(1, world.kb({"apple Turn look", "cedar"}));
  const auto other = small_world::rollout(1, world.kb({"apple Push", "cedar"}));
  const auto task = small_world::rollout(2, world.kb({"apple Turn", "cedar"}));
  const auto got = in_turn(reuse, world, {first, same, other, task});
  CHECK(got.reused.size() == 1);
  CHECK(got.reused.at(same.id) == first.id.value);
  CHECK(got.rewards.at(same.id) == got.rewards.at(first.id));
  CHECK(world.played == 3);
}

TEST_CASE("a result that stands has the grade and no trajectory") {
  small_world world;
  auto reuse = reuse_of(world);
  const auto first = small_world::rollout(1, world.kb({"apple Turn"}));
  const auto same = small_world::rollout(1, world.kb({"apple Turn look"}));
  auto whole = world.play(first);
  auto& played = std::get<rollout_result>(whole.output);
  played.asked = "another subject";
  played.error = "cut short";
  played.notes = {{"agent", "cut", 1, "too long"}};
  CHECK(reuse.ask(first).play.size() == 1);
  reuse.played(whole);
  const auto step = reuse.ask(same);
  REQUIRE(step.stand.size() == 1);
  auto expected = played;
  expected.id = same.id;
  expected.reused_from = first.id.value;
  expected.steps.clear();
  expected.retrievals.clear();
  expected.notes.clear(); // of the model that was asked once
  CHECK(step.stand.front() == expected);
}

TEST_CASE("what is reused is what would have been played") {
  const auto seed = GENERATE(range(1, 41));
  INFO("seed " << seed);
  rng draw{static_cast<std::uint64_t>(seed)};
  small_world world;
  const auto jobs = random_jobs(world, draw);
  auto reuse = reuse_of(world, 0, draw.below(2) == 0 ? 1'000'000 : 40);
  answered got;
  // In any order: several are open at once and end as they like.
  std::size_t next = 0;
  while (next < jobs.size() || !got.open.empty()) {
    if (next < jobs.size() && (got.open.empty() || draw.below(3) > 0))
      got.take(reuse.ask(jobs[next++]));
    else
      got.end_one(reuse, world, draw.below(got.open.size()));
  }
  CHECK(got.rewards.size() == jobs.size()); // nothing waits for ever
  CHECK(got.checked.empty());
  CHECK(world.played + got.reused.size() == jobs.size());
  for (const auto& work : jobs) {
    INFO("job " << work.id.value);
    const auto whole = world.play(work);
    CHECK(got.rewards.at(work.id)
          == std::get<rollout_result>(whole.output).grade.reward);
  }
}

TEST_CASE("a rollout is reused if and only if one read the same before") {
  const auto seed = GENERATE(range(1, 21));
  INFO("seed " << seed);
  rng draw{static_cast<std::uint64_t>(seed)};
  small_world world;
  const auto jobs = random_jobs(world, draw);
  auto reuse = reuse_of(world);
  const auto got = in_turn(reuse, world, jobs);
  std::set<std::string> read; // of every task
  for (const auto& work : jobs) {
    const auto whole = world.play(work);
    const auto& rollout = std::get<rollout_result>(whole.output);
    auto all = rollout.task.value;
    for (const auto& record : rollout.retrievals) {
      std::vector<const document*> shown;
      for (const auto& hash : record.documents)
        shown.push_back(world.documents->find(hash).get());
      all += "|" + capital_words::capitals_of(shown);
    }
    INFO("job " << work.id.value << " read " << all);
    CHECK(got.reused.contains(work.id) == !read.insert(all).second);
  }
}

TEST_CASE("a difference in the last query only is not overlooked") {
  small_world world;
  const auto before = world.kb({"apple", "berry cedar daisy"});
  const auto first = small_world::rollout(1, before);
  const auto whole = world.play(first);
  // The same first two answers, by documents of the same words.
  auto reuse = reuse_of(world);
  (void)reuse.ask(first);
  auto changed = whole;
  auto& last = std::get<rollout_result>(changed.output).retrievals.back();
  last.query = "unheard";
  last.documents.clear();
  (void)reuse.played(changed);
  const auto same = world.kb({"apple look", "berry cedar daisy"});
  CHECK(reuse.ask(small_world::rollout(1, same)).stand.size() == 1);
  const auto hidden = world.kb({"apple", "berry cedar daisy", "unheard Push"});
  const auto step = reuse.ask(small_world::rollout(1, hidden));
  CHECK(step.stand.empty());
  CHECK(step.play.size() == 1);
}

TEST_CASE("those that may read the same wait for the first of them") {
  small_world world;
  auto reuse = reuse_of(world);
  const auto one = small_world::rollout(1, world.kb({"apple Turn"}));
  const auto two = small_world::rollout(1, world.kb({"apple Turn look"}));
  const auto three = small_world::rollout(1, world.kb({"apple Push"}));
  const auto four = small_world::rollout(1, world.kb({"apple Push look"}));
  answered got;
  for (const auto& work : {one, two, three, four})
    got.take(reuse.ask(work));
  REQUIRE(got.open.size() == 1); // nothing is known yet
  got.end_one(reuse, world, 0);
  CHECK(got.reused.contains(two.id));
  REQUIRE(got.open.size() == 1); // of three and four, the first
  CHECK(got.open.front().id == three.id);
  // What is known to read something else is played at once.
  got.take(reuse.ask(small_world::rollout(1, world.kb({"apple Wait berry"}))));
  CHECK(got.open.size() == 2);
  got.end_all(reuse, world);
  CHECK(got.reused.at(four.id) == three.id.value);
}

TEST_CASE("when the first has no result, the next is played") {
  small_world world;
  auto reuse = reuse_of(world);
  const auto one = small_world::rollout(1, world.kb({"apple Turn"}));
  const auto two = small_world::rollout(1, world.kb({"apple Turn look"}));
  CHECK(reuse.ask(one).play.size() == 1);
  CHECK(reuse.ask(two).play.empty());
  SECTION("it failed") {
    const auto step = reuse.failed(one.id);
    REQUIRE(step.play.size() == 1);
    CHECK(step.play.front().id == two.id);
  }
  SECTION("its environment broke") {
    auto whole = world.play(one);
    std::get<rollout_result>(whole.output).outcome =
        rollout_outcome::environment_error;
    CHECK(reuse.played(whole).play.size() == 1);
  }
  SECTION("the run stops") {
    CHECK(reuse.stop() == std::vector<job_id>{two.id});
    CHECK(reuse.played(world.play(one)).play.empty());
  }
  SECTION("its own result comes from elsewhere") {
    CHECK(reuse.expects(two.id));
    CHECK(reuse.played(world.play(two)).play.empty());
    CHECK(reuse.played(world.play(one)).play.empty()); // nobody waits
  }
}

TEST_CASE("what cannot be repeated is never reused") {
  small_world world;
  auto reuse = reuse_of(world);
  const auto one = small_world::rollout(1, world.kb({"apple Turn"}));
  const auto two = small_world::rollout(1, world.kb({"apple Turn look"}));
  CHECK(reuse.ask(one).play.size() == 1);
  CHECK(reuse.ask(two).play.empty());
  auto whole = world.play(one);
  std::get<rollout_result>(whole.output).grade.parts = {
      {std::string{repeatable_check}, false}};
  const auto step = reuse.played(whole);
  CHECK(step.play.size() == 1);
  CHECK(step.stand.empty());
}

TEST_CASE("rollouts with reflection, a method or no documents are played") {
  small_world world;
  auto reuse = reuse_of(world);
  const auto kb = world.kb({"apple Turn"});
  const auto plain = small_world::rollout(1, kb);
  (void)reuse.ask(plain);
  (void)reuse.played(world.play(plain));
  CHECK(reuse.ask(small_world::rollout(1, kb, true)).play.size() == 1);
  CHECK(reuse.ask(small_world::rollout(1, {})).play.size() == 1);
  auto method = std::get<rollout_job>(plain.input);
  method.method = "in-context";
  method.id = identity(method);
  CHECK(reuse.ask(make_job(method)).play.size() == 1);
  CHECK(reuse.ask(make_job(embed_job{{"e"}, {"text"}})).play.size() == 1);
}

TEST_CASE("other draws, another trial or agent are another sample") {
  small_world world;
  auto reuse = reuse_of(world);
  const auto plain = small_world::rollout(1, world.kb({"apple Turn"}));
  (void)reuse.ask(plain);
  (void)reuse.played(world.play(plain));
  const auto changed = [&](auto change) {
    auto work = std::get<rollout_job>(plain.input);
    work.knowledge = world.kb({"apple Turn look"});
    change(work);
    work.id = identity(work);
    return reuse.ask(make_job(work)).stand.size();
  };
  CHECK(changed([](auto&) {}) == 1);
  CHECK(changed([](auto& work) { work.trial = 1; }) == 0);
  CHECK(changed([](auto& work) { work.seed = 9; }) == 0);
  CHECK(changed([](auto& work) { work.fingerprint = "x"; }) == 0);
}

TEST_CASE("audits of an honest agent find nothing") {
  const auto seed = GENERATE(range(1, 11));
  INFO("seed " << seed);
  rng draw{static_cast<std::uint64_t>(seed)};
  small_world world;
  const auto jobs = random_jobs(world, draw);
  auto plain = reuse_of(world);
  const auto saved = in_turn(plain, world, jobs).reused.size();
  auto audited = reuse_of(world, 0.5);
  const auto got = in_turn(audited, world, jobs);
  CHECK(got.reused.size() + got.checked.size() == saved);
  CHECK(saved > 0);
  for (const auto& check : got.checked)
    CHECK(check.differs.empty());
}

TEST_CASE("audits find an agent that reads more than it says") {
  small_world world;
  world.lies = true;
  std::size_t wrong = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    rng draw{seed};
    auto reuse = reuse_of(world, 1);
    const auto got = in_turn(reuse, world, random_jobs(world, draw));
    for (const auto& check : got.checked)
      wrong += !check.differs.empty();
  }
  CHECK(wrong > 0);
}

TEST_CASE("an audit says what differs, and ends the sample's reuse") {
  small_world world;
  auto reuse = reuse_of(world, 1);
  const auto one = small_world::rollout(1, world.kb({"apple Turn"}));
  const auto two = small_world::rollout(1, world.kb({"apple Turn look"}));
  (void)reuse.ask(one);
  auto first = world.play(one);
  std::get<rollout_result>(first.output).grade.reward = 1;
  (void)reuse.played(first);
  CHECK(reuse.ask(two).play.size() == 1);
  auto second = world.play(two);
  auto& rollout = std::get<rollout_result>(second.output);
  rollout.grade.reward = 1;
  std::string expected = "task t1, trial 1: ";
  SECTION("the reward") {
    rollout.grade.reward = 0.5;
    expected += "its reward is 0.5, that of " + one.id.value
                + ", which read the same, is 1";
  }
  SECTION("the calls") {
    rollout.steps.pop_back();
    expected += "its calls or insights are not those of " + one.id.value
                + ", which read the same";
  }
  SECTION("the questions") {
    rollout.retrievals.back().query = "why";
    expected += "it did not ask what another asked that had read the same";
  }
  SECTION("what it read") {
    rollout.retrievals.back().documents = {world.documents->add("Push")->hash};
    expected += "it did not read what " + one.id.value + " read";
  }
  const auto step = reuse.played(second);
  REQUIRE(step.checked.size() == 1);
  CHECK(step.checked.front().id == two.id);
  CHECK(step.checked.front().differs == expected);
  const auto three = small_world::rollout(1, world.kb({"apple Turn cedar"}));
  CHECK(reuse.ask(three).play.size() == 1);
  CHECK(reuse.played(world.play(three)).checked.empty());
}

TEST_CASE("a rollout from the log can be reused") {
  small_world world;
  const auto one = small_world::rollout(1, world.kb({"apple Turn"}));
  const auto two = small_world::rollout(1, world.kb({"apple Turn look"}));
  auto reuse = reuse_of(world);
  reuse.recall(std::get<rollout_job>(one.input), world.play(one));
  CHECK(reuse.ask(two).stand.size() == 1);
}

TEST_CASE("memory is bounded: all is forgotten when it is full") {
  small_world world;
  rng draw{7};
  auto reuse = reuse_of(world, 0, 10);
  const auto got = in_turn(reuse, world, random_jobs(world, draw));
  CHECK(reuse.forgotten() > 0);
  CHECK_FALSE(got.rewards.empty());
}
