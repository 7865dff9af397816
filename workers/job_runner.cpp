#include "workers/job_runner.hpp"

#include "base/rng.hpp"
#include "envs/watched_environment.hpp"
#include "kb/knowledge_base.hpp"
#include "workers/timed_retriever.hpp"

#include <fmt/format.h>

#include <chrono>
#include <thread>

namespace brewery {

namespace {

/// An iteration works with the current knowledge base and one hybrid per
/// candidate in flight; older ones do not come back.
constexpr std::size_t max_shelves = 128;

} // namespace

job_runner::job_runner(std::shared_ptr<const benchmark> tasks, job_roles roles,
                       std::shared_ptr<document_store> documents,
                       retrieval_options retrieval,
                       std::function<void(double)> on_search,
                       std::chrono::milliseconds simulated_latency,
                       grader_maker graders)
    : tasks_(std::move(tasks)), roles_(std::move(roles)),
      documents_(std::move(documents)), retrieval_(retrieval),
      on_search_(std::move(on_search)), simulated_latency_(simulated_latency),
      graders_(std::move(graders)) {
  for (const auto& task : tasks_->tasks())
    by_id_.emplace(task.id, &task);
}

result<std::shared_ptr<const shelf>>
job_runner::shelf_for(const std::vector<doc_ref>& knowledge) const {
  auto kb = resolve(knowledge, *documents_);
  if (!kb) return kb.error();
  const auto key = kb->hash();
  const std::lock_guard lock{mutex_};
  const auto found = shelves_.find(key);
  if (found != shelves_.end()) return found->second;
  auto made = std::make_shared<shelf>();
  for (const auto& entry : kb->entries())
    made->documents.push_back(entry.doc);
  made->index = make_bm25(*kb, {retrieval_.bm25_k1, retrieval_.bm25_b});
  if (on_search_)
    made->index = std::make_shared<timed_retriever>(made->index, on_search_);
  if (shelves_.size() >= max_shelves) shelves_.clear();
  shelves_.emplace(key, made);
  return std::shared_ptr<const shelf>{made};
}

result<rollout_result> job_runner::rollout(const rollout_job& work,
                                           job_control* control) const {
  const auto began = std::chrono::steady_clock::now();
  const auto known = by_id_.find(work.task);
  if (known == by_id_.end())
    return error{ec::not_found,
                 fmt::format("rollout {}: the benchmark {} has no "
                             "task '{}'",
                             work.id.value, tasks_->name(), work.task.value)};
  const auto books = shelf_for(work.knowledge);
  if (!books) return books.error();
  rollout_result out;
  out.id = work.id;
  out.task = work.task;
  out.trial = work.trial;
  job_context context{work.id, 0, control ? &control->cancelled : nullptr,
                      work.method};
  const auto broke = [&out](const error& why) {
    out.outcome = rollout_outcome::environment_error;
    out.error = to_string(why);
    return out;
  };
  auto with = roles_.others ? roles_.others->make(context) : company{};
  if (graders_) with.grader = graders_(context);
  auto env = tasks_->make(work.task, with);
  // What kept it from being started may be this machine: others may try.
  if (!env && env.error().code == ec::exhausted) return env.error();
  if (!env) return broke(env.error());
  auto played = std::move(*env);
  if (control || simulated_latency_.count() > 0)
    played = std::make_unique<watched_environment>(
        std::move(played), [control, latency = simulated_latency_] {
          if (control && control->cancelled) throw job_cancelled{};
          if (control) ++control->steps;
          if (latency.count() > 0) std::this_thread::sleep_for(latency);
        });
  const auto& task = *known->second;
  librarian library{*books, retrieval_.top_k};
  const auto draws = rng_key(work.seed, "rollout", work.task.value, work.trial);
  auto tried = roles_.actor->attempt(task, *played, library, draws, context);
  if (!tried && tried.error().code == ec::environment)
    return broke(tried.error());
  if (!tried) return tried.error();
  out.steps = std::move(tried->steps);
  out.error = std::move(tried->cut_short);
  out.retrievals = library.take_records();
  auto grade = played->grade();
  if (!grade && grade.error().code == ec::environment)
    return broke(grade.error());
  if (!grade) return grade.error();
  out.grade = std::move(*grade);
  out.answers = played->take_answers();
  if (work.reflect) {
    graded_attempt attempt{task, out.steps, out.grade};
    for (const auto& doc : (*books)->documents)
      attempt.concepts.push_back(heading_of(doc->body));
    auto ratings = roles_.critic->rate(attempt, context);
    if (!ratings) return ratings.error();
    out.ratings = std::move(*ratings);
    auto insights = roles_.learner->reflect(attempt, out.ratings, context);
    if (!insights) return insights.error();
    out.insights = std::move(*insights);
  }
  out.duration_us = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(
          std::chrono::steady_clock::now() - began)
          .count());
  return out;
}

result<grade_result> job_runner::grade(const grade_job& work) const {
  const auto* grader = tasks_->grader();
  if (!grader || tasks_->goldens() != work.goldens)
    return error{ec::not_found,
                 fmt::format("grade {}: this worker does not have the goldens "
                             "of {} that it is asked for",
                             work.id.value, tasks_->name())};
  auto report = grader->grade(work.task, work.answers);
  if (!report) return report.error();
  return grade_result{work.id, work.task, std::move(*report)};
}

result<job_result> job_runner::run(const job& work,
                                   job_control* control) const {
  job_result out;
  out.id = work.id;
  job_context context{work.id, 0, control ? &control->cancelled : nullptr};
  if (!work.rollout.empty()) {
    auto done = rollout(work.rollout.front(), control);
    if (!done) return done.error();
    out.rollout.push_back(std::move(*done));
  } else if (!work.integrate.empty()) {
    const auto& request = work.integrate.front();
    std::shared_ptr<const document> parent;
    if (!request.parent.value.empty()) {
      parent = documents_->find(request.parent);
      if (!parent)
        return error{ec::not_found,
                     fmt::format("integration {}: unknown parent document {}",
                                 work.id.value, request.parent.value)};
    }
    auto done = roles_.writer->integrate(request, parent.get(), context);
    if (!done) return done.error();
    out.integrate.push_back(std::move(*done));
  } else if (!work.embed.empty()) {
    auto vectors = roles_.space->embed(work.embed.front().texts, context);
    if (!vectors) return vectors.error();
    out.embed.push_back({work.id, std::move(*vectors)});
  } else if (!work.grade.empty()) {
    auto graded = grade(work.grade.front());
    if (!graded) return graded.error();
    out.grade.push_back(std::move(*graded));
  } else {
    return error{ec::malformed, "a job without content: " + work.id.value};
  }
  return out;
}

std::vector<doc_hash> job_runner::missing_documents(const job& work) const {
  std::vector<doc_hash> out;
  const auto need = [&](const doc_hash& hash) {
    if (!hash.value.empty() && !documents_->find(hash)) out.push_back(hash);
  };
  for (const auto& rollout : work.rollout)
    for (const auto& ref : rollout.knowledge)
      need(ref.hash);
  for (const auto& integration : work.integrate)
    need(integration.parent);
  return out;
}

} // namespace brewery
