#include "envs/environment.hpp"

namespace brewery {

namespace {

bool changes_state(const std::vector<tool_spec>& tools, std::string_view name) {
  for (const auto& tool : tools)
    if (tool.name == name) return tool.kind == tool_kind::write;
  return false;
}

} // namespace

result<turn_outcome> environment::take_turn(const turn& move) {
  turn_outcome out;
  if (!move.text.empty())
    out.events.push_back({.requestor = "assistant",
                          .tool = std::string{words_tool},
                          .arguments = "",
                          .observation = move.text,
                          .reason = ""});
  for (const auto& asked : move.calls) {
    auto answer = call(asked.name, asked.arguments);
    out.events.push_back({.requestor = "assistant",
                          .tool = asked.name,
                          .arguments = asked.arguments.dump(),
                          .observation = answer.content,
                          .failed = answer.failed,
                          .mutates = changes_state(tools(), asked.name),
                          .reason = ""});
    out.results.push_back(std::move(answer));
  }
  out.over = move.calls.empty();
  return out;
}

result<screen> environment::look() {
  return error{ec::environment, "this environment has no screen to look at"};
}

} // namespace brewery
