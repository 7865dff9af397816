#include "tests/actors/ledger_bench.hpp"
#include "tests/economy/by_vectors.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

/// Rollouts of one sample under knowledge bases that an agent which ignores its
/// documents cannot tell apart.
struct reuse_bench {
  std::shared_ptr<document_store> documents =
      std::make_shared<document_store>();
  ledger_bench b;

  explicit reuse_bench(double audit_share = 0, memo_content known = {},
                       replay_options replay = {})
      : b{std::move(known), std::make_unique<rollout_reuse>(
                                no_documents(), documents,
                                reuse_options{.replay = std::move(replay),
                                              .audit_share = audit_share})} {}

  job under(const std::string& body) const {
    rollout_job rollout;
    rollout.knowledge = {{concept_id{0}, documents->add(body)->hash}};
    rollout.id = identity(rollout);
    return make_job(rollout);
  }
  static job_result result_of(const job& work, double reward = 1) {
    rollout_result rollout;
    rollout.id = work.id;
    rollout.grade.reward = reward;
    rollout.retrievals = {{0, "what", {}}};
    rollout.steps.resize(2);
    return make_result(rollout);
  }
};

const rollout_result& rollout_in(const job_result& answer) {
  return std::get<rollout_result>(answer.output);
}

} // namespace

TEST_CASE("a rollout that is reused is journalled and counted, not played") {
  reuse_bench r;
  auto& b = r.b;
  const auto one = r.under("one"), two = r.under("two"), three = r.under("3");
  const auto first = b.submit(one);
  const auto second = b.submit(two); // waits for the first
  REQUIRE(b.pool->jobs.size() == 1);
  b.work_ends(0, pack(reuse_bench::result_of(one)));
  CHECK(b.journal->rows.size() == 1); // what stands follows what it stands on
  b.written(0);
  CHECK(first->value().id == one.id);
  REQUIRE(b.journal->rows.size() == 2);
  CHECK(second->open());
  b.written(1);
  CHECK(rollout_in(second->value()).reused_from == one.id.value);
  CHECK(rollout_in(second->value()).grade.reward == 1);
  const auto event = wire::decode<job_result>(b.journal->rows[1].payload);
  REQUIRE(event);
  CHECK(event->id == two.id);
  CHECK(rollout_in(*event).reused_from == one.id.value);
  CHECK(rollout_in(*event).steps.empty());
  const auto third = b.submit(three);
  b.written(2);
  CHECK(rollout_in(third->value()).reused_from == one.id.value);
  CHECK(b.pool->jobs.size() == 1);
  const auto view = b.board->view();
  CHECK(view.rollouts_run == 1);
  CHECK(view.rollouts_reused == 2);
  CHECK(view.reward_sum == 1); // the same sample
}

TEST_CASE(
    "nobody waits for a result that was offered before it was asked for") {
  reuse_bench r;
  auto& b = r.b;
  const auto one = r.under("one"), two = r.under("two");
  b.actors.send(b.actor, atom::offer_v, pack(reuse_bench::result_of(one)));
  b.actors.run();
  const auto first = b.submit(one); // its result is being written
  const auto second = b.submit(two);
  REQUIRE(b.pool->jobs.size() == 1);
  b.written(0);
  CHECK(first->value().id == one.id);
  packed_result any; // what the pool says to that now
  any.brief.id = one.id;
  b.work_ends(0, any);
  REQUIRE(b.pool->jobs.size() == 2);
  CHECK(b.pool->jobs[1].id == two.id);
  b.work_ends(1, pack(reuse_bench::result_of(two)));
  b.written(1);
  CHECK(second->value().id == two.id);
}

TEST_CASE("an audited rollout is played, compared and put on record") {
  reuse_bench r{1};
  auto& b = r.b;
  const auto one = r.under("one"), two = r.under("two");
  b.submit(one);
  b.work_ends(0, pack(reuse_bench::result_of(one)));
  b.written(0);
  const auto second = b.submit(two);
  REQUIRE(b.pool->jobs.size() == 2);
  const double reward = GENERATE(1.0, 0.5);
  b.work_ends(1, pack(reuse_bench::result_of(two, reward)));
  b.written(1);
  CHECK(rollout_in(second->value()).grade.reward == reward);
  CHECK(rollout_in(second->value()).reused_from.empty());
  REQUIRE(b.journal->rows.size() == 3);
  CHECK(b.journal->rows[2].kind == "reuse_check");
  CHECK(b.journal->rows[2].key == two.id.value);
  CHECK(b.journal->rows[2].payload.empty() == (reward == 1.0));
  CHECK(b.board->view().reuse_audited == 1);
  CHECK(b.board->view().reuse_wrong == (reward == 1.0 ? 0U : 1U));
}

