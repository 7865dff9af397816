#include "learners/brew/concept_search.hpp"

#include "kb/knowledge_base.hpp"
#include "search/report.hpp"

namespace brewery {

namespace {

/// What training needs of a rollout, which every tree keeps for itself.
rollout_result learned_from(const rollout_result& rollout) {
  rollout_result out;
  out.id = rollout.id;
  out.task = rollout.task;
  out.outcome = rollout.outcome;
  out.grade = rollout.grade;
  out.insights = rollout.insights;
  return out;
}

} // namespace

concept_search::concept_search(std::shared_ptr<const brew_settings> settings,
                               formed_concept about, doc_hash root,
                               std::vector<line_evidence> root_evidence,
                               std::shared_ptr<document_store> documents)
    : settings_(std::move(settings)), about_(std::move(about)),
      topics_(topic_map({about_.record})), documents_(std::move(documents)),
      tree_(root, limits_of(settings_->learner.tree)) {
  evidence_.emplace(std::move(root), std::move(root_evidence));
}

concept_search::concept_search(std::shared_ptr<const brew_settings> settings,
                               formed_concept about, tree nodes,
                               std::shared_ptr<document_store> documents)
    : settings_(std::move(settings)), about_(std::move(about)),
      topics_(topic_map({about_.record})), documents_(std::move(documents)),
      tree_(std::move(nodes)), nodes_given_(tree_.size()) {}

const std::vector<line_evidence>&
concept_search::evidence_of(const doc_hash& hash) const {
  static const std::vector<line_evidence> none;
  const auto it = evidence_.find(hash);
  return it == evidence_.end() ? none : it->second;
}

search_step concept_search::start(const start_expand& message) {
  order_ = message;
  chosen_.clear();
  training_.clear();
  candidates_.clear();
  early_.clear();
  scorings_.clear();
  beaten_.clear();
  raced_.clear();
  rescored_.clear();
  fresh_ = {};
  fresh_sentences_.clear();
  unnamed_.clear();
  groups_.clear();
  added_ = dropped_ = 0;
  counts_ = {};
  note_.clear();
  train_success_ = 0;
  missed_.clear();
  if (about_.record.eval_tasks.empty())
    return finish("no held-out task is relevant: the first document stays");
  if (order_.iteration == 0) return evaluate({tree::root()}, {});
  return choose();
}

search_step concept_search::choose() {
  if (auto again = rescore()) return std::move(*again);
  auto settled = select_settled(tree_, settings_->learner.tree);
  if (!settled.open.empty()) return go_on_with(settled.open);
  chosen_ = std::move(settled.chosen);
  if (chosen_.empty()) return end_iteration("every node is fully expanded");
  return train();
}

search_step concept_search::on(const job_result& answer) {
  const auto* rollout = std::get_if<rollout_result>(&answer.output);
  if (stage_ == stage::training) {
    const auto it = training_.find(answer.id);
    if (it == training_.end() || it->second || !rollout) return {};
    it->second = learned_from(*rollout);
    return --training_open_ == 0 ? end_training() : search_step{};
  }
  if (stage_ == stage::embedding)
    return answer.id == embedding_.id ? take_vectors(answer) : search_step{};
  if (stage_ == stage::integrating) return take_candidate(answer);
  if (rollout && !scorings_.empty()) return take_score(answer.id, *rollout);
  return {};
}

knowledge_base concept_search::hybrid_with(const doc_hash& version) const {
  const auto current = resolve(order_.current, *documents_);
  BREWERY_ASSERT(current.has_value()); // trees only receive known documents
  return current->with(about_.record.id, about_.record.title,
                       documents_->find(version));
}

knowledge_base concept_search::hybrid_with(node_id version) const {
  return hybrid_with(tree_.at(version).hash);
}

search_step concept_search::train() {
  stage_ = stage::training;
  search_step step;
  const auto& learner = settings_->learner;
  const auto first_trial =
      learner.initial_trials + (order_.iteration - 1) * learner.train_trials;
  const auto knowledge = learner.train_on_selected
                             ? hybrid_with(chosen_.front().node).refs()
                             : order_.current;
  for (const auto& task : about_.record.train_tasks)
    for (std::uint32_t i = 0; i < learner.train_trials; ++i) {
      auto work =
          make_rollout_job(*settings_, task, first_trial + i, knowledge, true);
      if (training_.try_emplace(work.id).second)
        step.jobs.push_back({work.id, std::move(work)});
    }
  training_open_ = step.jobs.size();
  if (step.jobs.empty()) return end_training();
  return step;
}

search_step concept_search::finish(std::string note) {
  stage_ = stage::idle;
  expand_report report;
  report.concept_ref = about_.record.id;
  report.iteration = order_.iteration;
  report.best = record_of(tree_.at(published_));
  report.added = added_;
  report.dropped = dropped_;
  report.train_success = train_success_;
  report.note = std::move(note);
  report.counts = std::exchange(counts_, {}).list();
  scorings_.clear(); // with their indexes
  return {{}, std::move(report)};
}

} // namespace brewery
