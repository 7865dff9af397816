#include "roles/make_roles.hpp"

#include "messages/memory/agent_kb_steps.hpp"
#include "roles/desktop/agents/gta1_agent.hpp"
#include "roles/desktop/agents/uitars_agent.hpp"
#include "roles/desktop/procedural/desktop_integrator.hpp"
#include "roles/desktop/procedural/desktop_policy.hpp"
#include "roles/desktop/procedural/desktop_reflector.hpp"
#include "roles/kb_retriever.hpp"
#include "roles/memory/llm_memory.hpp"
#include "roles/memory/llm_recorder.hpp"
#include "roles/memory/procedural_memory.hpp"
#include "roles/memory/procedural_recorder.hpp"
#include "roles/model/llm_agent.hpp"
#include "roles/model/llm_embedder.hpp"
#include "roles/model/llm_integrator.hpp"
#include "roles/model/llm_judge.hpp"
#include "roles/model/llm_reflector.hpp"
#include "roles/model/llm_reviewer.hpp"
#include "roles/model/llm_statement_judge.hpp"
#include "roles/model/llm_user.hpp"
#include "roles/muse/llm_refiner.hpp"
#include "roles/muse/muse_agent.hpp"
#include "roles/procedural/procedural_agent.hpp"
#include "roles/procedural/procedural_embedder.hpp"
#include "roles/procedural/procedural_integrator.hpp"
#include "roles/procedural/procedural_judge.hpp"
#include "roles/procedural/procedural_reflector.hpp"
#include "roles/scripted_agent.hpp"
#include "roles/sentence/sentence_embedder.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

/// Increment when a role gives another result for the same input, so that
/// results of older rollouts are not reused.
constexpr int roles_version = 2;

bool on_model(const std::string& kind) {
  return kind == "llm";
}

/// Makes the participants that are on a model, anew for each rollout.
class model_participants final : public participants_maker {
public:
  std::optional<model_asker> user, judge;

  participants make(job_context& context) const override {
    participants out;
    if (user) out.user = std::make_shared<llm_user>(*user, context);
    if (judge)
      out.judge = std::make_shared<llm_statement_judge>(*judge, context);
    return out;
  }
};

class role_maker {
public:
  role_maker(const role_options& options, std::string_view benchmark,
             std::shared_ptr<model_port> port, child::log_sink log)
      : options_(options), benchmark_(benchmark), log_(std::move(log)) {
    kit_.port = std::move(port);
    kit_.tally = std::make_shared<role_tally>();
  }

  result<made_roles> make() {
    // Load prompts even if no role needs them, so that mistakes show early.
    auto prompts = prompt_set::load(options_.prompts.dir);
    if (!prompts) return prompts.error();
    kit_.prompts = std::make_shared<const prompt_set>(std::move(*prompts));
    if (auto ok = make_agent(); !ok) return ok.error();
    if (auto ok = make_embedder(); !ok) return ok.error();
    if (auto ok = make_judge(); !ok) return ok.error();
    make_reflector();
    if (auto ok = make_reviewer(); !ok) return ok.error();
    make_integrator();
    make_memory();
    make_participants();
    if (failure_) return *failure_;
    // Once more at the end: the keys of rollouts on record have it so.
    depends_on(fingerprint(options_.retrieval.bm25), part::run);
    if (const auto& how = options_.retrieval; how.needs_vectors())
      depends_on(fingerprint(how), part::playing);
    out_.tally = kit_.tally;
    return std::move(out_);
  }

private:
  /// Empty, with an error stored, if the role has no model or port.
  std::optional<model_asker> asker(const std::string& role,
                                   const role_model& model) {
    if (!model.model.empty() && kit_.port)
      return model_asker{role, model, kit_};
    if (!failure_)
      failure_ = error{ec::invalid_config,
                       fmt::format("{0}.kind = \"llm\" needs {1}", role,
                                   model.model.empty()
                                       ? role + ".model, the name of a model"
                                       : "a model to ask, but none is set "
                                         "up in this process")};
    return std::nullopt;
  }

  /// What a text says something about.
  enum class part {
    run,       ///< no rollout
    reflected, ///< rollouts with reflection
    playing,   ///< all rollouts
  };

  void depends_on(const std::string& text, part of) {
    const auto add = [&text](std::string& all) {
      all += (all.empty() ? "" : " ") + text;
    };
    add(out_.fingerprint);
    if (of != part::run) add(out_.reflecting);
    if (of == part::playing) add(out_.playing);
  }

