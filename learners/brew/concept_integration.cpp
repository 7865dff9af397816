/// From the training rollouts of an iteration to the jobs of its candidates.

#include "learners/brew/concept_search.hpp"
#include "learners/brew/integration.hpp"
#include "messages/embed_jobs.hpp"
#include "search/report.hpp"

#include <algorithm>
#include <set>

namespace brewery {

namespace {

/// The vector of a text that was embedded; `texts` is ordered.
const std::vector<double>& vector_of(const std::string& text,
                                     const std::vector<std::string>& texts,
                                     const vector_list& vectors) {
  const auto at = std::lower_bound(texts.begin(), texts.end(), text);
  return vectors[static_cast<std::size_t>(at - texts.begin())];
}

} // namespace

void concept_search::take(const shared_value<insight>& item,
                          const rollout_result& made_by) {
  const insight_source from{made_by.id, made_by.task, made_by.grade.reward,
                            order_.iteration};
  if (settings_->learner.accumulate_insights)
    about_.insights.change().add(item, from);
  else
    fresh_.add(item, from);
  if (is_sentence(*item)) fresh_sentences_.push_back(item);
}

/// Insights on topics that no concept has wait for their vectors. Most are on
/// topics of other concepts, whose trees get the same rollout: one look-up.
void concept_search::learn(const rollout_result& rollout) {
  std::vector<shared_value<insight>> unnamed;
  for (const auto& item : rollout.insights) {
    const auto named = about_.places ? about_.places->named(item->topic)
                       : topics_.contains(item->topic)
                           ? std::optional{about_.record.id}
                           : std::nullopt;
    if (named == about_.record.id)
      take(item, rollout);
    else if (about_.places && !named)
      unnamed.push_back(item);
  }
  if (unnamed.empty()) return;
  rollout_result waiting;
  waiting.id = rollout.id;
  waiting.task = rollout.task;
  waiting.grade.reward = rollout.grade.reward;
  waiting.insights = std::move(unnamed);
  unnamed_.push_back(std::move(waiting));
}

/// Takes those whose topic is nearest to this concept.
void concept_search::learn_unnamed(const std::vector<std::string>& texts,
                                   const vector_list& vectors) {
  const auto vectors_of = [&](const std::vector<std::string>& wanted) {
    vector_list out;
    for (const auto& text : wanted)
      out.push_back(vector_of(text, texts, vectors));
    return out;
  };
  const distinct_insights insights{unnamed_};
  const auto named = texts_of(insights);
  const auto& topics = named.topics;
  const concept_vectors space{insights, named, vectors_of(topics),
                              vectors_of(named.sentences)};
  std::set<std::string> own;
  for (std::size_t t = 0; t < topics.size(); ++t)
    if (about_.places->nearest(space.topics()[t],
                               settings_->learner.cluster_threshold)
        == about_.record.id)
      own.insert(topics[t]);
  for (const auto& rollout : unnamed_)
    for (const auto& item : rollout.insights)
      if (own.contains(item->topic)) take(item, rollout);
}

std::vector<insight> concept_search::without_vector() const {
  std::vector<insight> out;
  if (settings_->learner.merge_similarity >= 1) return out;
  for (const auto& item : fresh_sentences_)
    if (!about_.vectors.contains(item->id)) out.push_back(*item);
  return out;
}

search_step concept_search::end_training() {
  double reward = 0;
  std::vector<const rollout_result*> graded;
  for (const auto& [id, result] : training_) {
    const auto& rollout = *result;
    if (rollout.outcome != rollout_outcome::graded) continue;
    learn(rollout);
    reward += rollout.grade.reward;
    graded.push_back(&rollout);
  }
  train_success_ =
      graded.empty() ? 0 : reward / static_cast<double>(graded.size());
  missed_ = missed_checks(graded);
  training_.clear(); // what is needed of them is in the pool
  std::set<std::string> texts;
  for (const auto& item : without_vector())
    texts.insert(item.sentence);
  const auto unnamed = texts_of(distinct_insights{unnamed_});
  for (const auto& wanted : {unnamed.topics, unnamed.sentences})
    texts.insert(wanted.begin(), wanted.end());
  if (texts.empty()) return integrate();
  stage_ = stage::embedding;
  embedding_ =
      make_embed_job({texts.begin(), texts.end()}, settings_->embedder);
  search_step step;
  step.jobs.push_back({embedding_.id, embedding_});
  return step;
}

search_step concept_search::take_vectors(const job_result& answer) {
  // Without vectors new topics are nobody's, and no sentences are merged.
  const auto* made = std::get_if<embed_result>(&answer.output);
  if (!made || made->vectors.size() != embedding_.texts.size())
    return integrate();
  if (!unnamed_.empty()) learn_unnamed(embedding_.texts, made->vectors);
  for (const auto& item : without_vector())
    about_.vectors.emplace(
        item.id, vector_of(item.sentence, embedding_.texts, made->vectors));
  return integrate();
}

integrate_job concept_search::integration(const node& parent,
                                          told_insights told) const {
  integrate_job work;
  work.concept_ref = about_.record.id;
  work.title = about_.record.title;
  // Only who reads sentences is shown a document with its citations.
  if (has_sentences_)
    work.parent_evidence = as_shown(evidence_of(parent.hash), groups_);
  work.insights = std::move(told);
  work.parent = parent.hash;
  work.temperature = settings_->learner.integrator_temperature;
  work.seed = settings_->seed;
  const auto score = record_of(parent);
  work.parent_score = {score.evaluated, score.reward, score.correctness,
                       score.retrieval};
  work.missed = missed_;
  work.neighbours = about_.neighbours;
  return work;
}

search_step concept_search::integrate() {
  stage_ = stage::integrating;
  insight_pool both; // of thousands: joined only if nothing accumulates
  const bool accumulated = settings_->learner.accumulate_insights;
  if (!accumulated) {
    both = about_.insights.pool();
    both.add(fresh_);
  }
  const auto sentences =
      (accumulated ? about_.insights.pool() : both).sentences();
  has_sentences_ = !sentences.empty();
  groups_ = equal_insights(sentences, about_.vectors,
                           settings_->learner.merge_similarity);
  search_step step;
  for (const auto& chosen : chosen_) {
    const auto& parent = tree_.at(chosen.node);
    auto work = integration(
        parent, accumulated ? about_.insights.tell(groups_, parent.iteration,
                                                   documents_)
                            : told_insights{for_integration(
                                both.list(groups_, parent.iteration))});
    for (std::uint32_t j = 0; j < chosen.candidates; ++j) {
      work.draw = chosen.first_draw + j;
      work.id = identity(work, settings_->integrator);
      candidates_.push_back({chosen.node, work.id, false, {}, {}});
      step.jobs.push_back({work.id, work});
    }
  }
  return step;
}

} // namespace brewery
