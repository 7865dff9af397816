#include "roles/scripted_agent.hpp"

#include "base/file.hpp"
#include "base/hash.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

namespace brewery {

namespace fs = std::filesystem;

namespace {

/// The tool of a script that contains only code.
constexpr const char* code_tool = "python";

result<tool_call> call_of(const json& item, const std::string& place) {
  if (item.is_string())
    return tool_call{{}, code_tool, {{"code", item.get<std::string>()}}};
  const auto refuse = [&](const char* what) {
    return error{ec::malformed, place + ": " + what};
  };
  if (!item.is_object())
    return refuse("must be code (text) or {\"tool\", \"arguments\"}");
  const auto tool = item.find("tool");
  if (tool == item.end() || !tool->is_string())
    return refuse("has no \"tool\", the name of one");
  tool_call out{{}, tool->get<std::string>(), json::object()};
  if (const auto arguments = item.find("arguments"); arguments != item.end()) {
    if (!arguments->is_object())
      return refuse("its \"arguments\" must be an object");
    out.arguments = *arguments;
  }
  return out;
}

result<std::vector<tool_call>> read_script(const fs::path& file) {
  const auto text = read_file(file);
  if (!text) return text.error();
  const auto whole = json::parse(*text, nullptr, false);
  const auto* cells = &whole;
  if (whole.is_object() && whole.contains("cells")) cells = &whole["cells"];
  if (!cells->is_array())
    return error{ec::malformed, file.string()
                                    + ": must be a JSON list of calls, or an "
                                      "object with \"cells\""};
  std::vector<tool_call> out;
  for (const auto& item : *cells) {
    auto made = call_of(
        item, fmt::format("{}: call {}", file.string(), out.size() + 1));
    if (!made) return made.error();
    made->id = fmt::format("call-{}", out.size() + 1);
    out.push_back(std::move(*made));
  }
  return out;
}

} // namespace

result<std::shared_ptr<const scripted_agent>>
scripted_agent::load(const agent_options& options) {
  std::shared_ptr<scripted_agent> made{new scripted_agent};
  made->max_calls_ = options.max_calls;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator{options.script, failed}) {
    if (entry.path().extension() != ".json") continue;
    auto script = read_script(entry.path());
    if (!script) return script.error();
    made->scripts_[entry.path().stem().string()] = std::move(*script);
  }
  if (failed || made->scripts_.empty())
    return error{ec::not_found, fmt::format("agent.script = {}: there is no "
                                            "TASK.json in it",
                                            options.script.string())};
  hash_input all;
  for (const auto& [task, calls] : made->scripts_)
    for (const auto& call : calls)
      all.add(task).add(call.name).add(call.arguments.dump());
  made->fingerprint_ = fmt::format("scripted-agent/1 calls={} {}",
                                   options.max_calls, all.content());
  return std::shared_ptr<const scripted_agent>{std::move(made)};
}

result<trajectory> scripted_agent::attempt(const task_info& task,
                                           environment& env,
                                           retrieval_session& retrieval,
                                           std::uint64_t, job_context&) const {
  trajectory out;
  if (const auto shown = retrieval.retrieve(task.instruction, 0); !shown)
    return shown.error();
  if (const auto opening = env.opening(); !opening) return opening.error();
  const auto take = [&](turn move) -> result<bool> {
    auto outcome = env.take_turn(move);
    if (!outcome) return outcome.error();
    for (auto& step : outcome->events) {
      step.reason = "script";
      out.steps.push_back(std::move(step));
    }
    return outcome->over;
  };
  const auto script = scripts_.find(task.id.value);
  if (script != scripts_.end())
    for (const auto& call : script->second) {
      if (out.steps.size() >= max_calls_) {
        out.cut_short = "the script is longer than agent.max_calls";
        return out;
      }
      const auto over = take({{}, {call}});
      if (!over) return over.error();
      if (*over) return out;
    }
  if (const auto done = take({"Done.", {}}); !done) return done.error();
  return out;
}

} // namespace brewery
