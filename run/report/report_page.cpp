#include "run/report/report_page.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "run/arms.hpp"
#include "run/report/task_groups.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

constexpr const char* page_legend =
    "## How to read this\n\n"
    "- **success**, or **mean grade** where grades are partial: the mean over "
    "the sealed test tasks, which the search never saw, of the mean grade of "
    "the attempts; 100 % is solved. A benchmark gives the grades.\n"
    "- **no score**: the share of attempts that no mean counts, because the "
    "environment or a model failed. If there are any, a table says between "
    "what each score lies if all of them counted as 0, and as 1.\n"
    "- **95 % interval**: percentile bootstrap over tasks. Marked `*`: all "
    "tasks agree or there are fewer than 6, so a bootstrap would claim to be "
    "more certain than it is; Wilson's interval is in it.\n"
    "- **paired difference**: to the first row, task by task, in points.\n"
    "- **pass^k**: the probability that k attempts at a task all succeed.\n"
    "- **prompt**, **reply**: tokens of the answered calls, as the servers "
    "counted them, a dash where they count none; **cached**: the share of the "
    "prompt that a server had in "
    "its cache; **time**: of all attempts, added up, though calls run side by "
    "side.\n"
    "- **reward**: what the search maximises for a document: its "
    "*correctness* (mean grade on its held-out tasks) and its *retrieval* (how "
    "high it ranks for them), weighted.\n"
    "- **versions**: documents that were tried for a concept; **train** and "
    "**eval**: its tasks; **iteration** 0 is the first documents.\n\n";

/// The arm of the documents in kb/; null without one.
const arm_result* published_arm(const run_summary& summary) {
  if (summary.searches.empty()) return nullptr;
  const auto name = learned_arm(summary.searches.front().strategy);
  const auto found =
      std::ranges::find_if(summary.arms, [&](const arm_result& arm) {
        return arm.record.name == name;
      });
  return found == summary.arms.end() ? nullptr : &*found;
}

/// The first task that no attempt of the arm solved; null if there is none.
const task_id* unsolved_task(const arm_result& arm) {
  for (std::size_t i = 0; i < arm.record.tasks.size(); ++i) {
    const auto& rewards = arm.record.rewards[i];
    if (!rewards.empty() && *std::ranges::max_element(rewards) < 1 - 1e-6)
      return &arm.record.tasks[i];
  }
  return nullptr;
}

/// Whether success with and without the documents is known.
bool is_measured(const run_summary& summary, const arm_result& published) {
  return is_graded(published) && is_graded(summary.arms.front());
}

/// A strategy that scored higher than the published one; null without one.
const arm_result* better_strategy(const run_summary& summary,
                                  const arm_result& published) {
  const arm_result* out = nullptr;
  for (const auto& arm : summary.arms)
    if (arm.record.name.starts_with(learned_arm(""))
        && arm.success.value > (out ? out : &published)->success.value + 1e-9)
      out = &arm;
  return out;
}

/// What a comparison of the two leaves out; empty if nothing.
std::string unscored_share_text(const arm_result& with,
                                const arm_result& without) {
  if (with.unscored.count + without.unscored.count == 0) return {};
  return fmt::format(" ({} and {} of the attempts have no score)",
                     percent_text(with.unscored.share()),
                     percent_text(without.unscored.share()));
}

std::string facts_table(const run_summary& summary) {
  const auto& facts = summary.facts;
  std::string out = "| | |\n|---|---|\n";
  const auto row = [&](const char* name, const std::string& value) {
    if (!value.empty())
      out += fmt::format("| {} | {} |\n", name, markdown_cell(value));
  };
  row("finished", facts.finished);
  row("program",
      facts.commit.empty()
          ? facts.version
          : fmt::format("{}, commit {}", facts.version, facts.commit));
  row("benchmark", facts.benchmark);
  row("seed", facts.seed);
  row("configuration", facts.configuration);
  row("work",
      fmt::format("{}, {:.1f} s with {}", counted(summary.rollouts, "rollout"),
                  summary.seconds, counted(summary.workers, "worker")));
  row("cost", facts.cost);
  const auto foreign = uncounted_text(summary.arms);
  row("not counted", foreign);
  const auto* none =
      foreign.empty()
          ? "No language model took part: the scores say nothing about one."
          : "None was asked by this program.";
  row("models", summary.models.empty() ? none : join(summary.models, ", "));
  return out + "\n";
}

