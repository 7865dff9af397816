#pragma once
/// A model agent with a scripted model, and environments to play in.

#include "base/rng.hpp"
#include "roles/model/llm_agent.hpp"
#include "tests/roles/scripted_model.hpp"

#include <fmt/format.h>

namespace brewery::test {

/// A benchmark in which one talks: answers words with the next of `lines`.
class talking_environment final : public environment {
public:
  explicit talking_environment(lines replies) : replies_(std::move(replies)) {}

  const std::vector<tool_spec>& tools() const override { return tools_; }
  tool_result call(std::string_view, const json&) override {
    return {"looked", false};
  }
  std::string briefing() const override { return "Be brief."; }
  result<std::string> opening() override {
    return std::string{"My roaming is broken."};
  }
  result<turn_outcome> take_turn(const turn& move) override {
    moves.push_back(move);
    auto out = environment::take_turn(move);
    if (!out || !move.calls.empty()) return out;
    out->over = next_ == replies_.size();
    if (!out->over) out->reply = replies_[next_++];
    return out;
  }
  result<grade_report> grade() override { return grade_report{}; }

  std::vector<turn> moves;

private:
  std::vector<tool_spec> tools_{reads("check")};
  lines replies_;
  std::size_t next_ = 0;
};

inline const task_info agents_task{{"t"}, "The light is dark."};

struct player {
  explicit player(std::shared_ptr<scripted_model> port, lines documents = {})
      : model(std::move(port)), kit(kit_of(model)),
        session(library_of(documents), 2) {
    context.job = {"job-1"};
  }

  result<trajectory> play(environment& env) {
    auto how = options.llm;
    how.model = "m";
    const llm_agent agent{asker_of("agent", kit, how), options, retrieval};
    return agent.attempt(agents_task, env, session, 1, context);
  }

  role_counts counts() const { return kit.tally->counts()["agent"]; }

  std::shared_ptr<scripted_model> model;
  model_kit kit;
  retrieval_session session;
  agent_options options;
  retrieval_options retrieval;
  job_context context;
};

inline scripted_environment device() {
  return {{reads("check"), writes("toggle", {text_parameter("part")})},
          [](std::string_view name, const json&) -> tool_result {
            if (name == "check") return {"fan: off", false};
            if (name == "toggle") return {"done", false};
            return {"Tool not found.", true};
          }};
}

/// A device at which only a call of `done` ends the attempt.
class ending_device final : public environment {
public:
  const std::vector<tool_spec>& tools() const override { return tools_; }
  tool_result call(std::string_view name, const json&) override {
    called.emplace_back(name);
    return {"fan: off", false};
  }
  result<turn_outcome> take_turn(const turn& move) override {
    auto out = environment::take_turn(move);
    if (out) out->over = called.back() == "done";
    return out;
  }
  result<grade_report> grade() override { return grade_report{}; }

  lines called{""};

private:
  std::vector<tool_spec> tools_{
      reads("check"), {"assistant", "done", tool_kind::finish, "", {}}};
};

} // namespace brewery::test
