#include "workers/job_runner.hpp"

#include "base/rng.hpp"
#include "envs/watched_environment.hpp"
#include "kb/experience/experience.hpp"
#include "kb/knowledge_base.hpp"
#include "kb/mrr.hpp"
#include "learners/brew/told_pool.hpp"
#include "roles/kb_retriever.hpp"
#include "workers/timed_retriever.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <thread>

namespace brewery {

namespace {

job_context context_of(const job_id& job, const job_control* control) {
  job_context out{job};
  if (!control) return out;
  out.cancelled = &control->cancelled;
  out.run = control->run;
  return out;
}

/// An iteration uses the current knowledge base and one hybrid per candidate in
/// flight. Older ones are not used again.
constexpr std::size_t max_indexes = 128;

/// Whether the model's reply is at fault, not its server, key or budget, which
/// would fail any job.
bool is_of_the_reply(const error& why, std::string_view role,
                     const job_context& context) {
  if (why.code == ec::refused_content || why.code == ec::context_too_long)
    return true;
  // Without a note, the server sent something that is no reply at all.
  return why.code == ec::malformed
         && context.has_note(role, reply_trouble::rejected);
}

/// What is kept of a role's work: nothing, with a note, if its reply is no use.
/// The error is any other.
template <class T>
result<T> usable(result<T> made, std::string_view role, job_context& context) {
  if (made || !is_of_the_reply(made.error(), role, context)) return made;
  if (!context.has_note(role, reply_trouble::rejected)
      && !context.has_note(role, reply_trouble::refused))
    context.note(role, reply_trouble::refused, made.error().message);
  return T{};
}

/// The texts of all documents that were retrieved, each once, in order.
std::vector<std::string>
shown_documents(const std::vector<retrieval_record>& retrievals,
                const retrieval_session& knowledge) {
  std::vector<std::string> out;
  std::set<doc_hash> seen;
  for (const auto& record : retrievals)
    for (const auto& hash : record.documents)
      if (seen.insert(hash).second)
        for (const auto& doc : knowledge.documents())
          if (doc->hash == hash) {
            out.push_back(told_text(doc->body));
            break;
          }
  return out;
}

/// An agent that broke off scores 0, also where nothing had to be done or what
/// it left is right by then: on all benchmarks alike.
void fail_broken_off(rollout_result& out) {
  out.grade.reward = 0;
  for (auto& answer : out.answers) // or grading them again would score them
    answer = {answer.number, false, "the agent broke off", {}};
}

} // namespace

job_runner::job_runner(std::shared_ptr<const benchmark> tasks, role_set roles,
                       std::shared_ptr<document_store> documents,
                       retrieval_options retrieval,
                       std::function<void(double)> on_search,
                       std::chrono::milliseconds simulated_latency,
                       grader_maker graders)
    : tasks_(std::move(tasks)), roles_(std::move(roles)),
      documents_(std::move(documents)), retrieval_(std::move(retrieval)),
      on_search_(std::move(on_search)), simulated_latency_(simulated_latency),
      graders_(std::move(graders)) {
  for (const auto& task : tasks_->tasks())
    by_id_.emplace(task.id, &task);
  if (retrieval_.needs_vectors())
    vectors_ = std::make_shared<const text_vectors>(roles_.embedder);
}

result<std::shared_ptr<const kb_index>>
job_runner::index_for(const std::vector<doc_ref>& knowledge,
                      const job_context& asker) const {
  auto kb = resolve(knowledge, *documents_);
  if (!kb) return kb.error();
  const auto key = kb->hash();
  {
    const std::lock_guard lock{mutex_};
    const auto found = indexes_.find(key);
    if (found != indexes_.end()) return found->second;
  }
  document_vectors vectors;
  if (vectors_) { // not under the lock: a model may be asked
    auto made = vectors_of(*kb, *vectors_, asker);
    if (!made) return made.error();
    vectors = std::move(*made);
  }
  const std::lock_guard lock{mutex_};
  const auto found = indexes_.find(key);
  if (found != indexes_.end()) return found->second;
  auto made = std::make_shared<kb_index>();
  for (const auto& entry : kb->entries()) {
    made->documents.push_back(entry.doc);
    made->concepts.push_back(entry.concept_ref);
  }
  auto index = make_retriever(*kb, retrieval_, vectors);
  if (!index) return index.error();
  made->index = std::move(*index);
  if (on_search_)
    made->index = std::make_shared<timed_retriever>(made->index, on_search_);
  if (indexes_.size() >= max_indexes) indexes_.clear();
  indexes_.emplace(key, made);
  return std::shared_ptr<const kb_index>{made};
}

retrieval_session
job_runner::retrieval_for(std::shared_ptr<const kb_index> index,
                          const job_context& asker) const {
  query_embedder embed;
  if (vectors_)
    embed = [this, &asker](std::string_view query) {
      return vectors_->of(query, asker);
    };
  return {std::move(index), retrieval_.top_k, std::move(embed),
          asker.method == methods::given};
}

result<rollout_result> job_runner::perform(const rollout_job& work,
                                           job_control* control) const {
  const auto began = std::chrono::steady_clock::now();
  const auto known = by_id_.find(work.task);
  if (known == by_id_.end())
    return error{ec::not_found,
                 fmt::format("rollout {}: the benchmark {} has no "
                             "task '{}'",
                             work.id.value, tasks_->name(), work.task.value)};
  const auto& task = *known->second;
  auto context = context_of(work.id, control);
  context.method = work.method;
  const auto index = index_for(work.knowledge, context);
  if (!index) return index.error();
  auto retrieval = retrieval_for(*index, context);
  auto out = play(work, task, retrieval, context, control);
  if (!out) return out;
  if (vectors_ && !work.reflect) {
    // Also if the environment broke before anything was asked.
    auto ranking = retrieval.ranking(out->retrievals.empty()
                                         ? std::string_view{task.about()}
                                         : out->retrievals.front().query,
                                     ranking_depth);
    if (!ranking) return ranking.error();
    out->ranking = std::move(*ranking);
  }
  if (out->outcome == rollout_outcome::graded)
    out->duration_us = static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(
            std::chrono::steady_clock::now() - began)
            .count());
  return out;
}

