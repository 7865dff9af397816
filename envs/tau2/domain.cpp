#include "envs/tau2/domain.hpp"

#include <fmt/format.h>

namespace brewery::tau2 {

const tool_spec* find_tool(const domain& of, std::string_view side,
                           std::string_view name) {
  for (const auto& spec : of.tools(side))
    if (spec.name == name) return &spec;
  return nullptr;
}

result<tool_value> make_tool_call(const domain& of, domain_state& state,
                                  play_mode mode, std::string_view requestor,
                                  std::string_view name,
                                  const json& arguments) {
  for (const char* reserved : {"self", "tool_name", "requestor"})
    if (arguments.is_object() && arguments.contains(reserved))
      return error{ec::invalid_argument,
                   fmt::format("Environment.make_tool_call() got multiple "
                               "values for argument '{}'",
                               reserved)};
  if (requestor != "assistant" && requestor != "user")
    return error{ec::invalid_argument,
                 fmt::format("Invalid requestor: {}", requestor)};
  if (mode == play_mode::solo) {
    if (requestor == "user")
      return error{ec::invalid_argument,
                   "User tool calls are not allowed in solo mode"};
    if (find_tool(of, "user", name) != nullptr) requestor = "user";
  }
  return state.use_tool(requestor, name, arguments);
}

result<void> initialise(domain_state& state, const task& item) {
  const auto fail = [&](std::string_view what, const error& why) {
    return error{ec::environment,
                 fmt::format("task \"{}\": initialisation stopped at {}: {}",
                             item.id.value, what, why.message)};
  };
  if (const auto ok = state.sync(); !ok) return fail("sync", ok.error());
  for (const function_call& step : item.initialization) {
    const auto done = state.run_function(step);
    if (!done) return fail(call_text(step.name, step.arguments), done.error());
    if (const auto ok = state.sync(); !ok)
      return fail(call_text(step.name, step.arguments), ok.error());
  }
  return {};
}

} // namespace brewery::tau2
