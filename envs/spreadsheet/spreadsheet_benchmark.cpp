#include "envs/spreadsheet/spreadsheet_benchmark.hpp"

#include "base/hash.hpp"
#include "envs/spreadsheet/python_modules.hpp"

#include <fmt/format.h>

namespace brewery::spreadsheet {

namespace {

/// Raise when an episode makes something else of the same input.
constexpr std::string_view adapter_version = "spreadsheet-1";

class spreadsheet_benchmark final : public benchmark {
public:
  spreadsheet_benchmark(dataset data, std::shared_ptr<const play_rules> rules,
                        std::string fingerprint)
      : data_(std::move(data)), rules_(std::move(rules)),
        fingerprint_(std::move(fingerprint)) {
    for (std::size_t i = 0; i < data_.tasks.size(); ++i) {
      const auto& task = data_.tasks[i];
      tasks_.push_back({task.id, instruction_text(task), task.instruction});
      by_id_.emplace(task.id, i);
    }
  }

  std::string_view name() const override { return benchmark_name; }
  const std::string& fingerprint() const override { return fingerprint_; }
  const std::vector<task_info>& tasks() const override { return tasks_; }
  const std::map<std::string, std::vector<std::size_t>>&
  splits() const override {
    return splits_;
  }

  result<std::unique_ptr<environment>> make(const task_id& task,
                                            const company&) const override {
    const auto found = by_id_.find(task);
    if (found == by_id_.end())
      return error{ec::not_found,
                   fmt::format("there is no spreadsheet task {}", task.value)};
    return spreadsheet_environment::start(rules_, data_.tasks[found->second]);
  }

  result<void> draw(const split_options& options, bool keep_flawed) {
    const check_options quick{
        .all_cases = false, .recalculate = false, .inspect = false};
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
  std::string fingerprint_;
  std::vector<task_info> tasks_;
  std::map<task_id, std::size_t> by_id_;
  std::map<std::string, std::vector<std::size_t>> splits_;
};

} // namespace

result<std::shared_ptr<const benchmark>>
load_spreadsheets_on(std::shared_ptr<const service_set> services,
                     const benchmark_options& options) {
  auto data = load_dataset(options.data);
  if (!data) return data.error();
  const auto content = content_of(*data);
  if (!content) return content.error();
  const auto kernels = services->kernels->about();
  if (!kernels) return kernels.error();
  const auto office = services->recalculation->about();
  if (!office) return office.error();
  const auto reader = services->grader->about();
  if (!reader) return reader.error();
  auto rules = std::make_shared<play_rules>();
  rules->services = std::move(services);
  rules->how = options.how;
  rules->cases = data->cases_most;
  rules->briefing = briefing_text(options.how, *kernels, *office);
  hash_input all;
  all.add(adapter_version).add(*content).add(python_modules_hash());
  all.add(kernels->isolation).add(kernels->python).add(kernels->openpyxl);
  all.add(kernels->pandas).add(kernels->numpy).add(*office).add(*reader);
  auto made = std::make_shared<spreadsheet_benchmark>(
      std::move(*data), std::move(rules), all.content());
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
