#pragma once
/// Agent KB (arXiv:2507.06229) as a learner: experiences abstracted from train
/// attempts, retrieved before each attempt and again over its log.
///
///   first attempts -> lessons -> abstraction -> barrier 0
///   rounds 1..R: sessions on the train tasks -> lessons -> abstraction
///                -> credit, admission, eviction -> barrier
///
/// At a barrier everything happens in task and trial order, so the order in
/// which results arrive decides nothing. What a barrier did is a memory_record.
/// PURE.

#include "learners/agent_kb/serving.hpp"
#include "learners/brew/told_pool.hpp"

#include <map>
#include <memory>
#include <optional>

namespace brewery {

class agent_kb_learner final : public learner {
public:
  agent_kb_learner(brew_settings search, agent_kb_options options,
                   std::string domain,
                   std::shared_ptr<document_store> documents,
                   std::vector<experience> first = {}, bool says_why = true);

  /// With an oracle, whoever reads a table or a file sees it by the name.
  [[nodiscard]] std::string name() const override {
    return search_.learner.learner;
  }
  std::shared_ptr<learner_machine> learning() override;
  [[nodiscard]] search_outcome outcome() const override;
  std::vector<std::shared_ptr<serving_machine>>
  serving(const evaluated_tasks& what) override;

  class learning_machine; ///< learning.hpp

private:
  std::shared_ptr<learning_machine> machine_; ///< once `learning` was called
  brew_settings search_;
  agent_kb_options options_;
  std::string domain_;
  std::shared_ptr<document_store> documents_;
  std::vector<experience> first_; ///< what the memory begins with
  bool says_why_;                 ///< see session_settings
};

} // namespace brewery