result<rollout_result> job_runner::play(const rollout_job& work,
                                        const task_info& task,
                                        retrieval_session& retrieval,
                                        job_context& context,
                                        job_control* control) const {
  rollout_result out;
  out.id = work.id;
  out.task = work.task;
  out.trial = work.trial;
  const auto broke = [&out](const error& why) {
    out.outcome = rollout_outcome::environment_error;
    out.error = to_string(why);
    return out;
  };
  auto with =
      roles_.participants ? roles_.participants->make(context) : participants{};
  if (graders_) with.grader = graders_(context);
  auto env = tasks_->make(work.task, with);
  // The cause may be this machine, so another worker may succeed.
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
  const auto draws = rng_key(work.seed, "rollout", work.task.value, work.trial);
  auto tried = roles_.agent->attempt(task, *played, retrieval, draws, context);
  if (!tried && tried.error().code == ec::environment)
    return broke(tried.error());
  if (!tried) return tried.error();
  out.steps = std::move(tried->steps);
  out.error = std::move(tried->cut_short);
  out.before_draw = tried->before_draw;
  out.retrievals = retrieval.take_records();
  if (!out.retrievals.empty() && out.retrievals.front().query != task.about())
    out.asked = out.retrievals.front().query;
  if (work.method == methods::survey) {
    out.notes = std::move(context.notes);
    return out;
  }
  auto grade = played->grade();
  if (!grade && grade.error().code == ec::environment)
    return broke(grade.error());
  if (!grade) return grade.error();
  out.grade = std::move(*grade);
  out.muse = std::move(tried->muse);
  for (auto& own : out.muse) { // at most one
    own.checkpoints = played->checkpoints_met();
    own.calls = static_cast<std::uint32_t>(out.steps.size());
  }
  out.answers = played->take_answers();
  const bool has_begun = !out.steps.empty() || out.error.empty();
  if (tried->broke_off || !has_begun) fail_broken_off(out);
  if (!has_begun && context.has_note("agent", reply_trouble::overflowed))
    context.note("agent", reply_trouble::refused, out.error);
  // Who has not begun has nothing to teach.
  if (work.reflect && has_begun) {
    graded_attempt attempt{task, out.steps, out.grade};
    // What was made for this task is headed by it, and is no concept.
    if (work.method != methods::given)
      for (const auto& doc : retrieval.documents())
        attempt.concepts.push_back(heading_of(doc->body));
    attempt.briefing = played->briefing();
    attempt.tools = &played->tools();
    attempt.documents = shown_documents(out.retrievals, retrieval);
    if (auto ok = reflect(attempt, out, context); !ok) return ok.error();
  }
  out.notes = std::move(context.notes);
  return out;
}

/// The reflector works without ratings too: they are one of its inputs.
review job_runner::review_of(const graded_attempt& attempt,
                             job_context& context) const {
  if (roles_.reviewer) return roles_.reviewer->study(attempt, context);
  auto ratings = roles_.judge->rate(attempt, context);
  if (!ratings && !is_of_the_reply(ratings.error(), "judge", context))
    return {ratings.error(), ratings.error()};
  auto insights = roles_.reflector->reflect(
      attempt, ratings ? *ratings : std::vector<rubric_rating>{}, context);
  return {std::move(ratings), std::move(insights)};
}

