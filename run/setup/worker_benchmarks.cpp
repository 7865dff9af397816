#include "run/setup/worker_benchmarks.hpp"

#include "config/load.hpp"
#include "messages/cluster_msgs.hpp"
#include "messages/wire/codec.hpp"
#include "run/setup/job_runner_factory.hpp"
#include "run/setup/offered_environment.hpp"
#include "run/setup/run_checks.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

/// Jobs name their task, so drawing splits is not needed.
environment_options without_splits(environment_options options) {
  options.spreadsheet.train_tasks = 0;
  options.spreadsheet.eval_tasks = 0;
  return options;
}

/// Requests the grades of one rollout.
class remote_grader final : public answer_grader {
public:
  remote_grader(std::shared_ptr<coordinator_rpc> rpc,
                const job_context& rollout)
      : rpc_(std::move(rpc)), rollout_(rollout.job),
        by_(rollout.cancelled, rollout.run) {}

  result<grade_report>
  grade(const task_id& task,
        const std::vector<answer_file>& answers) const override {
    return rpc_->grade(rollout_, task, answers, by_);
  }

private:
  std::shared_ptr<coordinator_rpc> rpc_;
  job_id rollout_;
  model_caller by_;
};

} // namespace

result<std::shared_ptr<worker_benchmarks>>
worker_benchmarks::load(const std::vector<std::string>& offers,
                        spreadsheet::share part) {
  auto out = std::make_shared<worker_benchmarks>();
  out->part_ = part;
  const auto known = parse_offers(offers);
  if (!known) return known.error();
  for (const auto& offer : *known) {
    auto loaded = load_benchmark(without_splits(offer.options), part);
    if (!loaded) return loaded.error();
    out->by_kind_[offer.kind] = std::move(*loaded);
    out->offers_[offer.kind] = offer.options;
    out->embedders_[offer.kind] = offer.embedder;
    if (part == spreadsheet::share::grade) continue;
    if (auto ok = check_sentence_model(offer.embedder); !ok) return ok.error();
  }
  return out;
}

result<std::shared_ptr<const job_runner>>
worker_benchmarks::runner(const std::string& bytes) const {
  const auto setup = wire::decode<run_setup>(bytes);
  if (!setup) return setup.error();
  auto loaded = parse_config(setup->config, {.file = "set-up",
                                             .overrides = {},
                                             .environment = {},
                                             .working_directory = "/"});
  if (!loaded.problems.empty()) return loaded.problems.front();
  const auto found = source_for(loaded.value.environment);
  if (!found) return found.error();
  const auto& source = *found;
  if (!source->goldens().empty() && source->goldens() != setup->goldens)
    return error{
        ec::version_mismatch,
        fmt::format(
            "this worker ({}) would grade differently: its goldens differ from "
            "those of the run; use the same data and release",
            BREWERY_VERSION)};
  if (part_ == spreadsheet::share::grade) // it cannot make rollouts
    return std::make_shared<const job_runner>(
        source, role_set{}, std::make_shared<document_store>(),
        retrieval_options{});
  if (auto ok = take_sentence_model(loaded.value); !ok) return ok.error();
  const auto shop =
      make_job_runner(loaded.value, source, std::make_shared<document_store>(),
                      metrics_, coordinator_, graders());
  if (!shop) return shop.error();
  if (shop->fingerprint != setup->fingerprint)
    return error{
        ec::version_mismatch,
        fmt::format(
            "this worker ({}) would compute different results: its rollouts "
            "are '{}', the run needs '{}'; use the same data and release",
            BREWERY_VERSION, shop->fingerprint, setup->fingerprint)};
  return shop->runner;
}

/// A set-up contains no programs.
result<void> worker_benchmarks::take_sentence_model(config& wanted) const {
  if (wanted.embedder.kind != "sentence") return {};
  const auto& kind = wanted.environment.kind;
  const auto& here = embedders_.at(kind);
  if (here.kind != "sentence")
    return error{ec::not_found,
                 fmt::format("this worker has no sentence model; start it with "
                             "--env {}=FILE.toml, a file whose [embedder] is "
                             "of kind sentence",
                             kind)};
  wanted.embedder.take_machine(here);
  return {};
}

result<std::shared_ptr<const benchmark>>
worker_benchmarks::source_for(const environment_options& wanted) const {
  const auto found = by_kind_.find(wanted.kind);
  if (found == by_kind_.end())
    return error{ec::not_found,
                 "this worker has no environment " + wanted.kind};
  const auto& offer = offers_.at(wanted.kind);
  // A set-up contains no programs: they are started as --env says.
  if (wanted.runs_program() || play_text(wanted) == play_text(offer))
    return found->second;
  // Other rollout options than offered: same data, other rules.
  auto options = without_splits(wanted);
  options.data = offer.data;
  options.take_machine(offer);
  return load_benchmark(options, part_);
}

/// Goes through the coordinator, which knows which workers grade.
grader_maker worker_benchmarks::graders() const {
  if (part_ != spreadsheet::share::play) return {};
  return [rpc = coordinator_](const job_context& context) {
    return std::make_shared<const remote_grader>(rpc, context);
  };
}

} // namespace brewery
