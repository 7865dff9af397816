#pragma once
/// An environment whose calls are seen from outside: counted, delayed for a
/// rehearsal, and broken off when the rollout is not wanted any more.

#include "envs/environment.hpp"

#include <functional>

namespace brewery {

class watched_environment final : public environment {
public:
  /// `before` runs ahead of each tool call and may throw to end the rollout.
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
  grade_report grade() override { return inner_->grade(); }

private:
  std::unique_ptr<environment> inner_;
  std::function<void()> before_;
};

} // namespace brewery
