/// `brewery kb export`: skills, experiences, documents or a memory.

#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/kb/kb_command.hpp"
#include "cli/locate.hpp"
#include "cli/terminal.hpp"
#include "kb/experience/from_document.hpp"
#include "kb/experience/to_document.hpp"
#include "kb/muse/memory_text.hpp"
#include "messages/search_msgs.hpp"
#include "messages/wire/codec.hpp"
#include "store/event_log.hpp"
#include "store/export_markdown.hpp"
#include "store/export_skills.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <functional>

namespace brewery {

namespace {

using texts = std::vector<std::string>;

error in_document(const kb_entry& entry, const error& why) {
  return {why.code, fmt::format("\"{}\" ({}): {}", single_line(entry.title),
                                concept_text(entry.concept_ref), why.message)};
}

/// The name that a run's benchmark has on record: a benchmark of one's own
/// gives it itself. Empty: the log does not say.
std::string recorded_benchmark(const std::filesystem::path& run) {
  const auto log = event_log::open_for_reading(run);
  if (!log) return {};
  const auto first = (*log)->read(1);
  if (!first || first->kind != run_record::type_name) return {};
  const auto record = wire::decode<run_record>(first->payload);
  if (!record) return {};
  // Its data, roles and models follow.
  return record->fingerprint.substr(0, record->fingerprint.find(' '));
}

/// The benchmark of the run that the documents are of.
result<std::string> domain_of(const export_arguments& arguments) {
  if (!arguments.domain.empty()) return arguments.domain;
  const auto path = locate_kb(arguments.kb, runs_directory(arguments.runs_dir));
  if (!path) return path.error();
  const auto file = config_of_run(*path);
  if (!file)
    return error{ec::invalid_argument,
                 "these documents belong to no run; say with --domain which "
                 "benchmark they are about"};
  if (auto name =
          recorded_benchmark(std::filesystem::path{*file}.parent_path());
      !name.empty())
    return name;
  config_arguments stored;
  stored.file = *file;
  stored.stored = true;
  const auto loaded = load_from(stored);
  if (!loaded.problems.empty()) return error{ec::invalid_config, *file};
  return loaded.value.environment.kind;
}

result<texts> experience_texts(const kb_folder& folder,
                               const export_arguments& arguments) {
  texts out;
  std::string domain;
  for (const auto& entry : folder.kb.entries()) {
    const auto known = read_experience(entry.doc->body);
    if (!known && domain.empty()) {
      auto found = domain_of(arguments);
      if (!found) return found.error();
      domain = *std::move(found);
    }
    const auto items = experiences_of(entry.doc->body, domain);
    if (!items) return in_document(entry, items.error());
    for (const auto& item : *items)
      out.push_back(to_markdown(item));
  }
  if (out.empty() && !folder.kb.empty())
    return error{ec::invalid_argument,
                 "this memory has no procedures, of which experiences could be "
                 "made; --skills and --memory take it"};
  return out;
}

/// The word of the option that its documents are not made for.
error not_made_for(const char* option, const char* documents,
                   const error& why) {
  return {why.code,
          fmt::format("{}; --{} is for {}: --skills takes every knowledge base",
                      why.message, option, documents)};
}

result<texts> documents_of(const kb_folder& folder) {
  texts out;
  for (const auto& entry : folder.kb.entries()) {
    const auto item = read_experience(entry.doc->body);
    if (!item)
      return not_made_for("documents", "experiences of Agent KB",
                          in_document(entry, item.error()));
    out.push_back(to_document(*item));
  }
  return out;
}

result<texts> memory_of(const kb_folder& folder) {
  muse::memory all;
  for (const auto& entry : folder.kb.entries())
    if (const auto ok = muse::read_document(entry.doc->body, all); !ok)
      return not_made_for("memory", "memories of MUSE",
                          in_document(entry, ok.error()));
  return muse::documents_of(all);
}

int written(const export_arguments& arguments, const result<void>& done,
            const std::string& what, std::size_t count,
            const std::string& directory) {
  if (!done) return report(done.error());
  const auto said =
      arguments.json
          ? json_line(what + "s",
                      {{what + "s", count}, {"directory", directory}})
          : fmt::format("{} in {}\n", counted(count, what), directory);
  std::fwrite(said.data(), 1, said.size(), stdout);
  return exit_ok;
}

int write_texts(const export_arguments& arguments, const result<texts>& made,
                const std::string& what, const std::string& directory) {
  if (!made) return report(made.error());
  return written(arguments, export_markdown(directory, *made), what,
                 made->size(), directory);
}

} // namespace

int kb_export(const export_arguments& arguments) {
  const auto folder = open_kb(arguments.kb, arguments.runs_dir);
  if (!folder) return report(folder.error());
  if (folder->kb.empty())
    return report(error{ec::not_found,
                        single_line(arguments.kb)
                            + " has no documents, so nothing was written"});
  if (!arguments.experiences.empty())
    return write_texts(arguments, experience_texts(*folder, arguments),
                       "experience", arguments.experiences);
  if (!arguments.documents.empty())
    return write_texts(arguments, documents_of(*folder), "document",
                       arguments.documents);
  if (!arguments.memory.empty())
    return write_texts(arguments, memory_of(*folder), "document",
                       arguments.memory);
  return written(arguments, export_skills(arguments.skills, folder->kb),
                 "skill", folder->kb.size(), arguments.skills);
}

} // namespace brewery
