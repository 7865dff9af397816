#include "envs/spreadsheet/spreadsheet_benchmark.hpp"

#include "base/hash.hpp"
#include "envs/spreadsheet/ask_with_retry.hpp"
#include "envs/spreadsheet/python_modules.hpp"

#include <fmt/format.h>

namespace brewery::spreadsheet {

namespace {

/// Increase it if an episode's results for the same input change.
constexpr std::string_view adapter_version = "spreadsheet-3";

struct fingerprints {
  std::string playing;
  std::string goldens;
};

class spreadsheet_benchmark final
    : public benchmark,
      public answer_grader,
      public std::enable_shared_from_this<spreadsheet_benchmark> {
public:
  spreadsheet_benchmark(dataset data, std::shared_ptr<const play_rules> rules,
                        fingerprints prints)
      : data_(std::move(data)), rules_(std::move(rules)),
        prints_(std::move(prints)) {
    for (std::size_t i = 0; i < data_.tasks.size(); ++i) {
      const auto& task = data_.tasks[i];
      tasks_.push_back({task.id, instruction_text(task), task.instruction});
      by_id_.emplace(task.id, i);
    }
  }

  std::string_view name() const override { return benchmark_name; }
  const std::string& fingerprint() const override { return prints_.playing; }
  const std::string& goldens() const override { return prints_.goldens; }
  const answer_grader* grader() const override {
    return prints_.goldens.empty() ? nullptr : this;
  }
  const std::vector<task_info>& tasks() const override { return tasks_; }
  const std::map<std::string, std::vector<std::size_t>>&
  splits() const override {
    return splits_;
  }

  std::uint32_t checkpoints(const task_id& task) const override {
    if (!by_id_.contains(task)) return 0;
    return rules_->how.score == metric::first ? 1U : rules_->cases;
  }

  result<std::unique_ptr<environment>>
  make(const task_id& task, const participants& with) const override {
    const auto found = by_id_.find(task);
    if (found == by_id_.end())
      return error{ec::not_found,
                   fmt::format("there is no spreadsheet task {}", task.value)};
    auto scorer = with.grader;
    if (!scorer && grader()) scorer = shared_from_this();
    if (!scorer || prints_.playing.empty())
      return error{ec::invalid_argument,
                   "spreadsheets are not played and graded here"};
    return spreadsheet_environment::start(rules_, data_.tasks[found->second],
                                          std::move(scorer));
  }

  result<grade_report>
  grade(const task_id& task,
        const std::vector<answer_file>& answers) const override {
    const auto found = by_id_.find(task);
    if (found == by_id_.end())
      return error{ec::not_found,
                   fmt::format("there is no spreadsheet task {}", task.value)};
    auto report = grade_answers(*rules_, data_.tasks[found->second], answers);
    if (!report) return retryable(report.error());
    return report;
  }

  void release_children() const override {
    rules_->services->kernels->release_children();
    rules_->services->recalculation->release_children();
    rules_->services->grader->release_children();
  }

  result<void> draw(const split_options& options, bool keep_flawed) {
    const check_options quick{.all_cases = false,
                              .recalculate = false,
                              .inspect = false,
                              .parser = rules_->how.parser};
    auto drawn = draw_splits(
        data_.tasks.size(), options, [&](std::size_t index) -> result<bool> {
          if (keep_flawed) return true;
          const auto checked = check_task(*rules_->services, data_.tasks[index],
                                          data_.cases_most, quick);
          if (!checked) return checked.error();
          return !checked->flawed();
        });
    if (!drawn) return drawn.error();
    splits_ = std::move(*drawn);
    return {};
  }

private:
  dataset data_;
  std::shared_ptr<const play_rules> rules_;
  fingerprints prints_;
  std::vector<task_info> tasks_;
  std::map<task_id, std::size_t> by_id_;
  std::map<std::string, std::vector<std::size_t>> splits_;
};

/// The fingerprint of rollouts. Also fills in the briefing.
result<std::string> playing_print(const dataset& data, play_rules& rules) {
  const auto content = inputs_content(data);
  if (!content) return content.error();
  const auto kernels = rules.services->kernels->about();
  if (!kernels) return kernels.error();
  const auto office = rules.services->recalculation->about();
  if (!office) return office.error();
  const auto functions = rules.services->recalculation->functions();
  if (!functions) return functions.error();
  rules.briefing = briefing_text(rules.how, *kernels, *office, *functions);
  hash_input all;
  all.add(adapter_version).add(*content).add(python_modules_hash());
  all.add(kernels->isolation).add(kernels->python).add(kernels->openpyxl);
  all.add(kernels->pandas).add(kernels->numpy).add(*office);
  return all.content();
}

result<std::string> goldens_print(const dataset& data,
                                  const play_rules& rules) {
  const auto content = goldens_content(data);
  if (!content) return content.error();
  const auto reader = rules.services->grader->about();
  if (!reader) return reader.error();
  hash_input all;
  all.add("goldens").add(adapter_version).add(*content);
  all.add(python_modules_hash()).add(*reader);
  return all.content();
}

} // namespace

result<std::shared_ptr<const benchmark>>
load_spreadsheets_on(std::shared_ptr<const service_set> services,
                     const benchmark_options& options) {
  auto data = load_dataset(options.data, options.part);
  if (!data) return data.error();
  auto rules = std::make_shared<play_rules>();
  rules->services = std::move(services);
  rules->how = options.how;
  rules->cases = data->cases_most;
  fingerprints prints;
  if (options.part != share::grade) {
    auto print = playing_print(*data, *rules);
    if (!print) return print.error();
    prints.playing = std::move(*print);
  }
  if (options.part != share::play) {
    auto print = goldens_print(*data, *rules);
    if (!print) return print.error();
    prints.goldens = std::move(*print);
  }
  auto made = std::make_shared<spreadsheet_benchmark>(
      std::move(*data), std::move(rules), std::move(prints));
  if (auto ok = made->draw(options.splits, options.keep_flawed); !ok)
    return ok.error();
  return std::shared_ptr<const benchmark>{std::move(made)};
}

result<std::shared_ptr<const benchmark>>
load_spreadsheets(const benchmark_options& options) {
  auto services = make_services(options.services);
  if (!services) return services.error();
  return load_spreadsheets_on(
      std::make_shared<const service_set>(std::move(*services)), options);
}

} // namespace brewery::spreadsheet
