#include "envs/spreadsheet/data_check.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "envs/spreadsheet/scratch_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::spreadsheet {

namespace {

class task_checker {
public:
  task_checker(const service_set& services, const sheet_task& task,
               const check_options& options)
      : services_(services),
        options_(options), position_{task.position, task.sheet} {
    out_.task = task.id;
  }

  result<void> check(const case_files& files) {
    number_ = files.number;
    ++out_.cases;
    const auto golden = services_.grader->inspect(files.golden, position_);
    if (!golden) return golden.error();
    if (!golden->loads) {
      tag("golden-unreadable", golden->why);
      out_.unscoreable |= number_ == 1;
      return {};
    }
    const auto same =
        services_.grader->grade(files.golden, files.golden, position_);
    if (!same) return same.error();
    if (const auto& counts = counted(*same); !counts.passed) {
      tag("golden-unequal", counts.why);
      out_.unscoreable |= number_ == 1;
    }
    const auto input =
        services_.grader->grade(files.input, files.golden, position_);
    if (!input) return input.error();
    if (counted(*input).passed) {
      tag("input-passes", "the input already passes");
      out_.free_pass |= number_ == 1;
    }
    if (options_.inspect)
      if (auto ok = inspect(*golden, files); !ok) return ok;
    return options_.recalculate ? recalculate(files) : result<void>{};
  }

  void lacks(std::size_t found, std::uint32_t cases) {
    number_ = 0;
    tag("missing-cases", fmt::format("it has {} of {} cases", found, cases));
  }

  task_check take() { return std::move(out_); }

private:
  [[nodiscard]] const comparison& counted(const case_grade& grade) const {
    return options_.parser == position_parser::repaired ? grade.repaired
                                                        : grade.official;
  }

  void tag(const std::string& name, const std::string& why) {
    if (std::find(out_.tags.begin(), out_.tags.end(), name) == out_.tags.end())
      out_.tags.push_back(name);
    const auto place = number_ ? fmt::format("case {}: ", number_) : "";
    out_.notes.push_back(
        fmt::format("{}{}{}", place, name, why.empty() ? "" : ": " + why));
  }

  result<void> inspect(const workbook_facts& golden, const case_files& files) {
    if (golden.uncached > 0)
      tag("golden-uncached",
          fmt::format("{} formulas to answer have no value", golden.uncached));
    if (!golden.volatile_functions.empty())
      tag("golden-volatile", join(golden.volatile_functions, ", "));
    const auto input = services_.grader->inspect(files.input, position_);
    if (!input) return input.error();
    if (!input->volatile_functions.empty())
      tag("input-volatile", join(input->volatile_functions, ", "));
    return {};
  }

  result<void> recalculate(const case_files& files) {
    const scratch_file in{services_.scratch}, out{services_.scratch};
    std::error_code failed;
    std::filesystem::copy_file(files.golden, in.path(), failed);
    if (failed)
      return error{ec::io,
                   fmt::format("cannot copy {}: {}", files.golden.string(),
                               failed.message())};
    const auto done =
        services_.recalculation->recalculate(in.path(), out.path(), {});
    if (!done) return done.error();
    if (done->status == recalculation_status::unchanged) return {};
    if (done->status != recalculation_status::computed) {
      tag("golden-changes", "it cannot be recalculated: " + done->detail);
      return {};
    }
    const auto same =
        services_.grader->grade(out.path(), files.golden, position_);
    if (!same) return same.error();
    if (const auto& counts = counted(*same); !counts.passed)
      tag("golden-changes", counts.why);
    return {};
  }

  const service_set& services_;
  const check_options& options_;
  sheet_position position_;
  task_check out_;
  std::uint32_t number_ = 0;
};

} // namespace

result<task_check> check_task(const service_set& services,
                              const sheet_task& task, std::uint32_t cases,
                              const check_options& options) {
  task_checker checker{services, task, options};
  if (task.cases.size() < cases) checker.lacks(task.cases.size(), cases);
  for (const auto& files : task.cases) {
    if (auto ok = checker.check(files); !ok)
      return error{ok.error().code,
                   fmt::format("task {}, case {}: {}",
                               single_line(task.id.value), files.number,
                               ok.error().message)};
    if (!options.all_cases) break;
  }
  return checker.take();
}

} // namespace brewery::spreadsheet
