#include "learners/comparators/comparator_memory.hpp"

#include "kb/comparators/entity_graph.hpp"
#include "learners/comparators/attempt_texts.hpp"
#include "messages/memory/memory_record.hpp"
#include "messages/wire/codec.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace brewery {

std::vector<doc_ref> refs_of(const std::vector<std::string>& hashes) {
  std::vector<doc_ref> out;
  for (const auto& hash : hashes)
    out.push_back(
        {concept_id{static_cast<std::uint32_t>(out.size())}, doc_hash{hash}});
  return out;
}

comparator_memory::comparator_memory(comparator_settings settings)
    : settings_(std::move(settings)) {}

learner_view comparator_memory::view() const {
  constexpr std::string_view names[] = {"playing first rollouts", "recording",
                                        "evolving notes", "finished"};
  return {std::string{names[static_cast<std::size_t>(phase_)]}, 0, 0};
}

void comparator_memory::await(std::vector<wanted_job>& to, job work,
                              bool whole) {
  order_.push_back(work.id);
  if (!answers_.try_emplace(work.id).second) return;
  ++unanswered_;
  to.push_back({std::move(work), whole});
}

learner_step comparator_memory::begin() {
  learner_step out;
  const auto& search = settings_.search;
  // By trial first: a memory that has no room for all has some of each task.
  for (std::uint32_t i = 0; i < search.learner.initial_trials; ++i)
    for (const auto& task : search.train)
      await(out.jobs, make_job(make_rollout_job(search, task.id, i, {}, true)),
            true);
  return out.jobs.empty() ? finish({}) : std::move(out);
}

learner_step comparator_memory::on(const job_result& answer) {
  const auto it = answers_.find(answer.id);
  if (it == answers_.end() || it->second) return {};
  it->second = answer;
  if (--unanswered_ > 0) return {};
  switch (phase_) {
  case phase::playing:
    return record_attempts();
  case phase::recording:
    return build();
  case phase::evolving: {
    const auto* made = std::get_if<memory_result>(&answer.output);
    notes_->write_next(made ? evolution_in(made->texts) : note_evolution{});
    return evolve();
  }
  case phase::over:
    break;
  }
  return {};
}

memory_job comparator_memory::step(const char* name) const {
  memory_job out;
  out.learner = settings_.arm;
  out.step = name;
  out.seed = settings_.search.seed;
  out.fingerprint = settings_.search.fingerprint;
  return out;
}

learner_step comparator_memory::record_attempts() {
  phase_ = phase::recording;
  auto played = std::exchange(answers_, {});
  const auto rollouts = std::exchange(order_, {});
  std::map<task_id, const learner_task*> tasks;
  for (const auto& task : settings_.search.train)
    tasks[task.id] = &task;
  learner_step out;
  for (const auto& id : rollouts) {
    auto* made = std::get_if<rollout_result>(&played.at(id)->output);
    // Of an agent that never began there is nothing to record.
    if (!made || made->outcome != rollout_outcome::graded
        || made->steps.empty())
      continue;
    auto work = step(comparator_steps::record);
    work.task = made->task;
    work.texts = {{comparator_texts::task, tasks.at(made->task)->instruction}};
    work.attempts = {{id, std::move(made->steps), made->error, {made->grade}}};
    work.id = identity(work);
    solved_.push_back(made->grade.reward >= 1);
    await(out.jobs, make_job(std::move(work)), false);
  }
  return out.jobs.empty() ? finish({}) : std::move(out);
}

learner_step comparator_memory::build() {
  std::vector<recorded_attempt> attempts;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const auto* made =
        std::get_if<memory_result>(&answers_.at(order_[i])->output);
    auto attempt = made ? attempt_in(made->texts) : std::nullopt;
    if (!attempt) continue;
    attempt->solved = solved_[i];
    attempts.push_back(std::move(*attempt));
  }
  answers_.clear();
  order_.clear();
  if (settings_.arm == comparators::cognee)
    return finish(entity_graph{attempts}.documents());
  notes_.emplace(attempts);
  if (settings_.arm == comparators::port) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < notes_->notes().size(); ++i)
      texts.push_back(notes_->text_of(i));
    return finish(std::move(texts));
  }
  phase_ = phase::evolving;
  return evolve();
}

learner_step comparator_memory::evolve() {
  answers_.clear();
  order_.clear();
  auto& notes = *notes_;
  while (!notes.whole()) {
    if (!settings_.asks_to_evolve) {
      notes.write_next();
      continue;
    }
    const auto near = notes.neighbours_of_next();
    if (near.empty()) {
      notes.write_next({});
      continue;
    }
    auto work = step(comparator_steps::evolve);
    work.texts = {{comparator_texts::note, notes.text_of(notes.next())}};
    for (const auto i : near)
      work.texts.push_back({comparator_texts::neighbour, notes.text_of(i)});
    work.id = identity(work);
    learner_step out;
    await(out.jobs, make_job(std::move(work)), false);
    return out;
  }
  return finish(notes.documents());
}

learner_step comparator_memory::finish(std::vector<std::string> texts) {
  phase_ = phase::over;
  memory_record record;
  record.learner = settings_.arm;
  std::set<std::string> known;
  for (auto& text : texts) {
    const auto doc = settings_.documents->add(std::move(text));
    if (!known.insert(doc->hash.value).second) continue;
    hashes_.push_back(doc->hash.value);
    record.changes.push_back(
        {std::string{memory_changes::added}, doc->hash.value, {}, 0, 0});
  }
  record.entries = hashes_;
  learner_step out;
  out.finished = true;
  out.records.push_back({memory_record::type_name,
                         fmt::format("{}/barrier 0", settings_.arm),
                         wire::encode(record)});
  return out;
}

} // namespace brewery
