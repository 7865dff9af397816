#pragma once
/// A model that answers as a function says, and what the roles on models need
/// beside it.

#include "roles/model/model_asker.hpp"
#include "tests/fixtures/text.hpp"
#include "tests/roles/support.hpp"

#include <functional>
#include <memory>
#include <mutex>

namespace brewery::test {

class scripted_model final : public model_port {
public:
  using script = std::function<result<model_answer>(const model_call&)>;

  explicit scripted_model(script answer) : answer_(std::move(answer)) {}

  result<model_answer> ask(const model_call& call,
                           const model_caller&) override {
    const std::lock_guard one_at_a_time{mutex_}; // samples are asked at once
    if (!call.verdict.empty()) {
      verdicts.push_back(call);
      return model_answer{};
    }
    calls.push_back(call);
    return answer_(call);
  }

  [[nodiscard]] const chat_request& request(std::size_t n) const {
    return std::get<chat_request>(calls.at(n).request);
  }

  std::vector<model_call> calls;
  std::vector<model_call> verdicts; ///< these ask nothing

private:
  script answer_;
  std::mutex mutex_;
};

inline chat_reply says(std::string words) {
  chat_reply out;
  out.content = std::move(words);
  return out;
}

inline chat_reply calls_tool(std::string name, std::string arguments,
                             std::string words = {}) {
  chat_reply out;
  out.content = std::move(words);
  out.tool_calls = {{"id-" + name, std::move(name), std::move(arguments)}};
  out.finish = chat_finish::tool_calls;
  return out;
}

inline result<model_answer> answered(chat_reply reply) {
  return model_answer{std::move(reply)};
}

/// These replies in turn; the last one again and again.
inline std::shared_ptr<scripted_model>
replies_in_turn(std::vector<chat_reply> replies) {
  auto next = std::make_shared<std::size_t>(0);
  return std::make_shared<scripted_model>(
      [replies = std::move(replies), next](const model_call&) {
        const auto at = std::min(*next, replies.size() - 1);
        ++*next;
        return answered(replies.at(at));
      });
}

inline model_kit kit_of(std::shared_ptr<model_port> port) {
  static const auto prompts = [] {
    auto loaded = prompt_set::load();
    REQUIRE(loaded);
    return std::make_shared<const prompt_set>(std::move(*loaded));
  }();
  return {std::move(port), prompts, std::make_shared<role_tally>()};
}

inline model_asker asker_of(const std::string& role, const model_kit& kit,
                            role_model model = {.model = "m"}) {
  return {role, std::move(model), kit};
}

/// All text of a request, in order.
inline std::string all_text(const chat_request& request) {
  std::string out;
  for (const auto& message : request.messages)
    out += message.content + "\n";
  return out;
}

} // namespace brewery::test
