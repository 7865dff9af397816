#include "coordinator/phases.hpp"

#include "base/text.hpp"
#include "cluster/job_spec.hpp"
#include "learners/brew/integration.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

std::string_view to_string(search_phase phase) {
  switch (phase) {
  case search_phase::initial_rollouts:
    return "initial rollouts";
  case search_phase::embedding:
    return "forming concepts";
  case search_phase::roots:
    return "writing first documents";
  case search_phase::expanding:
    return "expanding";
  case search_phase::finished:
    return "finished";
  case search_phase::failed:
    return "failed";
  }
  return "unknown";
}

namespace {

/// What a job that was given up says, without the mark that it was.
std::string without_mark(const job_result& answer) {
  const auto why = given_up_because(answer);
  return why.empty() ? answer.error : why;
}

} // namespace

brew_phases::brew_phases(std::shared_ptr<const brew_settings> settings,
                         std::shared_ptr<document_store> documents,
                         std::vector<gather_record> recorded)
    : settings_(std::move(settings)), documents_(std::move(documents)),
      recorded_(std::move(recorded)) {}

const std::vector<doc_ref>& brew_phases::current() const {
  static const std::vector<doc_ref> none;
  return barrier_ ? barrier_->current() : none;
}

phase_step brew_phases::fail(ec code, std::string message) {
  phase_ = search_phase::failed;
  phase_step step;
  step.failed = error{code, std::move(message)};
  return step;
}

std::size_t brew_phases::waiting_for() const {
  if (phase_ == search_phase::expanding) return barrier_->waiting_for();
  return unanswered_;
}

phase_step brew_phases::begin() {
  if (settings_->train.empty())
    return fail(ec::invalid_config, "there is no training task");
  if (settings_->eval.empty())
    return fail(ec::invalid_config,
                "there is no held-out task to score documents on");
  phase_step step;
  for (std::uint32_t i = 0; i < settings_->learner.initial_trials; ++i)
    for (const auto& task : settings_->train) {
      auto work = make_rollout_job(*settings_, task.id, i, {}, true);
      if (!answers_.try_emplace(work.id).second) continue;
      order_.push_back(work.id);
      step.jobs.push_back(make_job(std::move(work)));
    }
  unanswered_ = answers_.size();
  return step;
}

phase_step brew_phases::continue_after(const search_mark& mark) {
  phase_step step;
  initial_success_ = mark.initial_success;
  dropped_ = mark.dropped;
  for (const auto& tree : mark.trees) {
    concepts_.push_back(tree.about);
    step.ready.push_back(tree.about.id);
  }
  phase_ = search_phase::expanding;
  const auto& learner = settings_->learner;
  barrier_.emplace(mark.gathered.current, learner.gather_quorum,
                   learner.iterations, recorded_);
  recorded_.clear();
  barrier_->continue_after(mark.gathered.iteration);
  if (barrier_->over()) {
    phase_ = search_phase::finished;
    step.finished = true;
  } else {
    step.expand = start_expand{iteration(), current()};
  }
  return step;
}

phase_step brew_phases::on(const job_result& answer) {
  const auto it = answers_.find(answer.id);
  if (it == answers_.end() || it->second) return {};
  it->second = answer;
  if (--unanswered_ > 0) return {};
  switch (phase_) {
  case search_phase::initial_rollouts:
    return embed();
  case search_phase::embedding:
    return form();
  case search_phase::roots:
    return make_roots();
  default:
    return {};
  }
}

concept_inputs brew_phases::inputs() const {
  return {initial_,
          settings_->train,
          settings_->eval,
          settings_->learner.cluster_threshold,
          settings_->learner.max_concepts,
          settings_->eval_choice,
          settings_->seed};
}

std::string brew_phases::first_error(rollout_outcome kind) const {
  for (const auto& id : order_) {
    const auto& one = std::get<rollout_result>(answers_.at(id)->output);
    if (one.outcome != kind) continue;
    // What happened to it is said before.
    const auto word = kind == rollout_outcome::quarantined
                          ? std::string{quarantine_mark}
                          : fmt::format("{}: ", to_string(ec::environment));
    return one.error.starts_with(word) ? one.error.substr(word.size())
                                       : one.error;
  }
  return {};
}

/// Says who is to blame: a model that answers with an error is no fault of the
/// environment.
phase_step brew_phases::fail_ungraded(std::size_t broken) {
  const auto all = order_.size();
  const auto given_up = all - broken;
  const auto every = all == 1 ? std::string{"the only initial rollout"}
                              : fmt::format("all {} initial rollouts", all);
  const auto* were = given_up == 1 ? "was" : "were";
  if (broken == 0)
    return fail(ec::exhausted,
                fmt::format("{} {} given up; the first said: {}", every, were,
                            first_error(rollout_outcome::quarantined)));
  const auto said = first_error(rollout_outcome::environment_error);
  if (given_up == 0)
    return fail(ec::environment,
                fmt::format("the environment broke in {}; the first said: {}",
                            every, said));
  return fail(ec::environment,
              fmt::format("of {} initial rollouts, the environment broke in {} "
                          "and {} {} given up; the first that broke said: {}; "
                          "the first given up: {}",
                          all, broken, given_up, were, said,
                          first_error(rollout_outcome::quarantined)));
}

