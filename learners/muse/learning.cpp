#include "learners/muse/learning.hpp"

#include "kb/muse/memory_text.hpp"
#include "learners/muse/distillation.hpp"
#include "messages/wire/codec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace brewery::muse {

namespace {

constexpr std::size_t refusals_kept = 10;

/// A change that was seen less often may be chance.
constexpr std::uint32_t min_seen = 2;

memory_operation note(std::string_view store, std::string name,
                      std::string text) {
  return {.store = std::string{store},
          .name = std::move(name),
          .operation = {},
          .preconditions = {},
          .texts = {std::move(text)},
          .notes = {}};
}

std::string why_of(const job_result& answer) {
  if (!answer.error.empty()) return answer.error;
  const auto* made = std::get_if<rollout_result>(&answer.output);
  return made ? made->error : "it has no output";
}

} // namespace

std::vector<doc_ref> knowledge_of(const memory& from,
                                  const muse_settings& settings) {
  memory given;
  for (const auto& store : settings.how.stores) {
    if (store == memory_stores::strategic) given.strategies = from.strategies;
    if (store == memory_stores::procedural) given.procedures = from.procedures;
    if (store == memory_stores::tool) given.tools = from.tools;
  }
  std::vector<doc_ref> out;
  for (auto& text : documents_of(given)) {
    const auto doc = settings.documents->add(std::move(text));
    out.push_back(
        {concept_id{static_cast<std::uint32_t>(out.size())}, doc->hash});
  }
  return out;
}

muse_learning::muse_learning(std::shared_ptr<const muse_settings> settings,
                             muse_learner::state& state)
    : settings_(std::move(settings)), state_(state) {}

learner_view muse_learning::view() const {
  return {now_ == phase::attempts       ? "attempts"
          : now_ == phase::distillation ? "distillation"
                                        : "done",
          iteration_, settings_->how.iterations};
}

learner_step muse_learning::begin() {
  return attempt_next();
}

learner_step muse_learning::fail(std::string why) {
  now_ = phase::done;
  learner_step out;
  out.failed = error{ec::environment, std::move(why)};
  return out;
}

learner_step muse_learning::attempt_next() {
  const auto& train = settings_->playing.train;
  learner_step out;
  if (next_task_ == train.size()) {
    next_task_ = 0;
    ++iteration_;
  }
  if (train.empty() || iteration_ >= settings_->how.iterations) {
    iteration_ = settings_->how.iterations;
    now_ = phase::done;
    out.finished = true;
    return out;
  }
  if (state_.iterations.size() <= iteration_)
    state_.iterations.push_back(
        {.name = fmt::format("iteration {}", iteration_ + 1),
         .points = {},
         .partial = {}});
  now_ = phase::attempts;
  order_.clear();
  answers_.clear();
  batch_.clear();
  const auto knowledge = knowledge_of(state_.memory_now, *settings_);
  while (next_task_ < train.size() && batch_.size() < settings_->how.batch) {
    auto work = make_rollout_job(settings_->playing, train[next_task_].id,
                                 iteration_, knowledge, settings_->distils);
    order_.push_back(work.id);
    answers_[work.id];
    batch_.push_back(next_task_++);
    out.jobs.push_back({make_job(std::move(work)), false});
  }
  unanswered_ = order_.size();
  return out;
}

learner_step muse_learning::on(const job_result& answer) {
  const auto waited = answers_.find(answer.id);
  if (now_ == phase::done || waited == answers_.end() || waited->second)
    return {};
  waited->second = answer;
  if (--unanswered_ > 0) return {};
  if (now_ == phase::attempts) return merge_batch();
  for (std::size_t i = 0; i < order_.size(); ++i)
    take_refined(distilling_[i], *answers_.at(order_[i]));
  return finish_barrier();
}

/// In task order, whatever came first.
learner_step muse_learning::merge_batch() {
  auto& count = state_.iterations[iteration_];
  std::string broken;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const auto& task = settings_->playing.train[batch_[i]];
    const auto& answer = *answers_.at(order_[i]);
    const auto* made = std::get_if<rollout_result>(&answer.output);
    count.add(batch_[i], task, made);
    const bool graded =
        made != nullptr && made->outcome == rollout_outcome::graded;
    if (graded) take(task, *made);
    if (broken.empty()) broken = graded ? made->error : why_of(answer);
  }
  const bool whole = next_task_ == settings_->playing.train.size();
  if (whole && (count.points.empty() || (count.calls == 0 && !broken.empty())))
    return fail(fmt::format("muse: no attempt of iteration {} {}; the first: "
                            "{}",
                            iteration_ + 1,
                            count.points.empty() ? "was graded" : "made a call",
                            broken));
  order_.clear();
  answers_.clear();
  distilling_.assign(touched_.begin(), touched_.end());
  touched_.clear();
  learner_step out;
  if (settings_->distils || !settings_->refiner.empty())
    for (const auto& application : distilling_) {
      auto wanted =
          settings_->distils ? distil(application) : refine(application);
      order_.push_back(wanted.work.id);
      answers_[wanted.work.id];
      out.jobs.push_back(std::move(wanted));
    }
  unanswered_ = answers_.size();
  if (out.jobs.empty()) return finish_barrier();
  now_ = phase::distillation;
  return out;
}

