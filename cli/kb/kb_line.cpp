/// The command line of `kb list|show|diff|search|export`.

#include "cli/commands.hpp"
#include "cli/kb/kb_command.hpp"

#include <array>
#include <memory>
#include <tuple>

namespace brewery {

namespace {

constexpr const char* group_footer =
    "KB is a directory of documents, a run directory, or a run id.\n\n"
    "Examples:\n"
    "  brewery kb list first\n"
    "  brewery kb search first \"no mobile data abroad\"";

constexpr const char* list_footer =
    "Prints one line per concept to standard output: the reward of its best "
    "document, the two\nparts of the reward, the number of graded rollouts and "
    "of distinct insights it is based\non, and the iteration that wrote "
    "it; - where its learner keeps no such figure.\n\nExample:\n  brewery kb "
    "list first --json | jq .title";

constexpr const char* show_footer =
    "Prints the document to standard output. With --provenance, each line is "
    "followed by the\ninsights it is based on: the number of rollouts of each, "
    "and the first one (task and\nrollout).\n\nExamples:\n  brewery kb show "
    "first 0\n  brewery kb show first \"APN settings\" --provenance";

constexpr const char* diff_footer =
    "Prints the changes from A to B to standard output, document by document, "
    "as unified diffs,\nor \"no difference\"; with --json nothing when they "
    "are equal. Documents with the same title\nare compared; of one run also "
    "those with the same number. Else a document is added or\nremoved.\n\n"
    "Example:\n"
    "  brewery kb diff first second";

constexpr const char* search_footer =
    "Ranks the documents for a query as the agent's retrieval does, best "
    "first, on standard\noutput: by the [retrieval] and the [embedder] of "
    "--config, else of the run that the\ndocuments are of. Exit code 1 when "
    "nothing is found. An embedder on a model is asked for\nall documents and "
    "for the query.\n\nExamples:\n"
    "  brewery kb search first \"the internet is slow\" --limit 3\n"
    "  brewery kb search first \"the internet is slow\" --kind hybrid";

constexpr const char* export_footer =
    "Writes what --skills, --experiences, --documents or --memory says into a "
    "directory that\nmust not exist or be empty. Skills are folders with a "
    "SKILL.md, as coding agents load\nthem. The others are Markdown files, "
    "which people can mend: one that cannot be read back\nis refused with its "
    "line.\n\nExamples:\n"
    "  brewery kb export first --skills skills/telecom\n"
    "  brewery kb export first --experiences known\n"
    "  brewery run config/telecom-example.toml --set search.learner=agent_kb "
    "\\\n    --set agent_kb.start_from=known";

void add_common(CLI::App& command, kb_arguments& arguments) {
  command
      .add_option("KB", arguments.kb,
                  "Directory of documents, run directory or run id.")
      ->required();
}

void add_output(CLI::App& command, std::string& runs_dir, bool& json) {
  add_runs_dir_option(command, runs_dir);
  command.add_flag("--json", json, "JSON lines on standard output.");
}

template <class Arguments>
void run_with(CLI::App& command, std::shared_ptr<Arguments> arguments,
              int (*function)(const Arguments&), chosen_command& chosen) {
  command.callback([arguments, function, &chosen] {
    chosen = [arguments, function] { return function(*arguments); };
  });
}

void add_list(CLI::App& group, chosen_command& chosen) {
  auto* command = add_command(
      group, "list", "List the concepts of a knowledge base.", list_footer);
  auto arguments = std::make_shared<kb_arguments>();
  add_common(*command, *arguments);
  add_output(*command, arguments->runs_dir, arguments->json);
  run_with(*command, arguments, kb_list, chosen);
}

void add_show(CLI::App& group, chosen_command& chosen) {
  auto* command = add_command(
      group, "show", "Print a document and its provenance.", show_footer);
  auto arguments = std::make_shared<show_arguments>();
  add_common(*command, *arguments);
  command
      ->add_option("CONCEPT", arguments->concept_name,
                   "Concept: its number, or a part of its title.")
      ->required()
      ->check(not_empty);
  command->add_flag(
      "--provenance", arguments->provenance,
      "Print the insights and rollouts that each line is based on.");
  add_output(*command, arguments->runs_dir, arguments->json);
  run_with(*command, arguments, kb_show, chosen);
}

void add_diff(CLI::App& group, chosen_command& chosen) {
  auto* command = add_command(group, "diff",
                              "Show what changed between two knowledge bases.",
                              diff_footer);
  auto arguments = std::make_shared<diff_arguments>();
  command->add_option("A", arguments->before, "The older one.")->required();
  command->add_option("B", arguments->after, "The newer one.")->required();
  add_output(*command, arguments->runs_dir, arguments->json);
  run_with(*command, arguments, kb_diff, chosen);
}

void add_search(CLI::App& group, chosen_command& chosen) {
  auto* command =
      add_command(group, "search", "Search a knowledge base as the agent does.",
                  search_footer);
  auto arguments = std::make_shared<search_arguments>();
  add_common(*command, *arguments);
  command->add_option("QUERY", arguments->query, "Words to search for.")
      ->required();
  command
      ->add_option("--limit", arguments->limit, "Maximum number of documents.")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command
      ->add_option("--kind", arguments->kind,
                   "Retrieval by words, by vectors or by both; default: "
                   "retrieval.kind.")
      ->check(CLI::IsMember({"bm25", "dense", "hybrid"}));
  command->add_option("--config", arguments->configuration.file,
                      "Configuration file; default: that of the run.");
  add_override_option(*command, arguments->configuration);
  add_output(*command, arguments->runs_dir, arguments->json);
  run_with(*command, arguments, kb_search, chosen);
}

void add_export(CLI::App& group, chosen_command& chosen) {
  auto* command = add_command(group, "export",
                              "Write a knowledge base as agent skills, "
                              "experiences, documents or a memory.",
                              export_footer);
  auto arguments = std::make_shared<export_arguments>();
  add_common(*command, *arguments);
  const std::array<std::tuple<const char*, std::string*, const char*>, 4> to{{
      {"--skills", &arguments->skills, "Directory to write the skills into."},
      {"--experiences", &arguments->experiences,
       "Directory for experiences of Agent KB; other documents become "
       "experiences, by their lines."},
      {"--documents", &arguments->documents,
       "Directory for documents that any agent reads, made of experiences."},
      {"--memory", &arguments->memory, "Directory for a memory of MUSE."},
  }};
  std::vector<CLI::Option*> options;
  for (const auto& [name, directory, says] : to) {
    options.push_back(
        command->add_option(name, *directory, says)->check(not_empty));
    for (std::size_t i = 0; i + 1 < options.size(); ++i)
      options.back()->excludes(options[i]);
  }
  command->add_option("--domain", arguments->domain,
                      "Benchmark that new experiences are of; default: that "
                      "of the run.");
  add_output(*command, arguments->runs_dir, arguments->json);
  command->callback([arguments, &chosen] {
    const auto& a = *arguments;
    if ((a.skills + a.experiences + a.documents + a.memory).empty())
      throw CLI::RequiredError(
          "--skills, --experiences, --documents or --memory");
    chosen = [arguments] { return kb_export(*arguments); };
  });
}

} // namespace

void add_kb_commands(CLI::App& app, chosen_command& chosen) {
  auto* group = add_command(
      app, "kb", "Look at a knowledge base: list, show, diff, search, export.",
      group_footer);
  group->require_subcommand(1);
  add_list(*group, chosen);
  add_show(*group, chosen);
  add_diff(*group, chosen);
  add_search(*group, chosen);
  add_export(*group, chosen);
}

} // namespace brewery
