/// Questions of remote workers find the broker of their run.

#include "run/broker_registry.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using Catch::Contains;

namespace {

/// Answers at once with a text of its own.
class fixed_transport final : public model_transport {
public:
  explicit fixed_transport(std::string text) : text_(std::move(text)) {}
  void send(const model_call&, const std::string&, std::function<bool()>,
            std::function<void(transport_outcome)> done) override {
    chat_reply said;
    said.content = text_;
    done({model_answer{said}, 0});
  }

private:
  std::string text_;
};

std::shared_ptr<model_broker> broker_saying(const std::string& text) {
  model_broker_inputs inputs;
  inputs.owner = text;
  inputs.models["writer"] = {"writer", {}, 100};
  inputs.transport = std::make_shared<fixed_transport>(text);
  return model_broker::make(std::move(inputs));
}

result<std::string> asked(const broker_registry& registry,
                          const std::string& run) {
  chat_request chat;
  chat.model = "writer";
  chat.messages = {{chat_role::user, "who are you?", {}, {}, ""}};
  chat.max_tokens = 10;
  std::vector<result<std::string>> out;
  registry.ask(
      {run}, {{"job"}, 0, "agent", chat},
      [&](const result<model_answer>& answer) {
        out.push_back(
            answer ? result<std::string>{std::get<chat_reply>(answer->reply)
                                             .content}
                   : result<std::string>{answer.error()});
      });
  REQUIRE(out.size() == 1); // answered once, and at once
  return out.front();
}

} // namespace

TEST_CASE("a question is answered by the broker of its own run") {
  broker_registry registry;
  registry.open({"a"}, broker_saying("of a"));
  registry.open({"b"}, broker_saying("of b"));
  CHECK(*asked(registry, "a") == "of a");
  CHECK(*asked(registry, "b") == "of b");
  registry.open({"a"}, broker_saying("of a, again"));
  CHECK(*asked(registry, "a") == "of a, again");
}

TEST_CASE("a run without models, or that is over, is answered by its name") {
  broker_registry registry;
  registry.open({"b"}, broker_saying("of b"));
  const auto unknown = asked(registry, "a");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().code == ec::not_found);
  CHECK_THAT(unknown.error().message, Contains("run a "));
  registry.close({"b"});
  CHECK(asked(registry, "b").error().code == ec::not_found);
  registry.close({"b"}); // closing twice is nothing
}

TEST_CASE("at the end of the process no run's calls begin") {
  broker_registry registry;
  registry.open({"a"}, broker_saying("of a"));
  registry.end_calls(std::chrono::milliseconds{0});
  registry.open({"b"}, broker_saying("of b"));
  CHECK(asked(registry, "a").error().code == ec::cancelled);
  CHECK(asked(registry, "b").error().code == ec::cancelled);
}
