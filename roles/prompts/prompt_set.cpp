#include "roles/prompts/prompt_set.hpp"

#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "roles/prompts/embedded.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

const char* const rule_name = "data-rule";

/// Error for .md files without a prompt's name: they are probably misspelt.
result<void> check_names(const std::filesystem::path& dir) {
  std::error_code failed;
  std::vector<std::string> names;
  for (const auto& spec : prompt_specs())
    names.push_back(spec.name);
  auto entry = std::filesystem::directory_iterator{dir, failed};
  if (failed)
    return error{ec::not_found,
                 fmt::format("cannot read the directory of prompts {}: {}",
                             dir.string(), failed.message())};
  for (; entry != std::filesystem::directory_iterator{};
       entry.increment(failed)) {
    const auto& path = entry->path();
    if (path.extension() != ".md") continue;
    const auto name = path.stem().string();
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const auto near = nearest(name, names);
    return error{
        ec::invalid_config,
        fmt::format("{}: no prompt has this name; there are {}{}",
                    path.string(), join(names, ", "),
                    near.empty() ? "" : "; did you mean '" + near + "'?")};
  }
  return {};
}

} // namespace

const std::vector<prompt_spec>& prompt_specs() {
  using enum slot_kind;
  static const std::vector<prompt_spec> specs{
      {"agent",
       {{"finish_tool", text},
        {"conversation", flag},
        {"words_end", flag},
        {"briefing", given},
        {"documents", data},
        {"examples", data},
        {"principle", data},
        {"task", data}}},
      {rule_name, {{"marker", text}}},
      {"desktop-agent",
       {{"briefing", given},
        {"documents", data},
        {"task", data},
        {"tree", data},
        {"pixels", flag}}},
      {"desktop-grounder",
       {{"width", text}, {"height", text}, {"place", text}}},
      {"desktop-plan-judge",
       {{"documents", data}, {"task", data}, {"steps", data}, {"plans", data}}},
      {"desktop-planner",
       {{"step", text},
        {"briefing", given},
        {"documents", data},
        {"task", data}}},
      {"integrator",
       {{"parts", text},
        {"limit", text},
        {"checked", flag},
        {"title", data},
        {"parent", data},
        {"score", text},
        {"missed", data},
        {"neighbours", data},
        {"insights", data}}},
      {"judge",
       {{"rubrics", text},
        {"briefing", given},
        {"tools", given},
        {"task", data},
        {"wish", data},
        {"documents", data},
        {"steps", data}}},
      {"judge-reflector",
       {{"rubrics", text},
        {"most", text},
        {"briefing", given},
        {"tools", given},
        {"concepts", data},
        {"task", data},
        {"wish", data},
        {"documents", data},
        {"steps", data},
        {"grade", data}}},
      {"memory-graph", {{"task", data}, {"steps", data}, {"grade", data}}},
      {"memory-note", {{"task", data}, {"steps", data}, {"grade", data}}},
      {"memory-note-links", {{"note", data}, {"neighbours", data}}},
      {"memory-experience",
       {{"task", data}, {"steps", data}, {"grade", data}, {"lessons", data}}},
      {"memory-guidance",
       {{"task", data},
        {"guidance", data},
        {"issues", data},
        {"experiences", data}}},
      {"memory-merge", {{"experiences", data}}},
      {"memory-query",
       {{"blind", flag},
        {"task", data},
        {"guidance", data},
        {"steps", data},
        {"grade", data}}},
      {"muse-act",
       {{"briefing", given},
        {"strategies", data},
        {"outline", data},
        {"task", data},
        {"done", data},
        {"sub_task", data},
        {"goal", data},
        {"failure", data}}},
      {"muse-check",
       {{"task", data},
        {"sub_task", data},
        {"goal", data},
        {"claim", data},
        {"steps", data}}},
      {"muse-lessons",
       {{"tools", given},
        {"strategies", data},
        {"task", data},
        {"done", data},
        {"steps", data}}},
      {"muse-plan",
       {{"briefing", given},
        {"tools", given},
        {"strategies", data},
        {"outline", data},
        {"task", data},
        {"done", data},
        {"steps", data}}},
      {"muse-procedure",
       {{"outline", data},
        {"sub_task", data},
        {"goal", data},
        {"report", data},
        {"steps", data}}},
      {"muse-refine", {{"procedures", data}}},
      {"notes", {{"documents", data}}},
      {"reflector",
       {{"most", text},
        {"briefing", given},
        {"tools", given},
        {"concepts", data},
        {"task", data},
        {"wish", data},
        {"documents", data},
        {"steps", data},
        {"grade", data},
        {"ratings", data}}},
      {"repair", {{"problem", data}}},
      {"statement-judge", {{"statements", data}, {"record", data}}},
      {"step-back", {{"briefing", given}, {"tools", given}, {"task", data}}},
      {"ui-tars", {{"briefing", given}, {"documents", data}, {"task", data}}},
      {"user", {{"guidelines", given}, {"scenario", given}, {"tools", flag}}},
  };
  return specs;
}

result<prompt_set> prompt_set::load(const std::filesystem::path& dir) {
  if (!dir.empty())
    if (auto ok = check_names(dir); !ok) return ok.error();
  prompt_set out;
  for (const auto& spec : prompt_specs()) {
    std::string file = "config/prompts/" + spec.name + ".md";
    std::string content;
    const auto path = dir / (spec.name + ".md");
    std::error_code ignored;
    if (!dir.empty() && std::filesystem::exists(path, ignored)) {
      auto read = read_file(path);
      if (!read) return read.error();
      file = path.string();
      content = std::move(*read);
    } else {
      const auto& all = embedded_prompts();
      const auto found =
          std::find_if(all.begin(), all.end(), [&](const auto& item) {
            return item.name == spec.name;
          });
      BREWERY_ASSERT(found != all.end());
      content = found->text;
    }
    auto made = prompt::parse(spec, content, file);
    if (!made) return made.error();
    out.prompts_.emplace(spec.name, std::move(*made));
  }
  return out;
}

const prompt& prompt_set::get(const std::string& name) const {
  const auto found = prompts_.find(name);
  BREWERY_ASSERT(found != prompts_.end());
  return found->second;
}

filled_prompt prompt_set::fill(const std::string& name,
                               const slot_texts& with) const {
  const auto outside = get(name).data_of(with);
  if (outside.empty()) return get(name).fill(with, {});
  return fill(name, with, brewery::choose_marker(outside));
}

filled_prompt prompt_set::fill(const std::string& name, const slot_texts& with,
                               const std::string& marker) const {
  auto out = get(name).fill(with, marker);
  const auto rule = get(rule_name).fill({{"marker", {marker}}}, marker).system;
  auto& target = out.system.empty() ? out.user : out.system;
  target = out.system.empty() ? rule + "\n\n" + target : target + "\n\n" + rule;
  return out;
}

std::string
prompt_set::choose_marker(const std::string& name, const slot_texts& with,
                          const std::vector<std::string_view>& later) const {
  return brewery::choose_marker(get(name).data_of(with), 12, later);
}

std::string prompt_set::later_turn(const std::string& name,
                                   const slot_texts& with,
                                   const std::string& marker) const {
  return get(name).fill(with, marker).user;
}

std::string
prompt_set::fingerprint(const std::vector<std::string>& names) const {
  hash_input in;
  in.add(get(rule_name).hash());
  for (const auto& name : names)
    in.add(get(name).hash());
  return in.content().substr(0, 12);
}

} // namespace brewery
