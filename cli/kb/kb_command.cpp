/// The commands of `brewery kb list|show|diff`.

#include "cli/kb/kb_command.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/kb/unpublished.hpp"
#include "cli/locate.hpp"
#include "cli/terminal.hpp"
#include "kb/difference.hpp"
#include "report/learner_text.hpp"
#include "report/provenance.hpp"
#include "store/folder.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

std::string reward_text(const manifest_document* about, double value) {
  return about && about->evaluated > 0 ? fmt::format("{:.3f}", value) : "-";
}

nlohmann::ordered_json entry_json(const kb_entry& entry,
                                  const manifest& about) {
  nlohmann::ordered_json out{{"concept", entry.concept_ref.value},
                             {"title", entry.title},
                             {"hash", entry.doc->hash.value}};
  if (const auto* facts = about.find(entry.concept_ref)) {
    out["file"] = facts->file;
    out["iteration"] = facts->iteration;
    out["reward"] = facts->reward;
    out["correctness"] = facts->correctness;
    out["retrieval"] = facts->retrieval;
    out["evaluated"] = facts->evaluated;
    out["insights"] = facts->evidence_count();
  }
  return out;
}

std::vector<std::string> entry_row(const kb_entry& entry,
                                   const manifest& about) {
  const auto* facts = about.find(entry.concept_ref);
  // Who keeps a memory counts none of these.
  const bool counted = facts && memory_learner(about.strategy).empty();
  const auto number = [counted](auto value) {
    return counted ? fmt::format("{}", value) : "-";
  };
  return {concept_text(entry.concept_ref),
          reward_text(facts, facts ? facts->reward : 0),
          reward_text(facts, facts ? facts->correctness : 0),
          reward_text(facts, facts ? facts->retrieval : 0),
          number(facts ? facts->evaluated : 0),
          number(facts ? facts->evidence_count() : 0),
          number(facts ? facts->iteration : 0),
          single_line(entry.title)};
}

/// The one entry with this number, or whose title contains this text.
result<const kb_entry*> find_entry(const knowledge_base& kb,
                                   const std::string& name) {
  if (const auto number = whole_number<std::uint32_t>(name))
    if (const auto* entry = kb.find(concept_id{*number})) return entry;
  std::vector<const kb_entry*> matches;
  std::vector<std::string> titles;
  for (const auto& entry : kb.entries()) {
    titles.push_back(entry.title);
    if (lower(entry.title).find(lower(name)) != std::string::npos)
      matches.push_back(&entry);
  }
  if (matches.size() == 1) return matches.front();
  if (matches.size() > 1)
    return error{ec::invalid_argument,
                 fmt::format("{} concepts match \"{}\": use the number that "
                             "`brewery kb list` shows",
                             matches.size(), name)};
  const auto near = suggest_choice(name, titles);
  return error{ec::not_found,
               "no concept \"" + name + "\""
                   + (near.empty() ? "; `brewery kb list` shows them" : near)};
}

/// Why there is no such entry, if the run of the documents knows; else `found`.
error why_not(const show_arguments& arguments, const kb_folder& folder,
              const error& found) {
  if (found.code != ec::not_found) return found;
  const auto path = locate_kb(arguments.kb, runs_directory(arguments.runs_dir));
  if (!path) return found;
  return why_no_document(*path, folder.about.strategy, arguments.concept_name,
                         arguments.kb)
      .value_or(found);
}

std::string coloured_diff(const std::string& text, bool enabled) {
  std::string out;
  for (const auto line : split(text, '\n')) {
    if (line.starts_with('+'))
      out += styled(line, style::green, enabled);
    else if (line.starts_with('-'))
      out += styled(line, style::red, enabled);
    else if (line.starts_with("@@"))
      out += styled(line, style::cyan, enabled);
    else
      out += line;
    out += '\n';
  }
  out.pop_back(); // split adds a part after the last line end
  return out;
}

std::string_view change_name(change_kind kind) {
  switch (kind) {
  case change_kind::added:
    return "added";
  case change_kind::removed:
    return "removed";
  case change_kind::changed:
    return "changed";
  }
  return "";
}

} // namespace

result<kb_folder> open_kb(const std::string& name,
                          const std::string& runs_dir) {
  const auto path = locate_kb(name, runs_directory(runs_dir));
  if (!path) return path.error();
  auto folder = read_knowledge_base(*path);
  std::error_code ignored;
  const auto run = path->parent_path();
  if (!folder && std::filesystem::exists(run / "events.db", ignored)
      && !std::filesystem::exists(run / "report.md", ignored))
    return error{ec::not_found,
                 fmt::format("run {} has no documents yet: they are written "
                             "when it ends; `brewery runs` shows how far it is",
                             run.filename().string())};
  if (folder)
    for (const auto& warning : folder->warnings)
      std::fprintf(stderr, "brewery: warning: %s\n",
                   single_line(warning).c_str());
  return folder;
}

std::string concept_text(concept_id id) {
  return fmt::format("{:02}", id.value);
}

int kb_list(const kb_arguments& arguments) {
  const auto folder = open_kb(arguments.kb, arguments.runs_dir);
  if (!folder) return report(folder.error());
  std::vector<std::vector<std::string>> rows{
      {"concept", "reward", "correct", "retrieval", "rollouts", "insights",
       "iteration", "title"}};
  for (const auto& entry : folder->kb.entries()) {
    if (arguments.json)
      print(json_line("document", entry_json(entry, folder->about)));
    else
      rows.push_back(entry_row(entry, folder->about));
  }
  if (!arguments.json) print(fitted_table(rows));
  return exit_ok;
}

int kb_show(const show_arguments& arguments) {
  const auto folder = open_kb(arguments.kb, arguments.runs_dir);
  if (!folder) return report(folder.error());
  const auto entry = find_entry(folder->kb, arguments.concept_name);
  if (!entry) return report(why_not(arguments, *folder, entry.error()));
  const auto* facts = folder->about.find((*entry)->concept_ref);
  if (arguments.json) {
    auto out = entry_json(**entry, folder->about);
    out["lines"] = lines_json((*entry)->doc->body, facts, folder->about.grades);
    print(json_line("document", out));
  } else if (arguments.provenance) {
    if (!facts)
      return report(
          error{ec::not_found, arguments.kb
                                   + " has no manifest.json, so it is not "
                                     "known where its lines come from"});
    print(annotated((*entry)->doc->body, *facts, folder->about.grades,
                    colours(stdout)));
  } else {
    print(printable((*entry)->doc->body));
  }
  return exit_ok;
}

int kb_diff(const diff_arguments& arguments) {
  const auto before = open_kb(arguments.before, arguments.runs_dir);
  if (!before) return report(before.error());
  const auto after = open_kb(arguments.after, arguments.runs_dir);
  if (!after) return report(after.error());
  // Another run forms its concepts, and numbers them, on its own.
  const auto& run = before->about.run_id;
  const auto changes = difference(before->kb, after->kb,
                                  !run.empty() && run == after->about.run_id);
  if (!arguments.json) {
    print(changes.empty()
              ? "no difference\n"
              : coloured_diff(printable(to_text(changes)), colours(stdout)));
    return exit_ok;
  }
  for (const auto& change : changes)
    print(json_line("change", {{"change", change_name(change.kind)},
                               {"concept", change.concept_ref.value},
                               {"concept_before", change.before_ref.value},
                               {"title", change.title},
                               {"diff", change.diff}}));
  return exit_ok;
}

} // namespace brewery
