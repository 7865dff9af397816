/// Rollouts whose retrieval needs vectors: what their results bring.

#include "tests/workers/runner_bench.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

class failing_embedder final : public embedder {
public:
  result<std::vector<std::vector<double>>>
  embed(const std::vector<std::string>&, job_context&) const override {
    return error{ec::rate_limited, "embedder: too many"};
  }
};

/// A runner of one kind of retrieval on the toy, and documents for it.
struct ranked_bench {
  std::shared_ptr<const benchmark> source = make_toy_benchmark({});
  std::shared_ptr<document_store> documents =
      std::make_shared<document_store>();
  std::vector<doc_ref> knowledge{
      {{2}, documents->add("# Light\n\nlight symptom\n")->hash},
      {{4}, documents->add("")->hash},
      {{7}, documents->add("# Device\n\nlight symptom place device\n")->hash},
      {{9}, documents->add("# Zebra\n\nzebra\n")->hash}};

  rollout_result run(const retrieval_options& how, bool reflect = false,
                     std::shared_ptr<const benchmark> tasks = nullptr) const {
    const auto done = attempt(how, reflect, tasks, procedural_roles({}, how));
    REQUIRE(done);
    return std::get<rollout_result>(done->output);
  }
  result<job_result> attempt(const retrieval_options& how, bool reflect,
                             std::shared_ptr<const benchmark> tasks,
                             role_set roles) const {
    const job_runner runner{tasks ? tasks : source, std::move(roles), documents,
                            how};
    return runner.run(make_job(make_rollout_job(
        settings_for(*source), {"train-000"}, 0, knowledge, reflect)));
  }
};

} // namespace

TEST_CASE("a result brings the ranking that its agent was shown the head of") {
  const ranked_bench b;
  for (const auto* kind : {"dense", "hybrid"}) {
    INFO(kind);
    const retrieval_options how{.kind = kind, .top_k = 1};
    const auto rollout = b.run(how);
    REQUIRE(!rollout.retrievals.empty());
    REQUIRE(!rollout.ranking.empty());
    std::map<concept_id, doc_hash> hashes;
    for (const auto& ref : b.knowledge)
      hashes[ref.concept_ref] = ref.hash;
    CHECK(rollout.retrievals.front().documents
          == std::vector{hashes.at(rollout.ranking.front())});
    // The blank one is nowhere.
    CHECK(std::ranges::count(rollout.ranking, concept_id{4}) == 0);
    CHECK(b.run(how).ranking == rollout.ranking);
  }
}

TEST_CASE("a fusion of words alone ranks as BM25 does") {
  const ranked_bench b;
  const auto words = b.run({});
  auto fused = b.run({.kind = "hybrid", .fusion = {60, 1, 0}});
  CHECK(fused.retrievals == words.retrievals);
  CHECK(fused.steps == words.steps);
}

TEST_CASE("BM25 and reflected rollouts bring no ranking") {
  const ranked_bench b;
  CHECK(b.run({}).ranking.empty());
  CHECK(b.run({.kind = "dense"}, true).ranking.empty());
}

TEST_CASE("a rollout whose environment broke ranks for the task") {
  const ranked_bench b;
  const auto breaking = std::make_shared<breaking_benchmark>(
      b.source, [](const task_id&) { return true; });
  const auto broken = b.run({.kind = "dense"}, false, breaking);
  CHECK(broken.outcome == rollout_outcome::environment_error);
  CHECK(broken.ranking == b.run({.kind = "dense"}).ranking);
}

TEST_CASE("an embedder that fails fails the job, as any model") {
  const ranked_bench b;
  auto roles = procedural_roles({}, {});
  roles.embedder = std::make_shared<failing_embedder>();
  const auto failed = b.attempt({.kind = "hybrid"}, false, nullptr, roles);
  REQUIRE_FALSE(failed);
  CHECK(failed.error().code == ec::rate_limited);
  CHECK(failed.error().message == "embedder: too many");
  CHECK(b.attempt({}, false, nullptr, roles)); // BM25 asks nobody
}
