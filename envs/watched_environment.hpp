#pragma once
/// An environment that calls back before each tool call. It is used to count
/// calls, to delay them, and to end rollouts that are no longer wanted.

#include "envs/environment.hpp"

#include <functional>

namespace brewery {

class watched_environment final : public environment {
public:
  /// `before` runs before each tool call and may throw to end the rollout.
  watched_environment(std::unique_ptr<environment> inner,
                      std::function<void()> before)
      : inner_(std::move(inner)), before_(std::move(before)) {}

  const std::vector<tool_spec>& tools() const override {
    return inner_->tools();
  }
  tool_result call(std::string_view name, const json& arguments) override {
    before_();
    return inner_->call(name, arguments);
  }
  std::optional<tool_result> probe(std::string_view name,
                                   const json& arguments) override {
    before_();
    return inner_->probe(name, arguments);
  }
  std::string briefing() const override { return inner_->briefing(); }
  result<std::string> opening() override { return inner_->opening(); }
  result<turn_outcome> take_turn(const turn& move) override {
    before_();
    for (std::size_t i = 1; i < move.calls.size(); ++i)
      before_();
    return inner_->take_turn(move);
  }
  result<screen> look() override { return inner_->look(); }
  result<grade_report> grade() override { return inner_->grade(); }
  std::uint32_t checkpoints_met() const override {
    return inner_->checkpoints_met();
  }
  std::vector<answer_file> take_answers() override {
    return inner_->take_answers();
  }

private:
  std::unique_ptr<environment> inner_;
  std::function<void()> before_;
};

} // namespace brewery