result<void> job_runner::reflect(const graded_attempt& attempt,
                                 rollout_result& out,
                                 job_context& context) const {
  auto made = review_of(attempt, context);
  // One call for both is the reflector's.
  auto ratings = usable(std::move(made.ratings),
                        roles_.reviewer ? "reflector" : "judge", context);
  if (!ratings) return ratings.error();
  out.ratings = std::move(*ratings);
  auto insights = usable(std::move(made.insights), "reflector", context);
  if (!insights) return insights.error();
  out.insights = std::vector<shared_value<insight>>(
      std::make_move_iterator(insights->begin()),
      std::make_move_iterator(insights->end()));
  return {};
}

/// The draws of an expansion come one after the other and share their list.
result<told_insights> job_runner::told_by(const told_insights& named) const {
  if (!named.is_named_only()) return named;
  const auto& reference = *named.reference();
  const auto known = [&]() -> told_insights {
    const std::lock_guard lock{mutex_};
    return told_for_ == reference ? told_ : told_insights{};
  }();
  if (!known.empty()) return known;
  auto items = list_of(reference, *documents_);
  if (!items) return items.error();
  told_insights made{std::move(*items)};
  const std::lock_guard lock{mutex_};
  told_for_ = reference;
  told_ = made;
  return made;
}

result<integrate_result> job_runner::perform(const integrate_job& work,
                                             job_control* control) const {
  auto context = context_of(work.id, control);
  std::shared_ptr<const document> parent;
  if (!work.parent.value.empty()) {
    parent = documents_->find(work.parent);
    if (!parent)
      return error{ec::not_found,
                   fmt::format("integration {}: unknown parent document {}",
                               work.id.value, work.parent.value)};
  }
  auto told = told_by(work.insights);
  if (!told) return told.error();
  auto told_work = work;
  told_work.insights = std::move(*told);
  auto made = roles_.integrator->integrate(told_work, parent.get(), context);
  if (made) made->notes = std::move(context.notes);
  return made;
}

result<embed_result> job_runner::perform(const embed_job& work,
                                         job_control* control) const {
  auto context = context_of(work.id, control);
  auto vectors = roles_.embedder->embed(work.texts, context);
  if (!vectors) return vectors.error();
  return embed_result{work.id, std::move(*vectors)};
}

result<grade_result> job_runner::perform(const grade_job& work,
                                         job_control*) const {
  const auto* grader = tasks_->grader();
  if (!grader || tasks_->goldens() != work.goldens)
    return error{
        ec::not_found,
        fmt::format(
            "grade {}: this worker does not have the required goldens of {}",
            work.id.value, tasks_->name())};
  auto report = grader->grade(work.task, work.answers);
  if (!report) return report.error();
  return grade_result{work.id, work.task, std::move(*report)};
}

result<memory_result> job_runner::perform(const memory_job& work,
                                          job_control* control) const {
  const auto role = roles_.memory.find(work.learner);
  if (role == roles_.memory.end())
    return error{ec::not_found,
                 fmt::format("step {} of {}: this worker has no role for the "
                             "learner {}",
                             work.step, work.id.value, work.learner)};
  std::vector<std::string> documents;
  for (const auto& hash : work.documents) {
    const auto doc = documents_->find(hash);
    if (!doc)
      return error{ec::not_found,
                   fmt::format("step {} of {}: unknown document {}", work.step,
                               work.id.value, hash.value)};
    documents.push_back(doc->body);
  }
  auto context = context_of(work.id, control);
  auto made = role->second->perform(work, documents, context);
  if (made) made->notes = std::move(context.notes);
  return made;
}

result<job_result> job_runner::run(const job& work,
                                   job_control* control) const {
  return std::visit(
      [&](const auto& input) -> result<job_result> {
        auto done = perform(input, control);
        if (!done) return done.error();
        return job_result{work.id, {}, std::move(*done)};
      },
      work.input);
}

std::vector<doc_hash> job_runner::missing_documents(const job& work) const {
  std::vector<doc_hash> out;
  const auto need = [&](const doc_hash& hash) {
    if (!hash.value.empty() && !documents_->find(hash)) out.push_back(hash);
  };
  if (const auto* rollout = std::get_if<rollout_job>(&work.input))
    for (const auto& ref : rollout->knowledge)
      need(ref.hash);
  if (const auto* memory = std::get_if<memory_job>(&work.input))
    for (const auto& hash : memory->documents)
      need(hash);
  if (const auto* integration = std::get_if<integrate_job>(&work.input)) {
    need(integration->parent);
    if (integration->insights.is_named_only())
      for (const auto& part : integration->insights.reference()->parts)
        need(part);
  }
  return out;
}

} // namespace brewery
