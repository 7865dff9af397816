#include "learners/agent_kb/agent_kb.hpp"

#include "learners/agent_kb/learning.hpp"

#include <utility>

namespace brewery {

agent_kb_learner::agent_kb_learner(brew_settings search,
                                   agent_kb_options options, std::string domain,
                                   std::shared_ptr<document_store> documents,
                                   std::vector<experience> first, bool says_why)
    : search_(std::move(search)), options_(std::move(options)),
      domain_(std::move(domain)), documents_(std::move(documents)),
      first_(std::move(first)), says_why_(says_why) {}

std::shared_ptr<learner_machine> agent_kb_learner::learning() {
  machine_ = std::make_shared<learning_machine>(*this);
  return machine_;
}

search_outcome agent_kb_learner::outcome() const {
  search_outcome out;
  out.strategy = name();
  out.initial_success = machine_->initial_success();
  for (const auto* item : machine_->base().in_order()) {
    const auto& content = item->what.content;
    document_outcome one;
    one.about.id = concept_id{item->number};
    one.about.title = content.title;
    for (const auto& task : content.from)
      one.about.train_tasks.push_back({task});
    one.best.hash = item->what.hash;
    one.best.reward = item->stats.quality;
    one.best.visits = item->stats.uses;
    out.documents.push_back(std::move(one));
  }
  return out;
}

std::vector<std::shared_ptr<serving_machine>>
agent_kb_learner::serving(const evaluated_tasks& what) {
  std::vector<std::shared_ptr<serving_machine>> out;
  const auto known = machine_->memory();
  BREWERY_ASSERT(known); // it was made of the same base at the last barrier
  const auto add = [&](const std::string& arm, session_kind kind) {
    out.push_back(std::make_shared<agent_kb_arm>(arm, kind, *known, what));
  };
  add("learned, " + name(), session_kind::full);
  for (const auto& [word, kind] :
       {std::pair{agent_kb_arms::planning, session_kind::planning},
        std::pair{agent_kb_arms::blind_retry, session_kind::blind_retry},
        std::pair{agent_kb_arms::retry, session_kind::retry}})
    for (const auto& wanted : options_.compare)
      if (wanted == word) add(name() + ", " + wanted, kind);
  return out;
}

} // namespace brewery