  /// What an embedder does to rollouts: it may rank documents.
  [[nodiscard]] part embedding() const {
    return options_.retrieval.needs_vectors() ? part::playing : part::run;
  }

  result<void> make_agent() {
    if (options_.agent.kind == "scripted") {
      auto made = scripted_agent::load(options_.agent);
      if (!made) return made.error();
      out_.roles.agent = std::move(*made);
    } else if (on_model(options_.agent.kind)) {
      make_model_agent();
    } else if (on_desktop()) {
      out_.roles.agent =
          std::make_shared<desktop::procedural_desktop_agent>(options_.agent);
    } else {
      out_.roles.agent = std::make_shared<procedural_agent>(options_.agent,
                                                            options_.retrieval);
    }
    if (options_.muse && out_.roles.agent)
      out_.roles.agent = std::make_shared<muse_agent>(
          out_.roles.agent, options_.agent, *options_.muse,
          on_model(options_.agent.kind) ? asker("agent", options_.agent.llm)
                                        : std::nullopt);
    if (out_.roles.agent)
      depends_on(out_.roles.agent->fingerprint(), part::playing);
    depends_on(fmt::format("roles={} {}", roles_version,
                           fingerprint(options_.retrieval.bm25)),
               part::playing);
    return {};
  }

  /// Roles without a language model act and learn by what a desktop shows.
  [[nodiscard]] bool on_desktop() const {
    return benchmark_.starts_with("osworld");
  }

  void make_model_agent() {
    const auto& agent = options_.agent;
    auto ask = asker("agent", agent.llm);
    if (!ask) return;
    if (agent.format == "prompt") {
      out_.roles.agent =
          std::make_shared<desktop::prompt_agent>(std::move(*ask), agent);
    } else if (agent.format == "ui_tars") {
      out_.roles.agent =
          std::make_shared<desktop::uitars_agent>(std::move(*ask), agent);
    } else if (agent.format == "gta1") {
      role_model finds{.model = agent.grounder_model};
      finds.temperature = 0; // it has one answer
      if (auto grounder = asker("grounder", finds))
        out_.roles.agent = std::make_shared<desktop::gta1_agent>(
            std::move(*ask), std::move(*grounder), agent);
    } else {
      out_.roles.agent = std::make_shared<llm_agent>(std::move(*ask), agent,
                                                     options_.retrieval);
    }
  }

  result<void> make_embedder() {
    const auto& embedder = options_.embedder;
    if (embedder.kind == "sentence") {
      const auto settings = sentence::settings_of(embedder, log_);
      if (!settings) return settings.error();
      auto made = std::make_shared<sentence_embedder>(
          sentence::sentence_model::shared(*settings), embedder.batch);
      depends_on(made->fingerprint(), embedding());
      out_.roles.embedder = std::move(made);
      return {};
    }
    if (!on_model(embedder.kind)) {
      out_.roles.embedder =
          std::make_shared<procedural_embedder>(embedder.dimensions);
      depends_on(fmt::format("embedder={}", embedder.dimensions), embedding());
      return {};
    }
    const role_model model{embedder.model, std::nullopt, 0, {}, false};
    auto ask = asker("embedder", model);
    if (!ask) return {};
    auto made = std::make_shared<llm_embedder>(std::move(*ask), embedder);
    depends_on(made->fingerprint(), embedding());
    out_.roles.embedder = std::move(made);
    return {};
  }

  result<void> make_judge() {
    if (!on_model(options_.judge.kind)) {
      out_.roles.judge = std::make_shared<procedural_judge>();
      return {};
    }
    auto rubrics = load_rubrics(options_.judge.rubrics);
    if (!rubrics) return rubrics.error();
    auto ask = asker("judge", options_.judge.llm);
    if (!ask) return {};
    auto made =
        std::make_shared<llm_judge>(std::move(*ask), std::move(*rubrics));
    depends_on(made->fingerprint(), part::reflected);
    out_.roles.judge = std::move(made);
    return {};
  }

