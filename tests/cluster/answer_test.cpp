#include "cluster/answer.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>

using namespace brewery;

namespace {

job rollout() {
  rollout_job work;
  work.id = {"j"};
  work.task = {"t"};
  work.trial = 2;
  return make_job(work);
}
job_result played() {
  rollout_result made;
  made.id = {"j"};
  made.task = {"t"};
  made.trial = 2;
  made.grade.reward = 1;
  return make_result(made);
}
job embed() {
  embed_job work;
  work.id = {"j"};
  work.texts = {"a", "b"};
  return make_job(work);
}
job_result embedded() {
  return make_result(embed_result{{"j"}, {{0.0, 1.0}, {1.0, 0.0}}});
}
job integrate() {
  integrate_job work;
  work.id = {"j"};
  return make_job(work);
}
job_result integrated() {
  return make_result(integrate_result{{"j"}, "# T\n", {}});
}

job grading() {
  grade_job work;
  work.id = {"j"};
  work.task = {"t"};
  return make_job(work);
}
job_result graded(double reward = 1, const std::string& task = "t") {
  return make_result(grade_result{{"j"}, {task}, {reward, {}}});
}

rollout_result& rollout_of(job_result& answer) {
  return std::get<rollout_result>(answer.output);
}
embed_result& vectors_of(job_result& answer) {
  return std::get<embed_result>(answer.output);
}

} // namespace

TEST_CASE("a grade is of the task that was asked for and from 0 to 1") {
  const auto work = grading();
  CHECK(validate_result(graded(0.5), &work) == "");
  CHECK(validate_result(graded(2), &work) == "its reward is not from 0 to 1");
  CHECK(validate_result(graded(std::nan("")), nullptr)
        == "its reward is not from 0 to 1");
  CHECK(validate_result(graded(1, "u"), &work)
        == "its grade is of another task");
  CHECK(validate_result(played(), &work)
        == "it is not of the kind that was asked for");
  CHECK_FALSE(why_no_answer(played(), work).empty());
}

TEST_CASE("an honest answer of each kind is one, asked for or not yet") {
  const std::vector<std::pair<job, job_result>> all = {
      {rollout(), played()},
      {embed(), embedded()},
      {integrate(), integrated()},
      {grading(), graded()}};
  for (const auto& [work, answer] : all) {
    CHECK(validate_result(answer, &work) == "");
    CHECK(validate_result(answer, nullptr) == "");
    CHECK(why_no_answer(answer, work).empty());
  }
  auto broken = played();
  rollout_of(broken).outcome = rollout_outcome::environment_error;
  const auto work = rollout();
  CHECK(validate_result(broken, &work) == "");
}

TEST_CASE("an answer of another kind is none") {
  const std::vector<job> asked = {rollout(), embed(), integrate()};
  const std::vector<job_result> made = {played(), embedded(), integrated()};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      INFO(i << " asked, " << k << " answered");
      CHECK(validate_result(made[k], &asked[i]).empty() == (i == k));
      CHECK(why_no_answer(made[k], asked[i]).empty() == (i == k));
    }
}

TEST_CASE("what a search could not use is not taken from a worker") {
  struct wrong {
    std::string says;
    std::function<void(job_result&)> change;
  };
  const auto rollouts = {
      wrong{"another job", [](auto& r) { r.id = {"x"}; }},
      wrong{"another job", [](auto& r) { rollout_of(r).id = {"x"}; }},
      wrong{"a result and an error",
            [](auto& r) { r.error = "quarantined: "; }},
      wrong{"no result", [](auto& r) { r.output = {}; }},
      wrong{"kind", [](auto& r) { r.output = embedded().output; }},
      wrong{"another task", [](auto& r) { rollout_of(r).task = {"x"}; }},
      wrong{"another task", [](auto& r) { rollout_of(r).trial = 3; }},
      wrong{"another rollout stands for it",
            [](auto& r) { rollout_of(r).reused_from = "x"; }},
      wrong{"quarantined",
            [](auto& r) {
              rollout_of(r).outcome = rollout_outcome::quarantined;
            }},
      wrong{"reward", [](auto& r) { rollout_of(r).grade.reward = 1.5; }},
      wrong{"reward", [](auto& r) { rollout_of(r).grade.reward = -0.1; }},
      wrong{"reward", [](auto& r) { rollout_of(r).grade.reward = NAN; }},
      wrong{"rating",
            [](auto& r) {
              rollout_of(r).ratings = {{"r", INFINITY, ""}};
            }},
  };
  const auto work = rollout();
  for (const auto& one : rollouts) {
    INFO(one.says);
    auto answer = played();
    one.change(answer);
    CHECK(validate_result(answer, &work).find(one.says) != std::string::npos);
  }
  const auto vectors = {
      wrong{"1 vectors for 2",
            [](auto& r) { vectors_of(r).vectors.pop_back(); }},
      wrong{"lengths", [](auto& r) { vectors_of(r).vectors[1].pop_back(); }},
      wrong{"not a number", [](auto& r) { vectors_of(r).vectors[1][0] = NAN; }},
      wrong{"too large", [](auto& r) { vectors_of(r).vectors[1][0] = -1e31; }},
  };
  const auto texts = embed();
  for (const auto& one : vectors) {
    INFO(one.says);
    auto answer = embedded();
    one.change(answer);
    CHECK(validate_result(answer, &texts).find(one.says) != std::string::npos);
  }
}

TEST_CASE("an answer nobody asked for yet holds one result of its own job") {
  CHECK_FALSE(validate_result({{"j"}, {}, {}}, nullptr).empty());
  auto other = played();
  rollout_of(other).id = {"x"};
  CHECK_FALSE(validate_result(other, nullptr).empty());
}

TEST_CASE("a verdict of quarantine answers the job it is about") {
  auto verdict = played();
  verdict.error = "quarantined: 3 failures";
  CHECK(why_no_answer(verdict, rollout()).empty());
  CHECK(why_no_answer({{"j"}, "quarantined: x", {}}, embed()).empty());
  CHECK(why_no_answer({{"j"}, "quarantined: x", {}}, integrate()).empty());
  CHECK_FALSE(why_no_answer({{"j"}, "quarantined: x", {}}, rollout()).empty());
}

TEST_CASE("a ranking has concepts of the job's knowledge base, each once") {
  auto work = rollout();
  std::get<rollout_job>(work.input).knowledge = {{{3}, {"a"}}, {{5}, {"b"}}};
  const auto valid = [&](std::vector<concept_id> ranking) {
    auto answer = played();
    rollout_of(answer).ranking = std::move(ranking);
    return validate_result(answer, &work).empty();
  };
  CHECK(valid({}));
  CHECK(valid({{5}, {3}}));
  CHECK_FALSE(valid({{4}}));
  CHECK_FALSE(valid({{3}, {3}}));
}
