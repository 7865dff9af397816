#include "learners/agent_kb/learning.hpp"

#include "base/text.hpp"
#include "messages/embed_jobs.hpp"
#include "messages/wire/codec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace brewery {

namespace {

using machine = agent_kb_learner::learning_machine;

/// Empty: the experience has none. It gets no vector then, which is as near to
/// every query as one of zeros: not every embedder takes an empty text.
std::array<std::string, facet_count> facet_texts(const experience& item) {
  return {problem_text(item), goal_text(item), traits_text(item)};
}

} // namespace

agent_kb_learner::learning_machine::learning_machine(const agent_kb_learner& of)
    : of_(of), base_(of.options_) {}

learner_view machine::view() const {
  constexpr std::string_view names[] = {
      "playing",     "inducing lessons", "abstracting", "embedding",
      "arbitrating", "merging",          "finished"};
  return {std::string{names[static_cast<std::size_t>(phase_)]}, round_,
          of_.options_.rounds};
}

learner_step machine::fail(error why) {
  phase_ = phase::over;
  learner_step out;
  out.failed = std::move(why);
  return out;
}

void machine::await(std::vector<wanted_job>& to, job work, bool whole) {
  order_.push_back(work.id);
  if (!answers_.try_emplace(work.id).second) return;
  ++unanswered_;
  to.push_back({std::move(work), whole});
}

learner_step machine::begin() {
  if (of_.search_.train.empty())
    return fail({ec::invalid_config, "there is no training task"});
  if (!of_.options_.learn) return ask_places();
  learner_step out;
  for (const auto& task : of_.search_.train)
    for (std::uint32_t i = 0; i < of_.search_.learner.initial_trials; ++i)
      await(out.jobs,
            make_job(make_rollout_job(of_.search_, task.id, i, {}, true)),
            true);
  return out;
}

learner_step machine::on(const job_result& answer) {
  if (in_sessions_) {
    learner_step out;
    out.jobs = sessions_.on(answer);
    if (sessions_.left() > 0 || phase_ != phase::playing) return out;
    return round_played();
  }
  const auto it = answers_.find(answer.id);
  if (it == answers_.end() || it->second) return {};
  it->second = answer;
  if (!answer.error.empty() && failed_jobs_++ == 0)
    first_failure_ = answer.error;
  if (--unanswered_ > 0) return {};
  switch (phase_) {
  case phase::playing:
    return first_played();
  case phase::lessons:
    return ask_abstractions();
  case phase::abstracting:
    return ask_places();
  case phase::placing:
    return admit_placed();
  case phase::arbitrating:
    return ask_merged_places();
  case phase::merging:
    return merge_placed();
  case phase::over:
    break;
  }
  return {};
}

void machine::learn_from(const rollout_result& made, attempt_log log) {
  if (made.outcome != rollout_outcome::graded) return;
  const insight_source from{made.id, made.task, made.grade.reward, round_};
  for (const auto& item : made.insights)
    topics_[item->topic].change().add(item, from);
  // Nothing is learned of an agent that never began.
  if (log.steps.empty()) return;
  auto& best = best_[made.task];
  const bool better = made.grade.reward > best.reward
                      || (made.grade.reward == best.reward
                          && log.steps.size() < best.log.steps.size());
  if (!better) return;
  log.grade = {made.grade};
  best = {std::move(log), made.grade.reward};
}

learner_step machine::first_played() {
  double reward = 0;
  std::size_t graded = 0, begun = 0;
  std::string first_error;
  for (const auto& id : order_) {
    auto& made = std::get<rollout_result>(answers_.at(id)->output);
    const bool is_graded = made.outcome == rollout_outcome::graded;
    if (is_graded) {
      reward += made.grade.reward;
      ++graded;
      begun += made.steps.empty() ? 0 : 1;
    }
    if (first_error.empty() && (!is_graded || made.steps.empty()))
      first_error = made.error;
    attempt_log log{made.id, std::exchange(made.steps, {}), made.error, {}};
    learn_from(made, std::move(log));
  }
  if (graded == 0 || (begun == 0 && !first_error.empty()))
    return fail(
        {ec::exhausted,
         fmt::format("none of {} {}; the first said: {}",
                     counted(order_.size(), "first attempt"),
                     graded == 0 ? "was graded" : "began", first_error)});
  initial_success_ = reward / static_cast<double>(graded);
  return ask_lessons();
}

/// Credit, in task and trial order, before anything is admitted.
learner_step machine::round_played() {
  in_sessions_ = false;
  for (const auto& session : sessions_.all())
    for (const auto& attempt : session->attempts()) {
      if (attempt.rollout.outcome != rollout_outcome::graded) continue;
      base_.credit(attempt.used, attempt.rollout.grade.reward);
      learn_from(attempt.rollout, attempt.log);
    }
  return ask_lessons();
}

/// Rules over all attempts so far, one document for each topic.
learner_step machine::ask_lessons() {
  phase_ = phase::lessons;
  answers_.clear();
  order_.clear();
  learner_step out;
  std::uint32_t number = 0;
  if (of_.options_.lessons)
    for (auto& [topic, pool] : topics_) {
      integrate_job work;
      work.concept_ref = concept_id{number++};
      work.title = topic;
      work.insights = pool.tell({}, {}, of_.documents_);
      work.temperature = of_.search_.learner.root_temperature;
      work.seed = of_.search_.seed;
      work.id = identity(work, of_.search_.integrator);
      await(out.jobs, make_job(std::move(work)), false);
    }
  return out.jobs.empty() ? ask_abstractions() : out;
}