/// As code, so that nothing in it is taken for markup.
std::string as_code(const std::string& text) {
  return '`' + replace_all(text, "`", "'") + '`';
}

std::string failure_text(const run_summary& summary) {
  if (summary.failure.empty()) return {};
  return fmt::format(" The first failure of the run: {}.",
                     as_code(summary.failure));
}

/// Of how many tasks a difference is, if not of all.
std::string paired_text(const arm_result& arm) {
  const auto all = arm.record.tasks.size(), paired = arm.difference->tasks;
  if (paired == all) return {};
  return fmt::format("; on the {} of {} tasks with a score in both", paired,
                     all);
}

/// Whether an arm is better than the first one, with its numbers. `what` is
/// the arm within a sentence, `opening` at the beginning of one.
std::string judged_text(const std::string& opening, const std::string& what,
                        const run_summary& summary, const arm_result& arm) {
  const auto& first = summary.arms.front();
  if (!is_measured(summary, arm))
    return fmt::format("**Whether {} helps is not known:** no attempt at "
                       "sealed tasks{} was graded.",
                       what,
                       is_graded(first) ? " with it"
                       : is_graded(arm) ? " without it"
                                        : "");
  const auto scores =
      fmt::format(
          "{} at sealed tasks is {} with it, {} without",
          score_name(summary.arms) == "success" ? "success" : "the mean grade",
          percent_text(arm.success.value), percent_text(first.success.value))
      + unscored_share_text(arm, first);
  if (!arm.difference)
    return fmt::format("**Whether {} helps is not known:** {}, but no task "
                       "has a score in both.",
                       what, scores);
  const auto& paired = *arm.difference;
  const auto* says = is_above_zero(paired)   ? "helps"
                     : is_below_zero(paired) ? "harms"
                                             : "is not shown to help";
  return fmt::format("**{} {}:** {} ({:+.1f} points, 95 % interval {:+.1f} to "
                     "{:+.1f}).",
                     opening, says, scores + paired_text(arm),
                     100 * paired.value, 100 * paired.low, 100 * paired.high);
}

/// Of a run that compares nothing.
std::string only_arm_text(const run_summary& summary) {
  const auto& arm = summary.arms.front();
  const auto* score =
      score_name(summary.arms) == "success" ? "success" : "the mean grade";
  if (!is_graded(arm))
    return "**Nothing is known about success:** no attempt at sealed tasks "
           "was graded.";
  return fmt::format("**No knowledge was tried:** {} at sealed tasks is {} "
                     "with `{}`.",
                     score, percent_text(arm.success.value), arm.record.name);
}

} // namespace

std::string markdown_cell(const std::string& text) {
  return replace_all(replace_all(printable(text), "\n", " "), "|", "\\|");
}

std::string backticks_around(const std::string& text, std::size_t least) {
  std::size_t longest = 0, row = 0;
  for (const char c : text) {
    row = c == '`' ? row + 1 : 0;
    longest = std::max(longest, row);
  }
  return std::string(std::max(longest + 1, least), '`');
}

std::string name_for_commands(const std::filesystem::path& run,
                              const std::filesystem::path& runs) {
  const auto plain = run.lexically_normal();
  if (plain == (runs / plain.filename()).lexically_normal())
    return plain.filename().string();
  const auto text = printable(plain.string());
  // A shell takes a space for the end of a word.
  return text.find_first_of(" '\"\\$&;|<>()*?[]{}!#~`") == std::string::npos
             ? text
             : '\'' + replace_all(text, "'", "'\\''") + '\'';
}

std::string verdict_text(const run_summary& summary) {
  if (summary.arms.empty())
    return "**Nothing is known about success:** this run has no final "
           "evaluation on sealed tasks.";
  if (const auto* arm = published_arm(summary)) {
    const auto of = fmt::format("knowledge base of `{}`",
                                summary.searches.front().strategy);
    return judged_text("The " + of, "the " + of, summary, *arm);
  }
  // It learned nothing: what it compares is given.
  if (summary.arms.size() == 1) return only_arm_text(summary);
  std::vector<std::string> out;
  for (const auto& arm : summary.arms)
    if (&arm != &summary.arms.front()) {
      const auto name = as_code(arm.record.name);
      out.push_back(judged_text(name, name, summary, arm));
    }
  return join(out, " ");
}

namespace {

std::string code_span(const std::string& text) {
  const auto fence = backticks_around(text, 1);
  const char* apart = text.ends_with('`') ? " " : "";
  return fence + text + apart + fence;
}

} // namespace

