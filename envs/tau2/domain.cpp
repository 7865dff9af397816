#include "envs/tau2/domain.hpp"

#include "envs/tau2/python_rules/python_text.hpp"

#include <fmt/format.h>

namespace brewery::tau2 {

namespace {

/// The reference passes a call's arguments on as keywords beside its own, in
/// the function that this file's make_tool_call is like.
result<void> check_keywords(const json& arguments) {
  constexpr std::string_view function =
      "tau2.environment.environment.Environment.make_tool_call()";
  if (!arguments.is_object())
    return refused(fmt::format("{} argument after ** must be a mapping, not {}",
                               function, py_type_name(arguments)));
  if (arguments.contains("requestor"))
    return refused(fmt::format(
        "{} got multiple values for keyword argument 'requestor'", function));
  for (auto it = arguments.begin(); it != arguments.end(); ++it)
    if (it.key() == "self" || it.key() == "tool_name")
      return refused(fmt::format("Environment.make_tool_call() got multiple "
                                 "values for argument '{}'",
                                 it.key()));
  return {};
}

} // namespace

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
  if (const auto ok = check_keywords(arguments); !ok) return ok.error();
  if (requestor != "assistant" && requestor != "user")
    return refused(fmt::format("Invalid requestor: {}", requestor));
  if (requestor == "user") {
    if (mode == play_mode::solo)
      return refused("User tool calls are not allowed in solo mode");
    if (of.tools("user").empty()) return refused("User tools not available");
  } else if (mode == play_mode::solo
             && find_tool(of, "user", name) != nullptr) {
    requestor = "user";
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
  for (std::size_t i = 0; i < item.initialization.size(); ++i) {
    const function_call& step = item.initialization[i];
    const auto fail_here = [&](const error& why) {
      return fail(fmt::format("initial_state.initialization_actions[{}], {}", i,
                              call_text(step.name, step.arguments)),
                  why);
    };
    const auto done = state.run_function(step);
    if (!done) return fail_here(done.error());
    if (const auto ok = state.sync(); !ok) return fail_here(ok.error());
  }
  return {};
}

} // namespace brewery::tau2