phase_step brew_phases::embed() {
  double reward = 0;
  std::size_t broken = 0;
  for (const auto& id : order_) {
    auto& rollout = std::get<rollout_result>(answers_.at(id)->output);
    broken += rollout.outcome == rollout_outcome::environment_error;
    if (rollout.outcome != rollout_outcome::graded) continue;
    reward += rollout.grade.reward;
    initial_.push_back(std::move(rollout));
  }
  if (initial_.empty()) return fail_ungraded(broken);
  initial_success_ = reward / static_cast<double>(initial_.size());
  phase_ = search_phase::embedding;
  answers_.clear();
  order_.clear();
  said_.emplace(initial_);
  phase_step step;
  for (auto& work :
       make_embed_jobs(texts_to_embed(inputs(), *said_), settings_->embedder)) {
    order_.push_back(work.id);
    if (answers_.try_emplace(work.id).second)
      step.jobs.push_back(make_job(std::move(work)));
  }
  unanswered_ = answers_.size();
  return step;
}

phase_step brew_phases::form() {
  std::vector<std::vector<double>> vectors;
  for (const auto& id : order_) {
    const auto& answered = *answers_.at(id);
    const auto* answer = std::get_if<embed_result>(&answered.output);
    if (!answer)
      return fail(ec::exhausted,
                  "the insights could not be embedded: " + answered.error);
    vectors.insert(vectors.end(), answer->vectors.begin(),
                   answer->vectors.end());
  }
  auto made = form_concepts(inputs(), *said_, vectors);
  if (!made) return fail(made.error().code, made.error().message);
  if (made->empty())
    return fail(ec::exhausted, "no concept was found: " + why_no_insight());
  said_.reset();
  initial_.clear();
  formed_ = std::move(*made);
  phase_ = search_phase::roots;
  answers_.clear();
  order_.clear();
  phase_step step;
  for (auto& item : formed_) {
    concepts_.push_back(item.record);
    integrate_job work;
    work.concept_ref = item.record.id;
    work.title = item.record.title;
    work.insights = item.insights.tell(groups_of(item), {}, documents_);
    work.neighbours = item.neighbours;
    work.temperature = settings_->learner.root_temperature;
    work.seed = settings_->seed;
    work.id = identity(work, settings_->integrator);
    order_.push_back(work.id);
    answers_.try_emplace(work.id);
    step.jobs.push_back(make_job(std::move(work)));
  }
  unanswered_ = answers_.size();
  return step;
}

/// Tells rollouts that taught nothing from a reflector whose replies are
/// unusable, and from agents that never began.
std::string brew_phases::why_no_insight() const {
  const auto rollouts = counted(initial_.size(), "initial rollout");
  for (const std::string_view role : {"reflector", "agent"}) {
    std::size_t lost = 0;
    std::string first;
    for (const auto& rollout : initial_) {
      // Who was judged has begun.
      if (role == "agent" && !rollout.ratings.empty()) continue;
      for (const auto& note : rollout.notes)
        if (note.role == role
            && (note.what == reply_trouble::rejected
                || note.what == reply_trouble::refused)) {
          ++lost;
          if (first.empty()) first = note.reason;
        }
    }
    if (lost > 0)
      return fmt::format("of {}, the {} had no usable reply on {}; the first: "
                         "{}",
                         rollouts, role, lost, first);
  }
  return fmt::format("{} gave no insight; raise search.initial_trials or "
                     "agent.max_calls",
                     rollouts);
}

insight_groups brew_phases::groups_of(const formed_concept& item) const {
  return equal_insights(item.insights->sentences(), item.vectors,
                        settings_->learner.merge_similarity);
}

phase_step brew_phases::make_roots() {
  phase_step step;
  std::vector<doc_ref> roots;
  concepts_.clear();
  for (std::size_t k = 0; k < formed_.size(); ++k) {
    auto& answered = *answers_.at(order_[k]);
    const auto& record = formed_[k].record;
    auto* made = std::get_if<integrate_result>(&answered.output);
    if (!made) {
      dropped_.push_back({record.id, record.title, without_mark(answered)});
      continue;
    }
    concepts_.push_back(record);
    const auto doc = documents_->add(std::move(made->body));
    roots.push_back({formed_[k].record.id, doc->hash});
    step.ready.push_back(formed_[k].record.id);
    auto evidence = as_made(std::move(made->evidence), groups_of(formed_[k]));
    step.trees.push_back(
        {std::move(formed_[k]), doc->hash, std::move(evidence)});
  }
  if (roots.empty())
    return fail(ec::exhausted,
                fmt::format("no first document could be written, for {}; the "
                            "first reason: {}",
                            counted(dropped_.size(), "concept"),
                            dropped_.front().reason));
  step.dropped = dropped_;
  const auto places = std::make_shared<concept_places>();
  for (const auto& tree : step.trees)
    places->add(tree.about.record, tree.about.centre);
  for (auto& tree : step.trees)
    tree.about.places = places;
  for (auto& tree : step.trees)
    for (const auto& gone : dropped_)
      std::erase(tree.about.neighbours, gone.title);
  formed_.clear();
  answers_.clear();
  phase_ = search_phase::expanding;
  const auto& learner = settings_->learner;
  barrier_.emplace(std::move(roots), learner.gather_quorum, learner.iterations,
                   recorded_);
  recorded_.clear();
  step.expand = start_expand{0, current()};
  return step;
}

phase_step brew_phases::on(const expand_report& report) {
  if (phase_ != search_phase::expanding || !barrier_->take(report)) return {};
  phase_step step;
  if (report.iteration < iteration()) {
    step.catch_up = start_expand{iteration(), current()};
    step.late_tree = report.concept_ref;
  }
  gather(step);
  return step;
}

void brew_phases::gather(phase_step& step) {
  step.gathered = barrier_->close();
  if (!step.gathered) return;
  if (barrier_->over()) {
    phase_ = search_phase::finished;
    step.finished = true;
    return;
  }
  step.expand = start_expand{iteration(), current()};
  for (const auto& item : concepts_)
    if (!barrier_->behind().contains(item.id)) step.ready.push_back(item.id);
}

} // namespace brewery
