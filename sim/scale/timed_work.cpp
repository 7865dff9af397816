#include "sim/scale/timed_work.hpp"

#include "base/compression.hpp"
#include "messages/wire/codec.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace brewery::simulated {

namespace {

double normal(rng draw) {
  const double u = 1 - draw.uniform();
  return std::sqrt(-2 * std::log(u))
         * std::cos(2 * std::numbers::pi * draw.uniform());
}

std::uint64_t number_of(const job_id& job) {
  return std::stoull(job.value, nullptr, 16);
}

/// Lines like those of a telecom rollout, which compress about as well.
trajectory_step simulated_step(rng& draw) {
  trajectory_step out;
  out.requestor = draw.below(2) == 0 ? "user" : "assistant";
  out.tool = draw.below(2) == 0 ? "check_network_status" : "get_line_details";
  out.arguments = fmt::format(R"({{"line_id":"L{}"}})", draw.below(10'000));
  for (int line = 0; line < 8; ++line)
    out.observation += fmt::format(
        "signal {} of 4, data {}, usage {} MB of {} GB, roaming {}\n",
        draw.below(5), draw.below(2) == 0 ? "on" : "off", draw.next() % 100'000,
        draw.below(50), draw.below(2) == 0 ? "enabled" : "disabled");
  out.reason = "look";
  return out;
}

/// Every place of `word`, which is as long as what replaces it.
std::vector<std::size_t> places_of(const std::string& word,
                                   const std::string& text) {
  std::vector<std::size_t> out;
  for (auto at = text.find(word); at != std::string::npos;
       at = text.find(word, at + word.size()))
    out.push_back(at);
  return out;
}

} // namespace

timed_work::timed_work(const scale_options& options)
    : options_(options), usual_(sample_of(options.result_kb)),
      least_(sample_of(0)) {}

timed_work::sample timed_work::sample_of(std::size_t kilobytes) const {
  rollout_result made;
  made.id.value = std::string(32, '#');
  made.task.value = task_of(0);
  made.grade.reward = 1;
  rng draw{rng_key(options_.seed, "result")};
  constexpr std::size_t around_a_step = 120;
  for (std::size_t bytes = 0; bytes < kilobytes * 1000;
       bytes += made.steps.back().observation.size() + around_a_step)
    made.steps.push_back(simulated_step(draw));
  auto bytes = wire::encode(make_result(made));
  auto ids = places_of(made.id.value, bytes);
  auto tasks = places_of(made.task.value, bytes);
  return {std::move(bytes), std::move(ids), std::move(tasks)};
}

std::string timed_work::task_of(std::uint64_t number) const {
  return fmt::format("task{:08}", number % options_.tasks);
}

job timed_work::work(std::uint64_t number) const {
  rollout_job out;
  out.id.value = fmt::format("{:032x}", number);
  out.task.value = task_of(number);
  out.seed = options_.seed;
  out.reflect = true;
  out.fingerprint = std::string(32, 'f');
  constexpr std::uint32_t documents = 8;
  for (std::uint32_t i = 0; i < documents; ++i) {
    auto& ref = out.knowledge.emplace_back();
    ref.concept_ref = {i};
    ref.hash.value.assign(32, static_cast<char>('a' + i));
  }
  return make_job(std::move(out));
}

/// Four fifths of the variance are the task's, which the table can learn.
microseconds timed_work::duration(const job_id& job) const {
  constexpr double of_task = 0.8;
  const auto number = number_of(job);
  const rng task{rng_key(options_.seed, "task", number % options_.tasks)};
  const rng attempt{rng_key(options_.seed, "attempt", number)};
  const double sigma = options_.sigma;
  const double log_s = sigma * std::sqrt(of_task) * normal(task)
                       + sigma * std::sqrt(1 - of_task) * normal(attempt);
  const double seconds = options_.mean_s * std::exp(log_s - sigma * sigma / 2);
  return microseconds{1 + static_cast<std::int64_t>(seconds * 1e6)};
}

std::string timed_work::result(const job_id& job) const {
  const auto& from = small_ ? least_ : usual_;
  auto out = from.bytes;
  for (const auto at : from.ids)
    out.replace(at, job.value.size(), job.value);
  const auto task = task_of(number_of(job));
  for (const auto at : from.tasks)
    out.replace(at, task.size(), task);
  return compress(std::move(out));
}

} // namespace brewery::simulated
