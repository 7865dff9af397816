#include "learners/agent_kb/serving.hpp"

#include "learners/shared_checks.hpp"

#include <algorithm>
#include <utility>

namespace brewery {

std::vector<wanted_job> session_group::asked(std::size_t session,
                                             std::vector<wanted_job> orders) {
  for (const auto& wanted : orders)
    waiting_.emplace(wanted.work.id, session);
  if (sessions_[session]->over()) --left_;
  return orders;
}

std::vector<wanted_job>
session_group::begin(std::vector<std::unique_ptr<task_session>> all) {
  sessions_ = std::move(all);
  left_ = sessions_.size();
  std::vector<wanted_job> out;
  for (std::size_t i = 0; i < sessions_.size(); ++i)
    for (auto& wanted : asked(i, sessions_[i]->begin()))
      out.push_back(std::move(wanted));
  return out;
}

std::vector<wanted_job> session_group::on(const job_result& answer) {
  // Answers to one job are equal, so any of those that wait may take this one.
  const auto found = waiting_.find(answer.id);
  if (found == waiting_.end()) return {};
  const auto session = found->second;
  waiting_.erase(found);
  return asked(session, sessions_[session]->on(answer));
}

agent_kb_arm::agent_kb_arm(std::string name, session_kind kind,
                           std::shared_ptr<const session_settings> settings,
                           evaluated_tasks what)
    : name_(std::move(name)), kind_(kind), settings_(std::move(settings)),
      what_(std::move(what)) {}

learner_step agent_kb_arm::begin() {
  std::vector<std::unique_ptr<task_session>> all;
  for (const auto& task : what_.tasks)
    for (std::uint32_t i = 0; i < what_.trials; ++i)
      all.push_back(std::make_unique<task_session>(settings_, kind_, task, i,
                                                   what_.trials + i, false));
  learner_step out;
  out.jobs = sessions_.begin(std::move(all));
  out.finished = sessions_.left() == 0;
  return out;
}

learner_step agent_kb_arm::on(const job_result& answer) {
  const bool was_over = sessions_.left() == 0;
  learner_step out;
  out.jobs = sessions_.on(answer);
  out.finished = !was_over && sessions_.left() == 0;
  return out;
}

learner_view agent_kb_arm::view() const {
  return {"evaluating " + name_, 0, 0};
}

const rollout_result* agent_kb_arm::answer_of(std::size_t session) const {
  const auto& one = *sessions_.all()[session];
  if (!one.trouble().empty() || one.attempts().empty()) return nullptr;
  return &one.attempts().back().rollout;
}

std::vector<job_id> agent_kb_arm::attempts() const {
  std::vector<job_id> out;
  for (std::size_t i = 0; i < sessions_.all().size(); ++i) {
    const auto* last = answer_of(i);
    out.push_back(last ? last->id : job_id{});
  }
  return out;
}

evaluation_record agent_kb_arm::measured() const {
  evaluation_record out;
  out.name = name_;
  out.split = what_.split;
  std::uint64_t attempts = 0, calls = 0, surveyed = 0, gated = 0;
  shared_checks checks;
  for (std::size_t t = 0; t < what_.tasks.size(); ++t) {
    std::vector<double> rewards;
    std::size_t looked = 0; // the trials of a task share one survey
    for (std::uint32_t i = 0; i < what_.trials; ++i) {
      const auto at = t * what_.trials + i;
      const auto& one = *sessions_.all()[at];
      looked = std::max(looked, one.survey_calls());
      gated += one.gated();
      attempts += one.attempts().size();
      for (const auto& attempt : one.attempts())
        calls += attempt.calls;
      const auto* last = answer_of(at);
      if (!last || last->outcome != rollout_outcome::graded) continue;
      rewards.push_back(last->grade.reward);
      checks.add(last->grade);
    }
    surveyed += looked;
    out.tasks.push_back(what_.tasks[t].id);
    out.rewards.push_back(std::move(rewards));
  }
  out.checks = checks.take();
  out.counts = {{"attempts", attempts}, {"tool calls", calls}};
  if (surveyed > 0) out.counts.push_back({"survey calls", surveyed});
  if (gated > 0) out.counts.push_back({"gated", gated});
  return out;
}

} // namespace brewery