learner_step machine::ask_abstractions() {
  lessons_.clear();
  for (const auto& id : order_)
    if (const auto* made =
            std::get_if<integrate_result>(&answers_.at(id)->output);
        made && !trim(made->body).empty())
      lessons_.push_back(of_.documents_->add(made->body)->hash);
  phase_ = phase::abstracting;
  answers_.clear();
  order_.clear();
  learner_step out;
  for (const auto& task : of_.search_.train) {
    const auto best = best_.find(task.id);
    if (best == best_.end()) continue;
    memory_job work;
    work.learner = agent_kb_role;
    work.step = agent_kb_steps::abstract;
    work.task = task.id;
    work.seed = of_.search_.seed;
    work.fingerprint = of_.search_.fingerprint;
    work.texts = {{memory_texts::task, task.instruction},
                  {memory_texts::domain, of_.domain_}};
    work.documents = lessons_;
    work.attempts = {best->second.log};
    work.id = identity(work);
    await(out.jobs, make_job(std::move(work)), false);
  }
  return out.jobs.empty() ? ask_places() : out;
}

/// Vectors for the facets. What a role wrote that is no experience is left out;
/// the role says so in its notes.
learner_step machine::ask_places() {
  candidates_.clear();
  const auto add = [&](experience item) {
    const auto doc = of_.documents_->add(to_markdown(item));
    candidates_.push_back({doc->hash, std::move(item), {}});
  };
  if (round_ == 0)
    for (const auto& item : of_.first_)
      add(item);
  for (const auto& id : order_) {
    const auto* made = std::get_if<memory_result>(&answers_.at(id)->output);
    if (!made) continue;
    for (const auto& text : texts_of(made->texts, memory_texts::experience)) {
      auto item = read_experience(text);
      if (item) add(std::move(*item));
    }
  }
  phase_ = phase::placing;
  auto out = ask_vectors();
  return out.jobs.empty() ? admit_placed() : out;
}

/// Of the facets of all candidates.
learner_step machine::ask_vectors() {
  answers_.clear();
  order_.clear();
  learner_step out;
  for (const auto& one : candidates_) {
    std::vector<std::string> texts;
    for (auto& text : facet_texts(one.content))
      if (!text.empty()) texts.push_back(std::move(text));
    await(out.jobs,
          make_job(make_embed_job(std::move(texts), of_.search_.embedder)),
          false);
  }
  return out;
}

/// False: there are none of this candidate.
bool machine::take_vectors(std::size_t candidate) {
  const auto* made =
      std::get_if<embed_result>(&answers_.at(order_[candidate])->output);
  if (!made) return false;
  auto& one = candidates_[candidate];
  const auto texts = facet_texts(one.content);
  std::size_t taken = 0;
  for (std::size_t f = 0; f < facet_count; ++f) {
    if (texts[f].empty()) continue;
    if (taken == made->vectors.size()) return false;
    one.facets[f] = made->vectors[taken++];
  }
  return taken == made->vectors.size();
}

learner_step machine::admit_placed() {
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (take_vectors(i)) base_.admit(std::move(candidates_[i]));
  return ask_arbiter();
}

learner_step machine::close_barrier() {
  base_.prune();
  const auto record = base_.take_record(round_);
  learner_step after;
  if (of_.options_.learn && round_ < of_.options_.rounds) {
    after = next_round(); // an empty memory may fill with more attempts
  } else if (base_.held().empty()) {
    after = fail({ec::exhausted, why_empty()});
  } else {
    phase_ = phase::over;
    after.finished = true;
  }
  after.records.push_back(
      {memory_record::type_name,
       fmt::format("{}/barrier {}", of_.name(), record.barrier),
       wire::encode(record)});
  return after;
}

/// Attempts are at fault only where no job failed.
std::string machine::why_empty() const {
  const auto what = of_.options_.learn
                        ? fmt::format("no experience was made of {}",
                                      counted(best_.size(), "train task"))
                        : "no experience of agent_kb.start_from was kept";
  if (failed_jobs_ > 0)
    return fmt::format("{}, since {} failed; the first said: {}", what,
                       counted(failed_jobs_, "job"), first_failure_);
  return what
         + (of_.options_.learn
                ? "; raise search.initial_trials or agent.max_calls"
                : "; lower agent_kb.least_utility");
}

learner_step machine::next_round() {
  auto known = memory();
  if (!known) return fail(known.error());
  ++round_;
  phase_ = phase::playing;
  in_sessions_ = true;
  const auto first = of_.search_.learner.initial_trials + 2 * (round_ - 1);
  std::vector<std::unique_ptr<task_session>> all;
  for (const auto& task : of_.search_.train)
    all.push_back(std::make_unique<task_session>(*known, session_kind::full,
                                                 task, first, first + 1, true));
  learner_step out;
  out.jobs = sessions_.begin(std::move(all));
  return out;
}

result<std::shared_ptr<const session_settings>> machine::memory() const {
  auto index = base_.index();
  if (!index) return index.error();
  auto out = std::make_shared<session_settings>();
  out->search = of_.search_;
  out->options = of_.options_;
  out->domain = of_.domain_;
  out->oracle = of_.name() == agent_kb_with_oracle;
  out->says_why = of_.says_why_;
  out->documents = of_.documents_;
  out->index = std::move(*index);
  for (std::size_t i = 0; i < out->index.size(); ++i)
    out->markdown.push_back(to_markdown(
        base_.held().at(doc_hash{out->index.entry(i).id}).what.content));
  return std::shared_ptr<const session_settings>{std::move(out)};
}

} // namespace brewery