  void make_reflector() {
    if (!on_model(options_.reflector.kind)) {
      if (on_desktop())
        out_.roles.reflector =
            std::make_shared<desktop::procedural_desktop_reflector>();
      else
        out_.roles.reflector = std::make_shared<procedural_reflector>();
      return;
    }
    auto ask = asker("reflector", options_.reflector.llm);
    if (!ask) return;
    auto made = std::make_shared<llm_reflector>(
        std::move(*ask), options_.reflector.max_insights);
    depends_on(made->fingerprint(), part::reflected);
    out_.roles.reflector = std::move(made);
  }

  result<void> make_reviewer() {
    if (!in_one_call(options_.judge, options_.reflector)) return {};
    auto rubrics = load_rubrics(options_.judge.rubrics);
    if (!rubrics) return rubrics.error();
    auto ask = asker("reflector", options_.reflector.llm);
    if (!ask) return {};
    auto made = std::make_shared<llm_reviewer>(
        std::move(*ask), std::move(*rubrics), options_.reflector.max_insights);
    depends_on(made->fingerprint(), part::reflected);
    out_.roles.reviewer = std::move(made);
    return {};
  }

  void make_integrator() {
    if (!on_model(options_.integrator.kind) && on_desktop()) {
      auto made = std::make_shared<desktop::procedural_desktop_integrator>(
          options_.integrator.max_rules);
      depends_on(made->fingerprint(), part::run);
      out_.integrating = made->fingerprint();
      out_.roles.integrator = std::move(made);
      return;
    }
    if (!on_model(options_.integrator.kind)) {
      auto made = std::make_shared<procedural_integrator>(options_.integrator);
      out_.integrating = made->fingerprint();
      if (!out_.integrating.empty()) depends_on(out_.integrating, part::run);
      out_.roles.integrator = std::move(made);
      return;
    }
    const auto& model = options_.integrator.llm;
    auto ask = asker("integrator", model);
    if (!ask) return;
    auto made = std::make_shared<llm_integrator>(
        std::move(*ask), document_parts(benchmark_), options_.integrator);
    depends_on(made->fingerprint(), part::run);
    out_.integrating = made->fingerprint();
    out_.roles.integrator = std::move(made);
    if (!options_.muse) return;
    if (auto refine = asker("integrator", model)) {
      auto refiner = std::make_shared<llm_refiner>(std::move(*refine));
      depends_on(refiner->fingerprint(), part::run);
      out_.roles.memory["muse"] = std::move(refiner);
    }
  }

  /// Of BREW there is none, so that fingerprints on record stay.
  void make_memory() {
    make_recorders();
    if (!options_.learner.starts_with(agent_kb_role)) return;
    std::shared_ptr<const memory_worker> made;
    if (!on_model(options_.memory.kind))
      made = std::make_shared<procedural_memory>();
    else if (auto ask = asker("memory", options_.memory.llm))
      made = std::make_shared<llm_memory>(std::move(*ask));
    if (!made) return;
    depends_on(made->fingerprint(), part::run);
    out_.roles.memory[agent_kb_role] = std::move(made);
  }

  void make_recorders() {
    if (options_.comparators.empty()) return;
    std::shared_ptr<const memory_worker> made;
    if (!on_model(options_.memory.kind))
      made = std::make_shared<procedural_recorder>();
    else if (auto ask = asker("memory", options_.memory.llm))
      made = std::make_shared<llm_recorder>(std::move(*ask));
    if (!made) return;
    depends_on(made->fingerprint(), part::run);
    for (const auto& arm : options_.comparators)
      out_.roles.memory[arm] = made;
  }

  void make_participants() {
    auto made = std::make_shared<model_participants>();
    if (on_model(options_.user.kind))
      made->user = asker("user", options_.user.llm);
    if (on_model(options_.statement_judge.kind))
      made->judge = asker("statement_judge", options_.statement_judge.llm);
    if (made->user)
      depends_on(made->user->fingerprint({"user"}), part::playing);
    if (made->judge)
      depends_on(made->judge->fingerprint({"statement-judge"}), part::playing);
    if (made->user || made->judge) out_.roles.participants = std::move(made);
  }

  const role_options& options_;
  std::string_view benchmark_;
  child::log_sink log_;
  model_kit kit_;
  made_roles out_;
  std::optional<error> failure_;
};

} // namespace

result<made_roles> make_roles(const role_options& options,
                              std::string_view benchmark,
                              std::shared_ptr<model_port> port,
                              child::log_sink log) {
  return role_maker{options, benchmark, std::move(port), std::move(log)}.make();
}

} // namespace brewery
