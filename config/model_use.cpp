#include "config/model_use.hpp"

#include <algorithm>

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
  offer("reflector", options.reflector.kind, options.reflector.llm.model);
  offer("integrator", options.integrator.kind, options.integrator.llm.model);
  offer("judge", options.judge.kind, options.judge.llm.model);
  offer("embedder", options.embedder.kind, options.embedder.model);
  offer("user", options.user.kind, options.user.llm.model);
  offer("statement_judge", options.statement_judge.kind,
        options.statement_judge.llm.model);
}

} // namespace

std::vector<std::string> models_used(const config& options) {
  std::vector<std::string> out;
  each_model(options, [&](const char*, const std::string& model) {
    if (std::find(out.begin(), out.end(), model) == out.end())
      out.push_back(model);
  });
  return out;
}

std::map<std::string, std::string> models_by_role(const config& options) {
  std::map<std::string, std::string> out;
  each_model(options, [&](const char* role, const std::string& model) {
    out.emplace(role, model);
  });
  return out;
}

std::vector<role_model*> role_models(config& options) {
  return {&options.agent.llm,      &options.reflector.llm,
          &options.integrator.llm, &options.judge.llm,
          &options.user.llm,       &options.statement_judge.llm};
}

} // namespace brewery
