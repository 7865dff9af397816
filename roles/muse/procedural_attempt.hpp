#pragma once
/// One attempt of MUSE without a language model (notes: docs/learners.md). The
/// working state is that of the procedural agent; this is the policy on it:
///
///   plan   one sub-task for each sentence of an opened procedure whose line is
///          shown; its goal is the line that the sentence expects. Nothing
///          known is left and the task not seen to be done: one sub-task that
///          explores
///   act    make the calls of the sentence; a second try explores instead, with
///          tools of the same requestor
///   check  procedural_verifier
///
/// What a second try found is remembered at once.

#include "base/rng.hpp"
#include "learners/muse/options.hpp"
#include "learners/muse/sub_tasks.hpp"
#include "roles/muse/opened_memory.hpp"
#include "roles/muse/procedural_verifier.hpp"
#include "roles/procedural/attempt.hpp"

#include <optional>

namespace brewery {

class procedural_attempt {
public:
  procedural_attempt(const task_info& task, environment& env,
                     opened_memory& memory, const agent_options& options,
                     const muse_options& how, const guidance_cache& rules,
                     const observation_cache& parsed, std::uint64_t draw_key);

  result<trajectory> run();

private:
  /// A sub-task that a sentence asks for; without one it explores.
  struct chosen {
    std::optional<rule> content;
    std::string text; ///< the sentence
  };

  // Planning.
  void open_applications();
  std::vector<chosen> candidates() const;
  void order_by_strategies(std::vector<chosen>& plan) const;
  std::vector<muse::sub_task> make_plan();
  bool may_explore();

  // Acting.
  void act();
  void follow(const rule& item);
  void explore_for(const rule& item);
  void explore_once();
  const tool_spec* try_something(std::string_view kit, std::string_view look);
  /// Where a note says that a tool's changes show; empty: there is no note.
  [[nodiscard]] std::string shows_in(const std::string& tool) const;
  void look_after(const tool_spec& tool);

  // Checking, and what is learned from it.
  void check();
  sub_task_verdict check_rule(const rule& item);
  sub_task_verdict check_exploration();
  [[nodiscard]] std::vector<condition> goals_shown() const;
  [[nodiscard]] std::map<std::string, std::vector<std::string>> views() const;
  void remember_procedure(const rule& item);
  void remember_strategy(const rule& met);

  opened_memory& memory_;
  const agent_options& options_;
  const muse_options& how_;
  std::shared_ptr<const kb_index> nothing_;
  retrieval_options queries_;
  retrieval_session no_queries_;
  brewery::attempt work_;
  muse::sub_task_loop loop_;
  rng draw_;
  chosen chosen_;
  std::vector<look_lines> first_; ///< before any change
  std::size_t first_step_ = 0;    ///< of the try
  std::map<std::string, std::vector<std::string>>
      before_; ///< views, of the try
  std::vector<condition> kept_;
  std::map<std::string, int> done_;     ///< sentences, and how often
  std::map<std::string, int> given_up_; ///< the same, of those that failed
  std::vector<rule> resisted_;          ///< that failed twice
  std::optional<std::uint32_t> budget_; ///< changing calls left to explore
  std::uint32_t rules_followed_ = 0;
};

} // namespace brewery
