#include "config/model_use.hpp"

#include <algorithm>

namespace brewery {

std::vector<std::string> models_used(const config& options) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& kind, const std::string& model) {
    if (kind == "llm" && std::find(out.begin(), out.end(), model) == out.end())
      out.push_back(model);
  };
  add(options.agent.kind, options.agent.llm.model);
  add(options.reflector.kind, options.reflector.llm.model);
  add(options.integrator.kind, options.integrator.llm.model);
  add(options.judge.kind, options.judge.llm.model);
  add(options.embedder.kind, options.embedder.model);
  add(options.user.kind, options.user.llm.model);
  add(options.statement_judge.kind, options.statement_judge.llm.model);
  return out;
}

std::vector<role_model*> role_models(config& options) {
  return {&options.agent.llm,      &options.reflector.llm,
          &options.integrator.llm, &options.judge.llm,
          &options.user.llm,       &options.statement_judge.llm};
}

} // namespace brewery
