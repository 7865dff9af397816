#include "envs/tau2/data/task.hpp"

#include "envs/tau2/data/task_readers.hpp"
#include "envs/tau2/python_rules/python_text.hpp"

#include <fmt/format.h>

namespace brewery::tau2 {

namespace {

result<void> read_initial_state(const json& value, const task_place& where,
                                task& out) {
  if (!value.is_object()) return where.fail("must be an object");
  out.has_initialization_data = value_of(value, "initialization_data");
  const json* history = value_of(value, "message_history");
  out.has_message_history = history != nullptr && !history->empty();
  if (const json* list = value_of(value, "initialization_actions"))
    return read_list(*list, where.at("initialization_actions"),
                     out.initialization, read_call);
  return {};
}

result<void> read_task(const json& value, const task_place& where, task& out) {
  if (auto ok = read_text(value, "ticket", where, out.ticket); !ok)
    return ok.error();
  const json* scenario = value_of(value, "user_scenario");
  if (scenario == nullptr) return where.at("user_scenario").fail("is missing");
  if (auto ok = read_scenario(*scenario, where.at("user_scenario"), out); !ok)
    return ok.error();
  if (const json* tools = value_of(value, "user_tools"))
    if (auto ok = read_texts(*tools, where.at("user_tools"),
                             out.user_tools.emplace());
        !ok)
      return ok.error();
  if (const json* state = value_of(value, "initial_state"))
    if (auto ok = read_initial_state(*state, where.at("initial_state"), out);
        !ok)
      return ok.error();
  if (const json* criteria = value_of(value, "evaluation_criteria"))
    return read_criteria(*criteria, where.at("evaluation_criteria"),
                         out.criteria.emplace());
  return {};
}

/// Checks that every function and tool named by the task exists.
result<void> check_names(const task& item, const task_place& where,
                         const task_vocabulary& vocabulary) {
  const auto verdict = [&](const std::string& field, std::size_t i,
                           const std::string& problem) -> result<void> {
    if (problem.empty()) return {};
    return where.at(field).at(i).fail(problem);
  };
  for (std::size_t i = 0; i < item.initialization.size(); ++i)
    if (auto ok = verdict("initial_state.initialization_actions", i,
                          vocabulary.set_up(item.initialization[i]));
        !ok)
      return ok.error();
  if (item.user_tools)
    for (std::size_t i = 0; i < item.user_tools->size(); ++i)
      if (auto ok = verdict("user_tools", i,
                            vocabulary.tool({.requestor = "user",
                                             .name = (*item.user_tools)[i],
                                             .arguments = json::object(),
                                             .compare_args = {}}));
          !ok)
        return ok.error();
  if (!item.criteria) return {};
  if (const auto& assertions = item.criteria->env_assertions)
    for (std::size_t i = 0; i < assertions->size(); ++i)
      if (auto ok = verdict("evaluation_criteria.env_assertions", i,
                            vocabulary.assertion((*assertions)[i].call));
          !ok)
        return ok.error();
  if (const auto& actions = item.criteria->actions)
    for (std::size_t i = 0; i < actions->size(); ++i)
      if (auto ok = verdict("evaluation_criteria.actions", i,
                            vocabulary.tool((*actions)[i]));
          !ok)
        return ok.error();
  return {};
}

result<task_index> read_tasks(const json& document, const std::string& file,
                              const task_vocabulary& vocabulary,
                              std::vector<task>& out) {
  const json* list = &document;
  if (document.is_object()) {
    list = value_of(document, "tasks");
    if (list == nullptr)
      return error{ec::malformed, file + ": tasks is missing"};
  }
  if (!list->is_array())
    return error{ec::malformed, file + ": must be a list of tasks"};
  if (list->empty()) return error{ec::malformed, file + ": has no task"};
  task_index index;
  out.reserve(list->size());
  for (std::size_t i = 0; i < list->size(); ++i) {
    const json& value = (*list)[i];
    const std::string nth = fmt::format("#{}", i + 1);
    const task_place unnamed{file, nth, ""};
    if (!value.is_object()) return unnamed.fail("must be an object");
    task& item = out.emplace_back();
    if (auto ok = read_text(value, "id", unnamed, item.id.value); !ok)
      return ok.error();
    const task_place where{file, item.id.value, ""};
    if (!index.emplace(item.id.value, i).second)
      return where.at("id").fail("is used by an earlier task");
    if (auto ok = read_task(value, where, item); !ok) return ok.error();
    if (auto ok = check_names(item, where, vocabulary); !ok) return ok.error();
  }
  return index;
}

} // namespace

result<void> read_call(const json& value, const task_place& where,
                       function_call& out) {
  if (!value.is_object()) return where.fail("must be an object");
  if (auto ok = read_text(value, "env_type", where, out.env_type); !ok)
    return ok.error();
  if (auto ok = check_side(out.env_type, "env_type", where); !ok)
    return ok.error();
  if (auto ok = read_text(value, "func_name", where, out.name); !ok)
    return ok.error();
  return read_arguments(value, where, out.arguments);
}

result<task_set> parse_tasks(const text_file& tasks_file,
                             const text_file& splits_file,
                             const task_vocabulary& vocabulary) {
  const auto document = parse_json(tasks_file);
  if (!document) return document.error();
  task_set set;
  const auto index =
      read_tasks(*document, tasks_file.name, vocabulary, set.tasks);
  if (!index) return index.error();
  auto splits = read_splits(splits_file, *index);
  if (!splits) return splits.error();
  set.splits = std::move(*splits);
  return set;
}

std::string play_problem(const task& item, play_mode mode) {
  const bool solo = mode == play_mode::solo;
  if (solo && !item.ticket) return "has no ticket, which solo mode needs";
  if (item.has_initialization_data)
    return "has initialization_data, which this domain cannot apply";
  if (item.has_message_history)
    return "has a message_history, which cannot be continued";
  if (solo && item.needs_judge())
    return "is graded by a language model (NL_ASSERTION), which solo mode has "
           "not";
  return {};
}

bool task::needs_judge() const {
  return criteria && criteria->counts(reward_part::nl_assertion)
         && !criteria->nl_assertions.empty();
}

std::string call_text(std::string_view name, const json& arguments) {
  std::string text{name};
  text += '(';
  bool first = true;
  for (const auto& [key, value] : arguments.items()) {
    if (!first) text += ", ";
    first = false;
    text += key;
    text += '=';
    append_json(text, value, key_order::model);
  }
  return text + ')';
}

} // namespace brewery::tau2
