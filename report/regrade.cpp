#include "report/regrade.hpp"

#include "base/file.hpp"
#include "learners/shared_checks.hpp"
#include "messages/reusable.hpp"
#include "run/setup/spreadsheet_setup.hpp"
#include "store/folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace brewery {

namespace {

result<void> check_overrides(const std::vector<std::string>& overrides) {
  for (const auto& text : overrides)
    if (!text.starts_with("environment."))
      return error{
          ec::invalid_argument,
          fmt::format(
              "--set {}: only options of the environment affect a grade",
              text)};
  return {};
}

/// Fewer answers than cases would add zeros that no attempt earned.
result<void> check_metric(const std::string& before, const std::string& now) {
  if (before != "first" || now == "first") return {};
  return error{
      ec::invalid_argument,
      fmt::format(
          "environment.spreadsheet.metric={} needs the answers of all cases; "
          "the run used \"first\" and stored the answers of case 1 only",
          now)};
}

/// Makes a folder name of a dataset's id, which may contain any character.
std::string folder_name(std::string id) {
  for (char& letter : id)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '-')
      letter = '_';
  return id;
}

class regrader {
public:
  regrader(const regrade_request& what, const evaluated_run& run,
           const problem& with)
      : what_(what), run_(run), with_(with) {}

  result<regraded_run> all(const std::vector<const evaluation_record*>& arms) {
    std::vector<arm_rollouts> found;
    std::size_t total = 0;
    for (const auto* arm : arms) {
      auto rollouts = rollouts_of(run_, with_, *arm);
      if (!rollouts) return rollouts.error();
      total += rollouts->logged.size();
      found.push_back(std::move(*rollouts));
    }
    if (what_.on_begin) what_.on_begin(total);
    for (std::size_t i = 0; i < arms.size(); ++i)
      if (auto ok = one_arm(*arms[i], found[i]); !ok) return ok.error();
    return std::move(out_);
  }

private:
  result<void> one_arm(const evaluation_record& arm,
                       const arm_rollouts& rollouts) {
    regraded_arm& to = out_.arms.emplace_back();
    to.name = arm.name;
    to.without_answers = rollouts.missing;
    shared_checks checks;
    for (const auto& id : rollouts.logged) {
      const auto found = read_rollout(run_, id);
      if (!found) return found.error();
      if (!*found || (*found)->answers.empty()) {
        ++to.without_answers;
      } else {
        auto grade = one(to, **found);
        if (!grade) return grade.error();
        checks.add(*grade);
      }
      if (what_.on_step) what_.on_step();
    }
    if (to.attempts > 0) {
      to.before /= static_cast<double>(to.attempts);
      to.now /= static_cast<double>(to.attempts);
    }
    to.checks = checks.take();
    return {};
  }

  result<grade_report> one(regraded_arm& to, const rollout_result& rollout) {
    if (auto ok = write(to.name, rollout); !ok) return ok.error();
    auto grade = with_.source->grader()->grade(rollout.task, rollout.answers);
    if (!grade) return grade.error();
    ++to.attempts;
    to.before += rollout.grade.reward;
    to.now += grade->reward;
    out_.unrepeatable += !reusable(*grade);
    if (grade->reward != rollout.grade.reward) {
      const auto failed =
          std::ranges::find(grade->parts, false, &grade_part::met);
      out_.changed.push_back(
          {to.name, rollout.task, rollout.trial, rollout.grade.reward,
           grade->reward,
           failed == grade->parts.end() ? std::string{} : failed->name});
    }
    return grade;
  }

  result<void> write(const std::string& arm, const rollout_result& rollout) {
    if (what_.answers.empty()) return {};
    const auto folder =
        what_.answers / slug(arm) / folder_name(rollout.task.value);
    if (auto ok = make_directories(folder); !ok) return ok.error();
    for (const auto& answer : rollout.answers) {
      if (!answer.lacking.empty()) continue;
      const auto file =
          folder / fmt::format("{}-{}.xlsx", rollout.trial + 1, answer.number);
      if (auto ok = write_file_atomically(file, answer.content); !ok)
        return ok.error();
    }
    return {};
  }

  const regrade_request& what_;
  const evaluated_run& run_;
  const problem& with_;
  regraded_run out_;
};

} // namespace

result<regraded_run> regrade(const regrade_request& what) {
  if (auto ok = check_overrides(what.overrides); !ok) return ok.error();
  const auto run = open_evaluated(what.run);
  if (!run) return run.error();
  const auto& played = run->options.environment;
  if (played.kind != spreadsheet::benchmark_name)
    return error{
        ec::invalid_argument,
        fmt::format(
            "{}: a run of {}, whose rollouts leave no files to grade again",
            run->where.path().string(), played.kind)};
  std::vector<std::string> hints;
  const auto options = options_of(run->where, what.overrides, &hints);
  if (!options) return options.error();
  if (auto ok = check_metric(played.spreadsheet.metric,
                             options->environment.spreadsheet.metric);
      !ok)
    return ok.error();
  const auto chosen = find_arm(*run, what.arm);
  if (!chosen) return chosen.error();
  std::vector<const evaluation_record*> arms;
  for (const auto& arm : run->arms)
    if (what.arm.empty() || &arm == *chosen) arms.push_back(&arm);
  const auto with = load_problem(*options, spreadsheet::share::grade);
  if (!with) return with.error();
  auto done = regrader{what, *run, *with}.all(arms);
  if (done) done->hints = std::move(hints);
  return done;
}

} // namespace brewery
