#include "config/moved_options.hpp"

#include "base/text.hpp"

namespace brewery {

namespace {

/// All benchmarks' options were in this table before they got their own.
constexpr const char* shared = "environment";

using name_list = std::vector<std::string>;

moved_option moved(const std::string& name, const name_list& tables,
                   std::optional<option_value> unsaid = std::nullopt) {
  moved_option out{shared, name, {}, std::move(unsaid)};
  for (const auto& table : tables) {
    out.now.push_back(find_option(shared + ('.' + table), name));
    BREWERY_ASSERT(out.now.back());
  }
  return out;
}

const std::vector<moved_option>& moved_options() {
  static const std::vector<moved_option> all = [] {
    const name_list tau2{"tau2"}, official{"tau2_official"},
        external{"external"}, sheets{"spreadsheet"},
        children{"external", "tau2_official"};
    std::vector<moved_option> out{
        moved("command", external), moved("domain", official),
        moved("user_model", official), moved("pass_env", children),
        moved("step_timeout_ms", children),
        moved("grade_timeout_ms", {"external", "tau2_official", "spreadsheet"}),
        // Spreadsheets had the defaults /usr/bin/python3 and 120,000 ms for
        // these.
        moved("python", {"tau2_official", "spreadsheet"}, "python3"),
        moved("start_timeout_ms", {"external", "tau2_official", "spreadsheet"},
              std::int64_t{30'000})};
    for (const char* name : {"mode", "max_steps", "max_errors",
                             "enforce_protocol", "talk_timeout_s"})
      out.push_back(moved(name, tau2));
    for (const char* name :
         {"turns", "metric", "position_parser", "cell_timeout_ms",
          "output_bytes", "train_tasks", "eval_tasks", "split_seed",
          "keep_flawed_tasks", "isolation", "unsafe_run_without_isolation",
          "kernel_memory_mb", "recalculation_timeout_ms"})
      out.push_back(moved(name, sheets));
    for (auto& item : out)
      if (item.name == "turns") item.old_default = std::int64_t{5};
    return out;
  }();
  return all;
}

} // namespace

const moved_option* find_moved(const std::string& section,
                               const std::string& name) {
  for (const auto& item : moved_options())
    if (item.section == section && item.name == name) return &item;
  return nullptr;
}

option_value moved_value(const moved_option& from, const option& now,
                         option_value value) {
  return from.unsaid == value ? now.get(config{}) : std::move(value);
}

std::string new_key(const moved_option& from, const config& chosen) {
  const auto section = shared + ('.' + chosen.environment.table());
  std::vector<std::string> keys;
  for (const auto* item : from.now) {
    if (item->section == section) return item->key();
    keys.push_back(item->key());
  }
  return join(keys, ", ");
}

} // namespace brewery
