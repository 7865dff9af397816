#include "base/hash.hpp"
#include "base/text.hpp"
#include "envs/tau2/tau2_benchmark.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

namespace brewery::tau2 {

namespace {

/// Part of the fingerprint. Increase it if the same calls may give other
/// answers, so that stored rollouts are not reused.
constexpr int adapter_version = 3;

/// Checks that the chosen splits exist, are not empty, and suit the mode.
result<void> check_splits(const task_set& set, const std::string& file,
                          const std::vector<std::string>& wanted,
                          play_mode mode) {
  std::vector<std::string> known;
  for (const auto& [name, members] : set.splits)
    known.push_back(name);
  for (const std::string& name : wanted.empty() ? known : wanted) {
    const auto at = set.splits.find(name);
    if (at == set.splits.end()) {
      return error{ec::not_found,
                   fmt::format("{}: has no split \"{}\"{} (splits: {})", file,
                               name, suggest_choice(name, known),
                               known.empty() ? "none" : join(known, ", "))};
    }
    if (at->second.empty())
      return error{ec::invalid_argument, fmt::format("{}: split {} is empty",
                                                     file, json_quoted(name))};
    for (const std::size_t i : at->second)
      if (const auto problem = play_problem(set.tasks[i], mode);
          !problem.empty())
        return error{ec::invalid_argument,
                     fmt::format("{}: split {}: task {} {}", file,
                                 json_quoted(name),
                                 json_quoted(set.tasks[i].id.value), problem)};
  }
  return {};
}

result<void> read_tasks(const std::filesystem::path& folder,
                        const tau2_options& options, tau2_content& out,
                        hash_input& hashed) {
  const auto tasks = read_text_file(folder / "tasks.json");
  if (!tasks) return tasks.error();
  const auto splits = read_text_file(folder / "split_tasks.json");
  if (!splits) return splits.error();
  auto set = parse_tasks(*tasks, *splits, out.of->vocabulary());
  if (!set) return set.error();
  if (auto ok =
          check_splits(*set, splits->name, options.splits, out.rules.mode);
      !ok)
    return ok;
  out.tasks = std::move(*set);
  out.tasks_file = tasks->name;
  hashed.add(tasks->text).add(splits->text);
  return {};
}

/// Reads all texts for agent and user.
result<void> read_told(const domain_kind& kind,
                       const std::filesystem::path& folder, tau2_content& out) {
  auto briefing = read_briefing(kind, folder, out.rules.mode);
  if (!briefing) return briefing.error();
  out.briefing = std::move(*briefing);
  if (out.rules.mode == play_mode::with_user) {
    auto with_tools = read_guidelines(folder, true);
    if (!with_tools) return with_tools.error();
    auto without = read_guidelines(folder, false);
    if (!without) return without.error();
    out.guidelines = std::move(*with_tools);
    out.guidelines_without_tools = std::move(*without);
  }
  return {};
}

/// Hashes the texts of all modes; missing ones count as empty.
void hash_told(const std::filesystem::path& folder, const domain_kind& kind,
               hash_input& hashed) {
  const auto add = [&](const result<text_file>& file) {
    hashed.add(file ? std::string_view{file->text} : std::string_view{});
  };
  for (const auto mode : {play_mode::solo, play_mode::with_user})
    for (const auto& part : kind.policy(mode))
      add(read_text_file(folder / part.file));
  for (const bool with_tools : {false, true})
    add(read_text_file(guidelines_file(folder, with_tools)));
}

} // namespace

result<std::shared_ptr<const tau2_benchmark>>
load_tau2(std::string_view kind, const std::filesystem::path& data,
          const tau2_options& options) {
  const auto known = find_domain_kind(kind);
  if (!known) return known.error();
  const domain_kind& about = **known;
  const auto folder = find_domain_folder(about, data);
  if (!folder) return folder.error();
  tau2_content out;
  out.kind = about.kind;
  out.rules = {.mode = options.mode.value_or(about.usual),
               .max_steps = options.max_steps,
               .max_errors = options.max_errors,
               .enforce_protocol = options.enforce_protocol,
               .timeout = options.timeout};
  hash_input hashed;
  hashed.add(fmt::format("{}/{}", about.kind, adapter_version));
  for (const auto& name : about.databases) {
    const auto file = read_text_file(*folder / name);
    if (!file) return file.error();
    hashed.add(file->text);
  }
  auto loaded = about.load(*folder);
  if (!loaded) return loaded.error();
  out.of = std::move(*loaded);
  // A missing mode is reported before tasks are checked.
  if (auto ok = read_told(about, *folder, out); !ok) return ok.error();
  hash_told(*folder, about, hashed);
  if (auto ok = read_tasks(*folder, options, out, hashed); !ok)
    return ok.error();
  out.fingerprint = hashed.content();
  return std::shared_ptr<const tau2_benchmark>{
      std::make_shared<tau2_benchmark>(std::move(out))};
}

} // namespace brewery::tau2
