#include "run/learners/make_learner.hpp"

#include "envs/osworld/osworld_benchmark.hpp"
#include "kb/experience/from_document.hpp"
#include "learners/agent_kb/agent_kb.hpp"
#include "messages/memory/agent_kb_steps.hpp"
#include "run/learners/make_muse.hpp"
#include "store/folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace brewery {

namespace {

/// What the memory begins with, in the order of the folder.
result<std::vector<experience>> first_experiences(const config& options,
                                                  const std::string& domain) {
  std::vector<experience> out;
  const auto& from = options.agent_kb.start_from;
  if (from.empty()) return out;
  const auto folder = read_knowledge_base(from);
  if (!folder)
    return error{folder.error().code,
                 "agent_kb.start_from: " + folder.error().message};
  for (const auto& entry : folder->kb.entries()) {
    auto items = experiences_of(entry.doc->body, domain);
    if (!items)
      return error{items.error().code,
                   fmt::format("agent_kb.start_from: \"{}\" in {}: {}",
                               entry.title, from, items.error().message)};
    std::ranges::move(*items, std::back_inserter(out));
  }
  return out;
}

} // namespace

result<void> check_learner(const config& options) {
  if (options.search.learner == "muse") return check_muse(options);
  if (!options.search.learner.starts_with(agent_kb_role)) return {};
  const auto first = first_experiences(options, options.environment.kind);
  if (!first) return first.error();
  return {};
}

result<std::unique_ptr<learner>>
make_learner(const config& options, const problem& what,
             const fingerprints& prints,
             std::shared_ptr<document_store> documents) {
  const auto& wanted = options.search.learner;
  if (wanted == "brew") return std::unique_ptr<learner>{};
  if (wanted == "muse")
    return make_muse(options, what, prints, std::move(documents));
  if (!wanted.starts_with(agent_kb_role))
    return error{
        ec::invalid_config,
        fmt::format("search.learner = \"{}\": there is no such learner",
                    wanted)};
  auto settings = evaluation_settings(options, what, prints);
  if (!settings) return settings.error();
  const std::string domain{what.source->name()};
  auto first = first_experiences(options, domain);
  if (!first) return first.error();
  auto how = options.agent_kb;
  how.survey = options.surveys();
  // On a desktop a reason is a sentence, whoever acts.
  const bool says_why = options.agent.kind == "procedural"
                        && options.environment.kind != osworld::benchmark_name;
  return std::unique_ptr<learner>{std::make_unique<agent_kb_learner>(
      std::move(*settings), std::move(how), domain, std::move(documents),
      std::move(*first), says_why)};
}

} // namespace brewery
