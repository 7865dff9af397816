#include "envs/tau2/task.hpp"

#include "base/text.hpp"
#include "envs/tau2/python_text.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace brewery::tau2 {

namespace {

constexpr std::array reward_names{"DB", "ENV_ASSERTION", "NL_ASSERTION",
                                  "ACTION", "COMMUNICATE"};

/// Where a value of the task file is, for error texts.
struct place {
  const std::string& file;
  const std::string& task;
  std::string field;

  [[nodiscard]] place at(std::string_view name) const {
    return {file, task,
            field.empty() ? std::string{name}
                          : fmt::format("{}.{}", field, name)};
  }
  [[nodiscard]] place at(std::size_t index) const {
    return {file, task, fmt::format("{}[{}]", field, index)};
  }
  [[nodiscard]] error fail(std::string_view what) const {
    return {ec::malformed,
            fmt::format("{}: task {}: {} {}", file, json_quoted(task),
                        field.empty() ? "the task" : field, what)};
  }
};

/// A member that is present and not null; nullptr otherwise.
const json* value_of(const json& object, const char* name) {
  const auto at = object.find(name);
  return at == object.end() || at->is_null() ? nullptr : &*at;
}

result<void> read_text(const json& object, const char* name, const place& where,
                       std::string& out, bool required = true) {
  const json* value = value_of(object, name);
  if (value == nullptr) {
    if (required) return where.at(name).fail("is missing");
    return {};
  }
  if (!value->is_string()) return where.at(name).fail("must be a string");
  out = value->get<std::string>();
  return {};
}

result<void> read_arguments(const json& object, const place& where, json& out) {
  const json* value = value_of(object, "arguments");
  if (value == nullptr) return where.at("arguments").fail("is missing");
  if (!value->is_object())
    return where.at("arguments").fail("must be an object");
  out = *value;
  return {};
}

result<void> read_texts(const json& value, const place& where,
                        std::vector<std::string>& out) {
  if (!value.is_array()) return where.fail("must be a list of strings");
  for (const auto& item : value) {
    if (!item.is_string()) return where.fail("must be a list of strings");
    out.push_back(item.get<std::string>());
  }
  return {};
}

result<void> check_side(const std::string& side, const char* name,
                        const place& where) {
  if (side == "assistant" || side == "user") return {};
  return where.at(name).fail(fmt::format(
      "must be \"assistant\" or \"user\", not {}", json(side).dump()));
}

result<void> read_call(const json& value, const place& where,
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

result<void> read_assertion(const json& value, const place& where,
                            env_assertion& out) {
  if (auto ok = read_call(value, where, out.call); !ok) return ok.error();
  if (const json* expected = value_of(value, "assert_value")) {
    if (!expected->is_boolean())
      return where.at("assert_value").fail("must be true or false");
    out.expected = expected->get<bool>();
  }
  return {};
}

result<void> read_action(const json& value, const place& where,
                         gold_action& out) {
  if (!value.is_object()) return where.fail("must be an object");
  std::string ignored;
  if (auto ok = read_text(value, "action_id", where, ignored); !ok)
    return ok.error();
  if (auto ok = read_text(value, "requestor", where, out.requestor, false); !ok)
    return ok.error();
  if (auto ok = check_side(out.requestor, "requestor", where); !ok)
    return ok.error();
  if (auto ok = read_text(value, "name", where, out.name); !ok)
    return ok.error();
  if (auto ok = read_arguments(value, where, out.arguments); !ok)
    return ok.error();
  if (const json* compared = value_of(value, "compare_args"))
    return read_texts(*compared, where.at("compare_args"),
                      out.compare_args.emplace());
  return {};
}

template <class T>
result<void> read_list(const json& value, const place& where,
                       std::vector<T>& out,
                       result<void> (*read)(const json&, const place&, T&)) {
  if (!value.is_array()) return where.fail("must be a list");
  for (std::size_t i = 0; i < value.size(); ++i)
    if (auto ok = read(value[i], where.at(i), out.emplace_back()); !ok)
      return ok.error();
  return {};
}

result<void> read_basis(const json& value, const place& where,
                        std::vector<reward_part>& out) {
  std::vector<std::string> names;
  if (auto ok = read_texts(value, where, names); !ok) return ok.error();
  out.clear();
  for (const auto& name : names) {
    const auto at = std::find(reward_names.begin(), reward_names.end(), name);
    if (at == reward_names.end())
      return where.fail(fmt::format("has the unknown part {} (one of: {})",
                                    json(name).dump(),
                                    fmt::join(reward_names, ", ")));
    out.push_back(static_cast<reward_part>(at - reward_names.begin()));
  }
  return {};
}

result<void> read_criteria(const json& value, const place& where,
                           task_criteria& out) {
  if (!value.is_object()) return where.fail("must be an object");
  if (const json* list = value_of(value, "actions"))
    if (auto ok = read_list(*list, where.at("actions"), out.actions.emplace(),
                            read_action);
        !ok)
      return ok.error();
  if (const json* list = value_of(value, "env_assertions"))
    if (auto ok = read_list(*list, where.at("env_assertions"),
                            out.env_assertions.emplace(), read_assertion);
        !ok)
      return ok.error();
  if (const json* list = value_of(value, "communicate_info"))
    if (auto ok = read_texts(*list, where.at("communicate_info"),
                             out.communicate_info);
        !ok)
      return ok.error();
  if (const json* list = value_of(value, "reward_basis"))
    return read_basis(*list, where.at("reward_basis"), out.reward_basis);
  return {};
}

result<void> read_initial_state(const json& value, const place& where,
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

result<void> read_task(const json& value, const place& where, task& out) {
  std::string ticket;
  if (auto ok = read_text(value, "ticket", where, ticket, false); !ok)
    return ok.error();
  if (value_of(value, "ticket") != nullptr) out.ticket = std::move(ticket);
  if (value_of(value, "user_scenario") == nullptr)
    return where.at("user_scenario").fail("is missing");
  if (const json* state = value_of(value, "initial_state"))
    if (auto ok = read_initial_state(*state, where.at("initial_state"), out);
        !ok)
      return ok.error();
  if (const json* criteria = value_of(value, "evaluation_criteria"))
    return read_criteria(*criteria, where.at("evaluation_criteria"),
                         out.criteria.emplace());
  return {};
}

/// Every function and tool the task names must exist.
result<void> check_names(const task& item, const place& where,
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

result<json> parse_json(const text_file& file) {
  try {
    return json::parse(file.text);
  } catch (const json::parse_error& e) {
    const auto offset =
        std::min(e.byte == 0 ? 0 : e.byte - 1, file.text.size());
    const auto end = file.text.begin() + static_cast<std::ptrdiff_t>(offset);
    return error{ec::malformed,
                 fmt::format("{}:{}: is not JSON: {}", file.name,
                             1 + std::count(file.text.begin(), end, '\n'),
                             e.what())};
  }
}

using task_index = std::unordered_map<std::string, std::size_t>;

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
  task_index index;
  out.reserve(list->size());
  for (std::size_t i = 0; i < list->size(); ++i) {
    const json& value = (*list)[i];
    const std::string nth = fmt::format("#{}", i + 1);
    const place unnamed{file, nth, ""};
    if (!value.is_object()) return unnamed.fail("must be an object");
    task& item = out.emplace_back();
    if (auto ok = read_text(value, "id", unnamed, item.id.value); !ok)
      return ok.error();
    const place where{file, item.id.value, ""};
    if (!index.emplace(item.id.value, i).second)
      return where.at("id").fail("is used by an earlier task");
    if (auto ok = read_task(value, where, item); !ok) return ok.error();
    if (auto ok = check_names(item, where, vocabulary); !ok) return ok.error();
  }
  return index;
}

result<std::vector<std::size_t>> read_split(const json& ids,
                                            const std::string& file,
                                            const std::string& name,
                                            const task_index& index) {
  const auto fail = [&](std::string_view what) {
    return error{ec::malformed,
                 fmt::format("{}: split {} {}", file, json_quoted(name), what)};
  };
  if (!ids.is_array()) return fail("must be a list of task ids");
  std::vector<std::size_t> members;
  std::vector<bool> seen(index.size());
  for (const auto& id : ids) {
    if (!id.is_string()) return fail("must be a list of task ids");
    const auto at = index.find(id.get_ref<const std::string&>());
    if (at == index.end())
      return fail(
          fmt::format("names the task {}, which does not exist", id.dump()));
    if (seen[at->second])
      return fail(fmt::format("names the task {} twice", id.dump()));
    seen[at->second] = true;
    members.push_back(at->second);
  }
  return members;
}

} // namespace

bool task_criteria::counts(reward_part part) const {
  return std::find(reward_basis.begin(), reward_basis.end(), part)
         != reward_basis.end();
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

  const auto splits = parse_json(splits_file);
  if (!splits) return splits.error();
  const std::string& file = splits_file.name;
  if (!splits->is_object())
    return error{ec::malformed,
                 file + ": must be an object of split names and task ids"};
  for (const auto& [name, ids] : splits->items()) {
    auto members = read_split(ids, file, name, *index);
    if (!members) return members.error();
    // File order of the tasks, whatever order the split names them in.
    std::sort((*members).begin(), (*members).end());
    set.splits.emplace(name, std::move(*members));
  }
  return set;
}

std::string solo_problem(const task& item) {
  if (!item.ticket) return "has no ticket, which solo mode needs";
  if (item.has_initialization_data)
    return "has initialization_data, which this domain cannot apply";
  if (item.has_message_history)
    return "has a message_history, which solo mode does not continue";
  if (item.criteria && item.criteria->counts(reward_part::nl_assertion))
    return "is graded by a language model (NL_ASSERTION), which solo mode has "
           "not";
  return {};
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
