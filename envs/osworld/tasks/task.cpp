#include "envs/osworld/tasks/task.hpp"

#include "messages/json_brackets.hpp"
#include "messages/json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::osworld {

namespace {

void read_steps(json_reader& in, const char* name,
                std::vector<setup_step>& out) {
  const auto* given = in.find(name);
  if (!given || given->is_null()) return;
  in.each(name, [&out](json_reader item) {
    setup_step step;
    step.type = item.text("type", 100);
    if (const auto* parameters = item.object_or_null("parameters"))
      step.parameters = *parameters;
    out.push_back(std::move(step));
  });
}

/// The configuration of metric `index`: the element of a list, or the only one.
/// Absent, null and empty ones are none.
const json* pick(const json* given, bool list, std::size_t index) {
  if (!given || given->is_null()) return nullptr;
  if (list) given = index < given->size() ? &(*given)[index] : nullptr;
  return given && given->is_object() && !given->empty() ? given : nullptr;
}

/// With a list of functions the other lists must be as long.
bool fits(const json* given, bool list, std::size_t count) {
  if (!given || given->is_null() || given->empty()) return true;
  return list ? given->is_array() && given->size() == count
              : given->is_object();
}

bool is_getter(const json* config) {
  if (!config) return true;
  const auto type = config->find("type");
  return type != config->end() && type->is_string();
}

void read_metrics(json_reader& in, evaluator& out) {
  const auto* functions = in.find("func");
  if (!functions
      || !(functions->is_string()
           || (functions->is_array() && !functions->empty())))
    return in.refuse("func", "must be a metric's name or a list of names");
  out.list = functions->is_array();
  out.infeasible = *functions == "infeasible";
  if (out.infeasible) return;
  const auto count = out.list ? functions->size() : 1;
  const char* const parts[] = {"result", "expected", "options"};
  for (const auto* part : parts)
    if (!fits(in.find(part), out.list, count))
      return in.refuse(part, fmt::format("must fit the {} of func",
                                         out.list ? "list" : "name"));
  for (std::size_t i = 0; i < count; ++i) {
    const auto& name = out.list ? (*functions)[i] : *functions;
    if (!name.is_string()) return in.refuse("func", "must hold names");
    metric_use use;
    use.function = name.get<std::string>();
    const auto* result = pick(in.find("result"), out.list, i);
    const auto* expected = pick(in.find("expected"), out.list, i);
    const auto* options = pick(in.find("options"), out.list, i);
    if (!is_getter(result)) return in.refuse("result", "needs a type");
    if (!is_getter(expected)) return in.refuse("expected", "needs a type");
    if (result) use.result = *result;
    if (expected) use.expected = *expected;
    if (options) use.options = *options;
    out.metrics.push_back(std::move(use));
  }
}

bool any_of(json_reader& in) {
  const auto how = in.text_or("conj", "and");
  if (how != "and" && how != "or")
    in.refuse("conj", "must be \"and\" or \"or\"");
  return how == "or";
}

} // namespace

bool is_command(const json& value) {
  if (value.is_string()) return !value.get_ref<const std::string&>().empty();
  return value.is_array() && !value.empty()
         && std::all_of(value.begin(), value.end(),
                        [](const json& part) { return part.is_string(); });
}

result<desktop_task> parse_task(const std::string& text,
                                const std::string& domain) {
  if (text.size() > task_bytes_most)
    return error{ec::malformed, fmt::format("the task has more than {} bytes",
                                            task_bytes_most)};
  if (json_depth(text) > json_depth_most)
    return error{ec::malformed, fmt::format("it nests deeper than {} brackets",
                                            json_depth_most)};
  const auto body = json::parse(text, nullptr, false);
  if (!body.is_object()) return error{ec::malformed, "it is no JSON object"};
  std::optional<error> problem;
  json_reader in{body, "", problem};
  desktop_task out;
  out.domain = domain;
  out.id.value = in.text("id", 200);
  out.instruction = in.text("instruction", 20'000);
  read_steps(in, "config", out.config);
  if (const auto* graded = in.object_or_null("evaluator")) {
    json_reader inside{*graded, "evaluator", problem};
    out.graded.any = any_of(inside);
    read_steps(inside, "postconfig", out.graded.postconfig);
    read_metrics(inside, out.graded);
  } else if (!problem) {
    in.refuse("evaluator", "is missing");
  }
  if (problem) return *problem;
  out.text = text;
  return out;
}

} // namespace brewery::osworld