void muse_learning::take(const learner_task& task, const rollout_result& made) {
  if (iteration_ == 0) {
    reward_ += made.grade.reward;
    ++graded_;
    state_.first_success = reward_ / static_cast<double>(graded_);
  }
  for (const auto& own : made.muse) {
    note_changes(merge(state_.memory_now, own.memory));
    for (const auto& one : own.memory)
      if (one.store == memory_stores::procedural) {
        touched_.insert(one.name);
        // The next distillation, which sees the attempt too, takes its place.
        if (settings_->distils) distilled_[one.name].push_back(entry_name(one));
      }
    for (const auto& look : own.first)
      usual_.first_look(task.id.value, look);
  }
  const bool graded = settings_->how.grades == "train";
  const insight_source from{made.id, task.id, graded ? made.grade.reward : 0,
                            iteration_};
  for (const auto& item : made.insights) {
    const auto& fact = item->fact;
    if (fact.kind == "outcome" && !graded) continue;
    touched_.insert(item->topic);
    looks_[item->topic].insert(fact.observation);
    usual_.effect(fact);
    pools_[item->topic].change().add(item, from);
    if (fact.kind == "effect" && fact.actions.size() == 1
        && !(fact.before == fact.after))
      ++revealed_[tool_of(fact.actions.items().front())][fact.observation];
  }
}

wanted_job muse_learning::distil(const std::string& application) {
  integrate_job work;
  const auto at = std::distance(pools_.begin(), pools_.find(application));
  work.concept_ref = concept_id{static_cast<std::uint32_t>(at)};
  work.title = application;
  work.insights = pools_[application].tell({}, {}, settings_->documents);
  work.seed = settings_->playing.seed;
  work.id = identity(work, settings_->playing.integrator);
  return {make_job(std::move(work)), false};
}

wanted_job muse_learning::refine(const std::string& application) const {
  memory_job work;
  work.learner = "muse";
  work.step = "refine";
  work.seed = settings_->playing.seed;
  work.fingerprint = settings_->refiner;
  work.texts = {
      {"application", application},
      {"procedures", application_text(state_.memory_now, application)}};
  work.id = identity(work);
  return {make_job(std::move(work)), false};
}

/// An answer that is no use leaves the memory as it was.
void muse_learning::take_refined(const std::string& application,
                                 const job_result& answer) {
  if (const auto* made = std::get_if<integrate_result>(&answer.output)) {
    auto next = procedures_in(application, made->body);
    const auto& looks = looks_[application];
    std::erase_if(next, [&](const memory_operation& one) {
      return usual_.leaves_usual(one, looks);
    });
    auto& before = distilled_[application];
    std::vector<std::string> now;
    for (const auto& one : next)
      now.push_back(entry_name(one));
    // What grades say comes first.
    for (auto& one : usual_.procedures(application, looks))
      if (auto name = entry_name(one);
          std::ranges::find(now, name) == now.end()) {
        now.push_back(std::move(name));
        next.push_back(std::move(one));
      }
    std::vector<std::string> gone;
    for (const auto& name : before)
      if (std::ranges::find(now, name) == now.end()) gone.push_back(name);
    for (auto& name : forget(state_.memory_now, gone))
      changes_.push_back(
          {std::string{memory_changes::evicted}, std::move(name), {}, 0, 0});
    note_changes(merge(state_.memory_now, next));
    before = std::move(now);
    return;
  }
  const auto* made = std::get_if<memory_result>(&answer.output);
  if (made == nullptr) return;
  const auto texts = texts_of(made->texts, "procedures");
  memory refined;
  if (texts.size() != 1 || !read_document(texts.front(), refined)
      || applications(refined) != std::vector<std::string>{application})
    return;
  memory next = state_.memory_now;
  std::erase_if(next.procedures, [&](const procedure& one) {
    return one.application == application;
  });
  for (auto& one : refined.procedures)
    next.procedures.push_back(std::move(one));
  std::ranges::stable_sort(next.procedures, [](const auto& a, const auto& b) {
    return std::tie(a.application, a.operation)
           < std::tie(b.application, b.operation);
  });
  if (next == state_.memory_now) return;
  state_.memory_now = std::move(next);
  changes_.push_back(
      {std::string{memory_changes::merged},
       fmt::format("{}/{}", memory_stores::procedural, application),
       {},
       0,
       0});
}

/// For each tool the look that most often shows what it changed.
void muse_learning::note_tools() {
  std::vector<memory_operation> notes;
  for (const auto& [tool, looks] : revealed_) {
    const auto most = std::ranges::max_element(
        looks, {}, [](const auto& one) { return one.second; });
    if (most->second < min_seen) continue;
    notes.push_back(
        note(memory_stores::tool, tool,
             fmt::format("What it changes shows in `{}`.", most->first)));
  }
  note_changes(merge(state_.memory_now, notes));
}

void muse_learning::note_changes(const merge_report& done) {
  for (const auto& name : done.added)
    changes_.push_back({std::string{memory_changes::added}, name, {}, 0, 0});
  for (const auto& name : done.changed)
    changes_.push_back({std::string{memory_changes::replaced}, name, {}, 0, 0});
  state_.refusals += done.refused.size();
  for (const auto& why : done.refused)
    if (state_.refused.size() < refusals_kept) state_.refused.push_back(why);
}

learner_step muse_learning::finish_barrier() {
  note_tools();
  memory_record record;
  record.learner = "muse";
  record.barrier = barrier_++;
  record.changes = std::exchange(changes_, {});
  for (auto& text : documents_of(state_.memory_now))
    record.entries.push_back(
        settings_->documents->add(std::move(text))->hash.value);
  auto out = attempt_next();
  out.records.push_back({std::string{memory_record::type_name},
                         fmt::format("muse/{:06}", record.barrier),
                         wire::encode(record)});
  return out;
}

} // namespace brewery::muse
