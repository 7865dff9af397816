#pragma once
/// A user who says what a script says, and a judge with fixed verdicts.

#include "envs/environment.hpp"

#include <deque>

namespace brewery::test {

class scripted_user final : public user_player {
public:
  explicit scripted_user(std::deque<turn> script)
      : script_(std::move(script)) {}

  result<turn> answer(const user_briefing& briefing,
                      const std::vector<user_event>& seen) override {
    briefings.push_back(briefing);
    saw = seen;
    if (script_.empty()) return error{ec::timeout, "the script is at its end"};
    auto next = std::move(script_.front());
    script_.pop_front();
    return next;
  }

  std::vector<user_briefing> briefings;
  std::vector<user_event> saw; ///< at the last question

private:
  std::deque<turn> script_;
};

class fixed_judge final : public statement_judge {
public:
  explicit fixed_judge(std::vector<bool> verdicts)
      : verdicts_(std::move(verdicts)) {}

  result<std::vector<bool>>
  holds(const std::vector<std::string>& statements,
        const std::vector<trajectory_step>& events) override {
    asked = statements;
    saw = events;
    return verdicts_;
  }

  std::vector<std::string> asked;
  std::vector<trajectory_step> saw;

private:
  std::vector<bool> verdicts_;
};

inline turn say(std::string text) {
  return {.text = std::move(text), .calls = {}};
}

inline turn use(std::string name,
                nlohmann::ordered_json arguments = json::object(),
                std::string text = {}) {
  return {.text = std::move(text),
          .calls = {{.id = "c1",
                     .name = std::move(name),
                     .arguments = std::move(arguments)}}};
}

} // namespace brewery::test
