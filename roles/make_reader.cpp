#include "roles/make_reader.hpp"

#include "roles/procedural/rule_reading.hpp"

#include <fmt/format.h>

#include <tuple>

namespace brewery {

namespace {

/// Each job has a seed of its own, so only a model that draws nothing repeats
/// itself.
result<void> repeats_itself(const char* role, const std::string& kind,
                            const role_model& model) {
  if (kind != "llm" || model.temperature == 0.0) return {};
  return error{ec::invalid_config,
               fmt::format("economy.reuse needs rollouts that repeat "
                           "themselves: set {}.temperature to 0",
                           role)};
}

} // namespace

result<std::shared_ptr<const reader>> make_reader(const role_options& options) {
  const auto& [kind, model] = std::tie(options.agent.kind, options.agent.llm);
  if (auto ok = repeats_itself("agent", kind, model); !ok) return ok.error();
  if (auto ok = repeats_itself("user", options.user.kind, options.user.llm);
      !ok)
    return ok.error();
  if (auto ok = repeats_itself("statement_judge", options.statement_judge.kind,
                               options.statement_judge.llm);
      !ok)
    return ok.error();
  if (kind == "scripted") return no_documents();
  if (kind == "llm") return whole_documents();
  // Servers do not repeat themselves quite, and trials are there to show it.
  return rule_lines(options.user.kind != "llm"
                    && options.statement_judge.kind != "llm");
}

bool review_the_attempt_only(const role_options& options) {
  return options.judge.kind == "procedural"
         && options.reflector.kind == "procedural";
}

} // namespace brewery
