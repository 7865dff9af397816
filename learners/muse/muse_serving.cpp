#include "learners/muse/muse_serving.hpp"

#include "learners/shared_checks.hpp"

namespace brewery::muse {

muse_serving::muse_serving(std::string name, evaluated_tasks what,
                           std::shared_ptr<const muse_settings> settings,
                           std::vector<doc_ref> knowledge, attempt_count& count)
    : name_(std::move(name)), what_(std::move(what)),
      settings_(std::move(settings)), knowledge_(std::move(knowledge)),
      count_(count) {}

learner_view muse_serving::view() const {
  return {"evaluation", 0, 0};
}

learner_step muse_serving::begin() {
  learner_step out;
  auto playing = settings_->playing;
  // Without a model an attempt pays nothing for what it notes, and uses it.
  if (!settings_->distils) playing.method = muse_frozen_method;
  for (const auto& task : what_.tasks)
    for (std::uint32_t trial = 0; trial < what_.trials; ++trial) {
      auto work = make_rollout_job(playing, task.id, trial, knowledge_, false);
      order_.push_back(work.id);
      answers_[work.id];
      out.jobs.push_back({make_job(std::move(work)), false});
    }
  unanswered_ = answers_.size();
  out.finished = unanswered_ == 0;
  return out;
}

learner_step muse_serving::on(const job_result& answer) {
  const auto waited = answers_.find(answer.id);
  if (waited == answers_.end() || waited->second) return {};
  waited->second = answer;
  if (--unanswered_ > 0) return {};
  measured_.name = name_;
  measured_.split = what_.split;
  std::size_t at = 0;
  shared_checks checks;
  for (std::size_t i = 0; i < what_.tasks.size(); ++i) {
    measured_.tasks.push_back(what_.tasks[i].id);
    auto& rewards = measured_.rewards.emplace_back();
    for (std::uint32_t trial = 0; trial < what_.trials; ++trial) {
      const auto& done = *answers_.at(order_[at++]);
      const auto* made = std::get_if<rollout_result>(&done.output);
      count_.add(i, what_.tasks[i], made);
      if (made == nullptr || made->outcome != rollout_outcome::graded) continue;
      rewards.push_back(made->grade.reward);
      checks.add(made->grade);
    }
  }
  measured_.checks = checks.take();
  measured_.counts = {{"attempts", count_.attempts},
                      {"tool calls", count_.calls},
                      {"probes", count_.probes}};
  learner_step out;
  out.finished = true;
  return out;
}

std::vector<job_id> muse_serving::attempts() const {
  return order_;
}

evaluation_record muse_serving::measured() const {
  return measured_;
}

} // namespace brewery::muse
