#include "envs/tau2/telecom_benchmark.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

#include <array>

namespace brewery::tau2 {

namespace {

/// Part of the fingerprint: raise it when the same calls may give another
/// answer, so that stored rollouts are not taken for current ones.
constexpr std::string_view adapter_version = "tau2-telecom-solo/1";

constexpr std::array data_files{"db.toml", "user_db.toml", "tasks.json",
                                "split_tasks.json"};

result<std::filesystem::path> find_domain(const std::filesystem::path& data) {
  std::error_code ignored;
  std::vector<std::string> tried;
  for (const char* inside : {"data/tau2/domains/telecom",
                             "tau2/domains/telecom", "domains/telecom", ""}) {
    const auto candidate = *inside == '\0' ? data : data / inside;
    if (std::filesystem::exists(candidate / "db.toml", ignored))
      return candidate;
    tried.push_back((candidate / "db.toml").string());
  }
  if (!std::filesystem::exists(data, ignored))
    return error{ec::not_found,
                 fmt::format("{}: no such directory", data.string())};
  return error{ec::version_mismatch,
               fmt::format("{}: holds no telecom data of tau2-bench 1.0.1; "
                           "looked for {}",
                           data.string(), join(tried, ", "))};
}

std::string list_names(const std::vector<std::string>& names) {
  return names.empty() ? "none" : join(names, ", ");
}

/// The splits that will be played exist, are not empty and are playable.
result<void> check_splits(const task_set& set, const std::string& file,
                          const std::vector<std::string>& wanted) {
  std::vector<std::string> known;
  for (const auto& [name, members] : set.splits)
    known.push_back(name);
  for (const std::string& name : wanted.empty() ? known : wanted) {
    const auto at = set.splits.find(name);
    if (at == set.splits.end()) {
      const std::string near = nearest(name, known);
      return error{
          ec::not_found,
          fmt::format(
              "{}: has no split \"{}\"{} (splits: {})", file, name,
              near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near),
              list_names(known))};
    }
    if (at->second.empty())
      return error{ec::invalid_argument, fmt::format("{}: split {} is empty",
                                                     file, json_quoted(name))};
    for (const std::size_t i : at->second)
      if (const auto problem = solo_problem(set.tasks[i]); !problem.empty())
        return error{ec::invalid_argument,
                     fmt::format("{}: split {}: task {} {}", file,
                                 json_quoted(name),
                                 json_quoted(set.tasks[i].id.value), problem)};
  }
  return {};
}

std::string unknown_name(const telecom_functions& kit, std::string_view side,
                         std::string_view name, bool tools_only) {
  std::vector<std::string> names;
  for (const auto& f : kit.functions())
    if (!tools_only || f.role == function_role::tool)
      names.push_back(f.spec.name);
  const std::string near = nearest(name, names);
  return fmt::format(
      "names the {} {}, which the {} side does not have{}",
      tools_only ? "tool" : "function", json_quoted(name), side,
      near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near));
}

/// The function exists, has the role, and can be called with these arguments.
std::string function_problem(const function_call& call, bool asserts) {
  const telecom_functions& kit = *functions_of(call.env_type);
  const telecom_function* function = kit.find(call.name);
  if (function == nullptr)
    return unknown_name(kit, call.env_type, call.name, false);
  if (asserts && function->role != function_role::assertion)
    return fmt::format("names {}, which is not an assertion",
                       json_quoted(call.name));
  const auto bound = kit.bind(*function, call.arguments);
  return bound ? std::string{} : bound.error().message;
}

} // namespace

task_vocabulary telecom_vocabulary() {
  return {
      [](const function_call& call) { return function_problem(call, false); },
      [](const function_call& call) { return function_problem(call, true); },
      [](const gold_action& action) {
        const telecom_functions& kit = *functions_of(action.requestor);
        return kit.find_tool(action.name) != nullptr
                   ? std::string{}
                   : unknown_name(kit, action.requestor, action.name, true);
      }};
}

telecom_benchmark::telecom_benchmark(telecom_state base, task_set tasks,
                                     std::string fingerprint)
    : base_(std::move(base)), set_(std::move(tasks)),
      fingerprint_(std::move(fingerprint)) {
  for (std::size_t i = 0; i < set_.tasks.size(); ++i) {
    const task& item = set_.tasks[i];
    telecom_state state = base_;
    const auto ready = initialise(state, item);
    initial_.push_back(ready ? result<telecom_state>{std::move(state)}
                             : result<telecom_state>{ready.error()});
    infos_.push_back({item.id, item.ticket.value_or("")});
    index_.emplace(item.id, i);
  }
}

const task* telecom_benchmark::find(const task_id& id) const {
  const auto at = index_.find(id);
  return at == index_.end() ? nullptr : &set_.tasks[at->second];
}

result<std::unique_ptr<telecom_environment>>
telecom_benchmark::open(const task_id& id, play_mode mode) const {
  const auto at = index_.find(id);
  if (at == index_.end())
    return error{ec::not_found, "no task " + json_quoted(id.value)};
  const task& item = set_.tasks[at->second];
  if (mode == play_mode::solo)
    if (const auto problem = solo_problem(item); !problem.empty())
      return error{ec::environment,
                   fmt::format("task {} {}", json_quoted(id.value), problem)};
  const auto& initial = initial_[at->second];
  if (!initial) return initial.error();
  return std::make_unique<telecom_environment>(*initial, item, mode,
                                               shared_from_this());
}

result<std::unique_ptr<environment>>
telecom_benchmark::make(const task_id& task, const company&) const {
  auto opened = open(task, play_mode::solo);
  if (!opened) return opened.error();
  return std::unique_ptr<environment>{std::move(*opened)};
}

result<std::shared_ptr<const telecom_benchmark>>
load_telecom_benchmark(const std::filesystem::path& data,
                       const load_options& options) {
  const auto domain = find_domain(data);
  if (!domain) return domain.error();
  std::array<text_file, data_files.size()> files;
  hash_input content;
  content.add(adapter_version);
  for (std::size_t i = 0; i < files.size(); ++i) {
    auto file = read_text_file(*domain / data_files[i]);
    if (!file) return file.error();
    content.add(file->text);
    files[i] = std::move(*file);
  }
  auto accounts = parse_telecom_db(files[0]);
  if (!accounts) return accounts.error();
  auto user = parse_telecom_user_db(files[1]);
  if (!user) return user.error();
  auto tasks = parse_tasks(files[2], files[3], telecom_vocabulary());
  if (!tasks) return tasks.error();
  if (const auto ok = check_splits(*tasks, files[3].name, options.splits); !ok)
    return ok.error();
  telecom_state base;
  base.accounts = std::move(*accounts);
  base.user = cow<telecom_user_db>{std::move(*user)};
  return std::shared_ptr<const telecom_benchmark>{
      std::make_shared<telecom_benchmark>(std::move(base), std::move(*tasks),
                                          content.content())};
}

result<std::shared_ptr<const benchmark>>
load_telecom(const std::filesystem::path& data, const load_options& options) {
  auto loaded = load_telecom_benchmark(data, options);
  if (!loaded) return loaded.error();
  return std::shared_ptr<const benchmark>{std::move(*loaded)};
}

} // namespace brewery::tau2