std::vector<std::string> next_steps(const run_summary& summary) {
  std::vector<std::string> out;
  const auto run =
      shell_word(summary.named.empty() ? summary.run_id : summary.named);
  const auto* arm = published_arm(summary);
  if (summary.searches.empty()) {
    out.emplace_back("This run learned nothing, because `search.strategies` is "
                     "empty: name a strategy there, and its documents are "
                     "compared with what is above.");
  } else if (!arm) {
    out.push_back(fmt::format("`brewery eval {} --split test` measures the "
                              "documents on sealed tasks.",
                              run));
  } else if (!is_measured(summary, *arm)) {
    out.push_back(fmt::format("`brewery resume {}` tries the "
                              "attempts without a grade again; mend first what "
                              "broke them.",
                              run));
  } else if (arm->difference && is_above_zero(*arm->difference)) {
    out.push_back(fmt::format("`brewery kb export {} --skills DIR` writes the "
                              "documents as skills for an agent.",
                              run));
  } else {
    // `eval` knows BREW's way to use documents, no other learner's.
    const bool brew = !summary.searches.front().gathers.empty();
    out.push_back(
        fmt::format("More test tasks or trials{} narrow the "
                    "interval; more train tasks or iterations may learn more.",
                    brew ? fmt::format(" (`brewery eval {} --trials 8`)", run)
                         : std::string{}));
  }
  if (!summary.searches.empty())
    out.push_back(fmt::format("`brewery kb list {0}` lists the documents; "
                              "`brewery kb show {0} CONCEPT --provenance` says "
                              "where the lines of one come from.",
                              run));
  if (arm)
    if (const auto* task = unsolved_task(*arm))
      out.push_back(
          code_span(fmt::format("brewery rollout show {} {}", run,
                                shell_word(single_line(task->value))))
          + " shows an attempt that failed: what the agent read, did and was "
            "graded for.");
  if (arm && is_graded(*arm))
    if (const auto* better = better_strategy(summary, *arm))
      out.push_back(fmt::format(
          "\"{}\" scored higher; its documents are in `strategies/{}/kb`.",
          better->record.name, better->record.name.substr(9)));
  std::size_t ungraded = 0;
  for (const auto& one : summary.arms)
    ungraded += one.unscored.count;
  if (ungraded > 0)
    out.push_back(fmt::format("Rollouts without a score, because the "
                              "environment or a model failed: {}.{}",
                              ungraded, failure_text(summary)));
  return out;
}

std::string first_page(const run_summary& summary) {
  auto out =
      fmt::format("# Run {}\n\n{}\n\n", summary.run_id, verdict_text(summary))
      + facts_table(summary);
  const auto quorum = quorum_text(summary);
  if (!summary.arms.empty())
    out += "## Results on the test split\n\n```text\n" + arms_text(summary.arms)
           + "```\n\n";
  if (const auto spent = spend_text(summary.spend); !spent.empty())
    out += "## Language models\n\n```text\n" + spent + "```\n\n";
  if (const auto reuse = reuse_text(summary.reuse, summary.rollouts);
      !reuse.empty())
    out += "## Rollouts that were reused\n\n" + reuse + ".\n\n";
  if (const auto saved = saved_text(summary.saved); !saved.empty())
    out += "## What was saved\n\n" + saved + ".\n\n";
  if (summary.reuse.wrong > 0)
    out += "**Rollouts were reused that should not have been.** "
           + as_code(single_line(summary.reuse.first_wrong)) + "\n\n";
  if (!quorum.empty()) out += "```text\n" + quorum + "```\n\n";
  if (const auto table = contributions_text(summary.contributions);
      !table.empty())
    out += "## What each document contributes\n\nThe sealed tasks whose "
           "attempts were shown a document, with all documents and again "
           "without it. The difference is paired by task, in points.\n\n"
           + table + "\n";
  out +=
      groups_text(summary.arms, "task group", success_by_group(summary.arms));
  out += groups_text(summary.arms, "part of the task id",
                     success_by_part(summary.arms));
  if (const auto lost = loss_lines(summary); !lost.empty()) {
    out += "## Replies that were no use\n\n";
    for (const auto& line : lost)
      out += "- " + as_code(line) + '\n';
    out += '\n';
  }
  out += "## What to do next\n\n";
  for (const auto& step : next_steps(summary))
    out += "- " + step + '\n';
  return out + '\n' + page_legend;
}

} // namespace brewery
