#pragma once
/// Hand-made evidence and a scripted environment for the tests of roles.

#include "envs/toy/toy.hpp"
#include "kb/bm25.hpp"
#include "roles/procedural/procedural_reflector.hpp"
#include "roles/retrieval_session.hpp"
#include "roles/roles.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <set>

namespace brewery::test {

/// For roles that ask no model: the job they work for is nobody's business.
inline job_context& any_job() {
  static job_context context;
  return context;
}

using lines = std::vector<std::string>;

/// Rollouts "won-1", "won-2", ...
inline std::vector<shared_value<job_id>> rollouts_named(const std::string& name,
                                                        std::uint32_t count) {
  std::vector<shared_value<job_id>> out;
  for (std::uint32_t i = 1; i <= count; ++i)
    out.emplace_back(job_id{name + "-" + std::to_string(i)});
  return out;
}

/// Missed checks are of rollouts that lost, all else is of rollouts that won.
inline counted_insight times(std::uint32_t count, insight item) {
  item.topic = topic_of(item.fact.observation);
  item.sentence = item.fact.kind.get() + " of " + item.fact.observation.get();
  item.id = identity(item);
  const bool lost = item.fact.kind == "outcome" && !item.fact.met;
  return {std::move(item),
          count,
          {{task_id{"task-1"}, count}},
          rollouts_named(lost ? "lost" : "won", count)};
}

/// The same, made by rollouts that lost.
inline counted_insight in_lost(counted_insight item) {
  item.rollouts = rollouts_named("lost", item.count);
  return item;
}

/// `count` times, after `actions`, `observation` changed from `before` to
/// `after`.
inline counted_insight effect(std::uint32_t count,
                              const std::string& observation, lines before,
                              lines actions, lines after, lines quiet = {}) {
  insight item;
  item.fact.kind = "effect";
  item.fact.observation = observation;
  item.fact.before = std::move(before);
  item.fact.actions = std::move(actions);
  item.fact.after = std::move(after);
  item.fact.quiet = std::move(quiet);
  return times(count, std::move(item));
}

/// `count` rollouts ended with `observation` showing `after`; `met`: the check
/// was.
inline counted_insight outcome(std::uint32_t count,
                               const std::string& observation, lines after,
                               const std::string& check, bool met,
                               lines context = {}, lines quiet = {}) {
  insight item;
  item.fact.kind = "outcome";
  item.fact.observation = observation;
  item.fact.after = std::move(after);
  item.fact.check = check;
  item.fact.met = met;
  item.fact.context = std::move(context);
  item.fact.quiet = std::move(quiet);
  return times(count, std::move(item));
}

/// The same, all of it seen in another task.
inline counted_insight in_task(const std::string& task, counted_insight item) {
  item.tasks = {{task_id{task}, item.count}};
  return item;
}

/// A knowledge base of these bodies; `library_of({})` is the empty knowledge
/// base.
inline std::shared_ptr<const kb_index> library_of(const lines& bodies) {
  auto index = std::make_shared<kb_index>();
  std::vector<std::string_view> texts;
  for (const auto& body : bodies) {
    index->documents.push_back(
        std::make_shared<const document>(make_document(body)));
    texts.push_back(index->documents.back()->body);
  }
  index->index = std::make_shared<bm25_index>(texts);
  return index;
}

/// Answers as a function says, and writes down every call.
class scripted_environment final : public environment {
public:
  using script = std::function<tool_result(std::string_view, const json&)>;

  scripted_environment(std::vector<tool_spec> tools, script answer)
      : tools_(std::move(tools)), answer_(std::move(answer)) {}

  const std::vector<tool_spec>& tools() const override { return tools_; }
  tool_result call(std::string_view name, const json& arguments) override {
    called.emplace_back(name);
    return answer_(name, arguments);
  }
  result<grade_report> grade() override { return grade_report{}; }

  lines called;

private:
  std::vector<tool_spec> tools_;
  script answer_;
};

inline tool_spec reads(std::string name,
                       std::vector<tool_parameter> parameters = {}) {
  return {"assistant", std::move(name), tool_kind::read, "",
          std::move(parameters)};
}
inline tool_spec writes(std::string name,
                        std::vector<tool_parameter> parameters = {}) {
  return {"assistant", std::move(name), tool_kind::write, "",
          std::move(parameters)};
}
inline tool_parameter text_parameter(std::string name) {
  return {std::move(name), "string", "", {}, true};
}

inline trajectory_step observed(const std::string& tool,
                                std::string observation,
                                const std::string& arguments = "{}") {
  return {"assistant", tool,  arguments, std::move(observation),
          false,       false, "look"};
}
inline trajectory_step changed(const std::string& tool,
                               const std::string& arguments = "{}") {
  return {"assistant", tool, arguments, "done", false, true, "explore"};
}

} // namespace brewery::test
