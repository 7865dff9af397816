#pragma once
/// A job runner with procedural roles, on the toy benchmark unless told.

#include "tests/fixtures/toy_search.hpp"
#include "workers/job_runner.hpp"

#include <catch2/catch.hpp>

namespace brewery::test {

struct runner_bench {
  std::shared_ptr<const benchmark> source = make_toy_benchmark({});
  std::shared_ptr<document_store> documents =
      std::make_shared<document_store>();
  job_runner runner;

  explicit runner_bench(std::shared_ptr<const benchmark> tasks = nullptr)
      : runner{
          tasks ? tasks : source, procedural_roles({}, {}), documents, {}} {}

  job rollout(const std::string& task, std::vector<doc_ref> knowledge = {},
              bool reflect = true) const {
    return make_job(
        make_rollout_job(settings_for(*source), {task}, 0, knowledge, reflect));
  }
};

} // namespace brewery::test