TEST_CASE("when a rollout fails or cannot be written, the next is played") {
  reuse_bench r;
  auto& b = r.b;
  const auto one = r.under("one"), two = r.under("two");
  const auto first = b.submit(one);
  const auto second = b.submit(two);
  SECTION("it failed") {
    b.work_ends(0, to_caf({ec::not_found, "no task"}));
  }
  SECTION("it was not written") {
    b.work_ends(0, pack(reuse_bench::result_of(one)));
    b.write_ends(0, to_caf({ec::disk_full, "full"}));
  }
  SECTION("it was given up") {
    auto verdict = reuse_bench::result_of(one);
    std::get<rollout_result>(verdict.output).outcome =
        rollout_outcome::environment_error;
    b.work_ends(0, pack(verdict));
    b.written(0);
  }
  REQUIRE(b.pool->jobs.size() == 2);
  CHECK(b.pool->jobs[1].id == two.id);
  CHECK(second->open());
}

TEST_CASE("what waits for a rollout is cancelled when the run stops") {
  reuse_bench r;
  auto& b = r.b;
  const auto one = r.under("one");
  const auto first = b.submit(one);
  const auto second = b.submit(r.under("two"));
  b.actors.send(b.actor, atom::stop_v);
  b.actors.run();
  CHECK(second->failure().code == ec::cancelled);
  b.work_ends(0, pack(reuse_bench::result_of(one)));
  b.written(0);
  CHECK(first->value().id == one.id);
  CHECK(b.pool->jobs.size() == 1);
}

TEST_CASE("a rollout from the log is reused when it is asked for again") {
  reuse_bench before;
  const auto one = before.under("one");
  before.b.submit(one);
  before.b.work_ends(0, pack(reuse_bench::result_of(one)));
  memo_content log;
  log.logged.emplace(one.id, 1);
  reuse_bench r{0, log};
  r.b.journal->rows = before.b.journal->rows;
  (void)r.under("one");
  const auto first = r.b.submit(one);
  CHECK(first->value().id == one.id);
  const auto second = r.b.submit(r.under("two"));
  CHECK(r.b.pool->jobs.empty());
}

TEST_CASE("vectors that a replay lacks are jobs of the run, each once") {
  reuse_bench r{0, {}, replay_by_vectors()};
  auto& b = r.b;
  const auto text_of = [&](std::size_t index) {
    const auto& asked = std::get<embed_job>(b.pool->jobs.at(index).input);
    REQUIRE(asked.texts.size() == 1);
    return asked.texts.front();
  };
  const auto embeds = [&](std::size_t index) {
    b.work_ends(index, pack(make_result(embed_result{b.pool->jobs.at(index).id,
                                                     {{1.0, 0.5}}})));
    b.written(b.journal->open.size() - 1);
  };
  const auto one = r.under("one"), two = r.under("two");
  const auto first = b.submit(one);
  REQUIRE(b.pool->jobs.size() == 1);
  CHECK(text_of(0) == "one");
  embeds(0);
  REQUIRE(b.pool->jobs.size() == 2);
  CHECK(b.pool->jobs[1].id == one.id);
  b.work_ends(1, pack(reuse_bench::result_of(one)));
  b.written(1);
  CHECK(first->value().id == one.id);
  CHECK(b.pool->jobs.size() == 2); // nobody needs the vector of its query yet
  const auto second = b.submit(two);
  REQUIRE(b.pool->jobs.size() == 3);
  CHECK(text_of(2) == "two");
  embeds(2);
  REQUIRE(b.pool->jobs.size() == 4);
  CHECK(text_of(3) == "what");
  CHECK(second->open());
  embeds(3);
  b.written(b.journal->open.size() - 1);
  CHECK(rollout_in(second->value()).reused_from == one.id.value);
  CHECK(rollout_in(second->value()).ranking
        == std::vector<concept_id>{concept_id{0}});
  CHECK(b.pool->jobs.size() == 4);
  CHECK(b.board->view().jobs_answered == 5);
}

TEST_CASE("a rollout is played if a text of its documents gets no vector") {
  reuse_bench r{0, {}, replay_by_vectors()};
  auto& b = r.b;
  const auto one = r.under("one");
  const auto first = b.submit(one);
  SECTION("the embedder failed") {
    b.work_ends(0, to_caf({ec::malformed, "no numbers"}));
  }
  SECTION("it is another answer") {
    b.work_ends(0, pack(make_result(embed_result{b.pool->jobs.at(0).id, {}})));
    b.written(0);
  }
  REQUIRE(b.pool->jobs.size() == 2);
  CHECK(b.pool->jobs[1].id == one.id);
  CHECK(first->open());
}
