#include "config/model_use.hpp"

#include <algorithm>
#include <string_view>

namespace brewery {

namespace {

/// Calls `take(role, model)` for each role that uses a model.
template <class F>
void each_model(const config& options, F take) {
  const auto offer = [&](const char* role, const std::string& kind,
                         const std::string& model) {
    if (kind == "llm") take(role, model);
  };
  offer("agent", options.agent.kind, options.agent.llm.model);
  if (options.agent.format == "gta1")
    offer("grounder", options.agent.kind, options.agent.grounder_model);
  offer("reflector", options.reflector.kind, options.reflector.llm.model);
  offer("integrator", options.integrator.kind, options.integrator.llm.model);
  offer("judge", options.judge.kind, options.judge.llm.model);
  offer("embedder", options.embedder.kind, options.embedder.model);
  if (options.has_memory())
    offer("memory", options.memory.kind, options.memory.llm.model);
  offer("user", options.user.kind, options.user.llm.model);
  offer("statement_judge", options.statement_judge.kind,
        options.statement_judge.llm.model);
}

/// The names of the models of the roles that `wanted` says.
template <class F>
std::vector<std::string> models_of(const config& options, F wanted) {
  std::vector<std::string> out;
  each_model(options, [&](std::string_view role, const std::string& model) {
    if (wanted(role) && std::find(out.begin(), out.end(), model) == out.end())
      out.push_back(model);
  });
  return out;
}

/// Whether rollouts without reflection ask a role's model. An embedder's is
/// asked by those that rank documents by vectors.
bool plays(const config& options, std::string_view role) {
  return role == "agent" || role == "grounder" || role == "user"
         || role == "statement_judge"
         || (role == "embedder" && options.retrieval.needs_vectors());
}

} // namespace

std::vector<std::string> models_used(const config& options) {
  return models_of(options, [](std::string_view) { return true; });
}

std::vector<std::string> models_playing(const config& options) {
  return models_of(options,
                   [&](std::string_view role) { return plays(options, role); });
}

std::vector<std::string> models_reflecting(const config& options) {
  return models_of(options, [&](std::string_view role) {
    return role == "reflector" || role == "judge" || plays(options, role);
  });
}

std::map<std::string, std::string> models_by_role(const config& options) {
  std::map<std::string, std::string> out;
  each_model(options, [&](const char* role, const std::string& model) {
    out.emplace(role, model);
  });
  return out;
}

std::vector<role_model*> role_models(config& options) {
  return {&options.agent.llm,          &options.reflector.llm,
          &options.integrator.llm,     &options.judge.llm,
          &options.memory.llm,         &options.user.llm,
          &options.statement_judge.llm};
}

} // namespace brewery
