/// `brewery kb search`: what an agent would be shown.

#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/kb/kb_command.hpp"
#include "cli/locate.hpp"
#include "cli/terminal.hpp"
#include "config/rules.hpp"
#include "roles/kb_retriever.hpp"
#include "roles/make_roles.hpp"
#include "run/setup/run_models.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

/// The retrieval of the run that the documents are of, unless another is named.
result<config> retrieval_config(const search_arguments& arguments,
                                const std::filesystem::path& documents) {
  auto source = arguments.configuration;
  if (source.file.empty()) {
    std::error_code ignored;
    const auto own = config_of_run(documents);
    // Other programs call their configuration so, too.
    if (own
        && std::filesystem::exists(
            std::filesystem::path{*own}.parent_path() / "events.db", ignored)) {
      source.file = *own;
      source.stored = true;
    }
  }
  if (!arguments.kind.empty())
    source.overrides.push_back("retrieval.kind=" + arguments.kind);
  without_economy(source);
  auto loaded = load_from(source);
  if (!loaded.problems.empty()) return loaded.problems.front();
  // Whoever wrote the run named the program, or the server and its key.
  const auto& embedder = loaded.value.embedder.kind;
  if (source.stored && loaded.value.retrieval.needs_vectors()
      && embedder != embedder_options{}.kind)
    return error{ec::invalid_argument,
                 fmt::format("the run retrieves with embedder.kind = \"{0}\", "
                             "which its own configuration sets up; if you "
                             "trust that, add `--config {1}`, else search by "
                             "words with `--kind bm25`",
                             embedder, source.file)};
  return std::move(loaded.value);
}

/// No other role, so that only the embedder's model must be at hand.
void keep_embedder_only(config& options) {
  const config plain;
  options.agent = plain.agent;
  options.reflector = plain.reflector;
  options.integrator = plain.integrator;
  options.judge = plain.judge;
  options.user = plain.user;
  options.statement_judge = plain.statement_judge;
  options.prompts = plain.prompts;
}

result<std::vector<retrieved>> found_in(const knowledge_base& kb,
                                        config options,
                                        const std::string& query,
                                        std::size_t limit) {
  document_vectors vectors;
  const auto& how = options.retrieval;
  if (!how.needs_vectors()) {
    const auto index = make_retriever(kb, how, vectors);
    return (*index)->search(query, limit);
  }
  keep_embedder_only(options);
  const auto models =
      open_models(options, {}, {}, std::make_shared<process_metrics>());
  if (!models) return models.error();
  const auto made = make_roles(options.roles(), {}, models->broker);
  if (!made) return made.error();
  const text_vectors known{made->roles.embedder};
  const job_context asker{{"kb search"}};
  auto by_entry = vectors_of(kb, known, asker);
  if (!by_entry) return by_entry.error();
  const auto index = make_retriever(kb, how, *by_entry);
  if (!index) return index.error();
  const auto place = known.of(query, asker);
  if (!place) return place.error();
  if (auto fits = check_query_vector(**place, **index); !fits)
    return fits.error();
  return (*index)->search({query, **place}, limit);
}

} // namespace

int kb_search(const search_arguments& arguments) {
  const auto path = locate_kb(arguments.kb, runs_directory(arguments.runs_dir));
  if (!path) return report(path.error());
  const auto folder = open_kb(arguments.kb, arguments.runs_dir);
  if (!folder) return report(folder.error());
  const auto options = retrieval_config(arguments, *path);
  if (!options) {
    report(options.error());
    return exit_usage;
  }
  const auto found = found_in(folder->kb, *options, join(arguments.query, " "),
                              arguments.limit);
  if (!found) return report(found.error());
  const bool words = options->retrieval.kind == "bm25";
  std::vector<std::vector<std::string>> rows{
      {"rank", "score", "concept", "title"}};
  std::size_t rank = 0;
  for (const auto& hit : *found) {
    const auto& entry = folder->kb.entries()[hit.index];
    ++rank;
    if (arguments.json)
      std::fputs(json_line("hit", {{"rank", rank},
                                   {"score", hit.score},
                                   {"concept", entry.concept_ref.value},
                                   {"title", entry.title}})
                     .c_str(),
                 stdout);
    else
      rows.push_back({std::to_string(rank),
                      words ? fmt::format("{:.3f}", hit.score)
                            : fmt::format("{:.4f}", hit.score),
                      concept_text(entry.concept_ref),
                      single_line(entry.title)});
  }
  if (!arguments.json && rank > 0)
    std::fputs(fitted_table(rows).c_str(), stdout);
  if (rank == 0)
    return report(
        error{ec::not_found, words ? "no document has any of these words"
                                   : "no document is near these words"});
  return exit_ok;
}

} // namespace brewery
