#include "actors/job_names.hpp"

#include "base/printable.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

/// A name from outside stays a part of one line.
constexpr std::size_t bytes_max = 80;

std::string text_of(const rollout_job& work) {
  return fmt::format("rollout of task {}, trial {}",
                     single_line(work.task.value, bytes_max), work.trial + 1);
}

std::string text_of(const integrate_job& work) {
  return fmt::format("integration of concept {}",
                     single_line(work.title, bytes_max));
}

std::string text_of(const embed_job& work) {
  return fmt::format("embedding of {} texts", work.texts.size());
}

std::string text_of(const grade_job& work) {
  return fmt::format("grading of task {}",
                     single_line(work.task.value, bytes_max));
}

std::string text_of(const memory_job& work) {
  const auto step = single_line(work.learner + " " + work.step, bytes_max);
  if (work.task.value.empty()) return step;
  return fmt::format("{} of task {}", step,
                     single_line(work.task.value, bytes_max));
}

} // namespace

std::string name_of(const job& work) {
  return std::visit([](const auto& input) { return text_of(input); },
                    work.input);
}

void job_names::begin(const job& work) {
  auto name = name_of(work);
  const std::lock_guard lock{mutex_};
  names_[work.id] = std::move(name);
}

void job_names::end(const job_id& id) {
  const std::lock_guard lock{mutex_};
  names_.erase(id);
}

std::string job_names::of(const job_id& id) const {
  const std::lock_guard lock{mutex_};
  const auto found = names_.find(id);
  return found == names_.end() ? std::string{} : found->second;
}

} // namespace brewery
