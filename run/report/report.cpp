/// Writes report.md: the first page, then each search in an appendix.

#include "base/terminal_text.hpp"
#include "base/text.hpp"
#include "kb/diff.hpp"
#include "run/report/report_page.hpp"
#include "run/results.hpp"
#include "search/barrier.hpp"
#include "search/economy_counts.hpp"
#include "search/growth.hpp"
#include "search/node.hpp"
#include "search/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace brewery {

namespace {

void write_curve(std::string& out, const search_outcome& search) {
  out +=
      fmt::format("### Curve of `{}`\n\nInitial rollouts, no knowledge base: "
                  "mean reward {:.3f}.\n\n```text\niteration  best reward "
                  "(mean over all trees)        train reward\n",
                  search.strategy, search.initial_success);
  gathered_versions versions;
  for (const auto& gather : search.gathers) {
    double train = 0;
    std::size_t trained = 0, added = 0;
    for (const auto* part : {&gather.folded, &gather.reports})
      for (const auto& tree : *part) {
        added += tree.added;
        if (drew_candidates(tree)) {
          train += tree.train_success;
          ++trained;
        }
      }
    versions.fold(gather);
    const auto reward = versions.mean_reward();
    out += fmt::format(
        "{:>9}  {} {:<24}  {}  +{}{}\n", gather.iteration,
        reward ? fmt::format("{:.3f}", *reward) : "    -",
        bar_text(reward.value_or(0), 24, true),
        gather.iteration == 0 || trained == 0
            ? std::string{"    -"}
            : fmt::format("{:.3f}", train / static_cast<double>(trained)),
        counted(added, "document"),
        gather.late.empty() ? ""
                            : fmt::format(", {} late", gather.late.size()));
  }
  out += "```\n\n";
}

/// A chain refines its newest versions, whatever they score.
std::string newest_text(const search_outcome& search) {
  double newest = 0, best = 0;
  std::size_t trees = 0;
  for (const auto& tree : search.documents) {
    if (tree.versions.empty() || tree.versions.back().evaluated == 0
        || tree.best.evaluated == 0)
      continue;
    ++trees;
    newest += tree.versions.back().reward;
    best += tree.best.reward;
  }
  if (trees == 0) return {};
  const auto count = static_cast<double>(trees);
  return fmt::format("The newest versions have a mean reward of {:.3f}, the "
                     "published ones {:.3f}.\n\n",
                     newest / count, best / count);
}

/// What a comparison at equal cost needs, and how far the trees grew.
std::string growth_text(const search_outcome& search,
                        std::uint32_t expansions_each,
                        std::uint32_t train_trials) {
  const bool chain = search.strategy == to_string(strategy::iterative);
  std::size_t scored = 0, trained = 0;
  tree_growth_figures grown;
  std::map<concept_id, std::size_t> tasks;
  for (const auto& tree : search.documents)
    tasks[tree.about.id] = tree.about.train_tasks.size();
  for (const auto& gather : search.gathers) {
    grown.add(gather);
    for (const auto* part : {&gather.folded, &gather.reports})
      for (const auto& tree : *part)
        if (drew_candidates(tree))
          trained += tasks[tree.concept_ref] * train_trials;
  }
  for (const auto& tree : search.documents) {
    grown.add(tree.versions);
    for (const auto& version : tree.versions)
      scored += version.evaluated;
  }
  const auto expanded_text =
      expansions_each == 1 || chain
          ? counted(grown.expansions, "expansion")
          : fmt::format("{} of single trees, of up to {} expansions each",
                        counted(grown.expansions, "iteration"),
                        expansions_each);
  return fmt::format("{}; {} with the first ones, scored by {}. Trees asked "
                     "for {} to learn from; they share those of a task. The "
                     "deepest version has depth {}, and none has more than "
                     "{}.\n\n",
                     expanded_text, counted(grown.versions, "version"),
                     counted(scored, "graded rollout"),
                     counted(trained, "rollout"), grown.depth,
                     grown.width == 1 ? "1 child"
                                      : fmt::format("{} children", grown.width))
         + (chain ? newest_text(search) : std::string{});
}

/// The rollouts that scored versions, and those that did not have to
/// (docs/economy.md). Empty of logs of older releases that did not count them.
std::string economy_text(const search_outcome& search) {
  const auto counts = counts_of(search.gathers);
  const auto asked = counts.of(economy::asked);
  const auto pruned = counts.of(economy::pruned);
  const auto resumed = counts.of(economy::resumed);
  if (asked == 0) return {};
  const auto raced = counts.of(economy::raced);
  const auto all = asked + pruned + raced - resumed;
  auto out = fmt::format("Rollouts that score versions: {} asked", asked);
  if (pruned > 0)
    out += fmt::format(
        ", {} pruned by bounds, {} of them resumed because a choice hung on "
        "them",
        pruned, resumed);
  if (raced > 0)
    out += fmt::format(", {} left out of candidates that lost a race", raced);
  if (pruned + raced > 0)
    out += fmt::format(". So {} of {} were not needed",
                       percent_text(static_cast<double>(all - asked)
                                    / static_cast<double>(all)),
                       all);
  out += ".\n\n";
  if (const auto confirmed = counts.of(economy::confirmed); confirmed > 0)
    out += fmt::format("Another {} were fresh ones, before a version replaced "
                       "the published one.\n\n",
                       confirmed);
  if (const auto again = counts.of(economy::rescored); again > 0)
    out += fmt::format("Another {} scored versions again after their "
                       "neighbours had changed.\n\n",
                       again);
  return out;
}

/// What fresh trials said of a document whose score is the best of many.
std::string confirmed_text(const search_outcome& search) {
  std::string out;
  for (const auto& tree : search.documents) {
    std::size_t made = 0, refused = 0;
    for (const auto& version : tree.versions)
      for (const auto& one : version.challenges) {
        ++made;
        refused += is_confirmed(one) ? 0 : 1;
      }
    if (made == 0) continue;
    const auto& last = tree.best.challenges;
    out += fmt::format(
        "- {}: {}; {}, {} refused\n", markdown_cell(tree.about.title),
        last.empty() || last.back().reward.empty()
            ? "the first version stayed"
            : fmt::format("found {:.3f}, confirmed {:.3f}{}", tree.best.reward,
                          last.back().reward.front(),
                          last.back().against.empty()
                              ? ""
                              : fmt::format(" (the one before it {:.3f})",
                                            last.back().against.front())),
        counted(made, "challenge"), refused);
  }
  if (out.empty()) return out;
  return "Before a version with a better score replaced the published one, "
         "both "
         "were played on fresh trials:\n\n"
         + out + "\n";
}

/// What the last iteration said of a tree, and that its best version is empty.
std::string remark_of(const search_outcome& search, std::size_t tree,
                      const document_store& documents) {
  const auto& last = search.gathers.back().reports;
  auto out = tree < last.size() ? markdown_cell(last[tree].note) : "";
  const auto best = documents.find(search.documents[tree].best.hash);
  if (best && !is_published(*best))
    out += std::string{out.empty() ? "" : "; "} + "empty, not published";
  return out;
}

void write_trees(std::string& out, const search_outcome& search,
                 const run_summary& summary, const document_store& documents) {
  out += fmt::format("### Trees of `{}`\n\n| concept | versions | best from "
                     "iteration | reward | correctness | retrieval | train | "
                     "eval | remark |\n|---|---|---|---|---|---|---|---|---|\n",
                     search.strategy);
  for (std::size_t k = 0; k < search.documents.size(); ++k) {
    const auto& tree = search.documents[k];
    const auto scored = [&](double value) {
      return tree.best.evaluated > 0 ? fmt::format("{:.3f}", value) : "-";
    };
    out +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
                    markdown_cell(tree.about.title), tree.versions.size(),
                    tree.best.iteration, scored(tree.best.reward),
                    scored(tree.best.correctness), scored(tree.best.retrieval),
                    tree.about.train_tasks.size(), tree.about.eval_tasks.size(),
                    remark_of(search, k, documents));
  }
  out += "\n" + growth_text(search, summary.expansions, summary.train_trials)
         + economy_text(search) + confirmed_text(search);
}

void write_changes(std::string& out, const search_outcome& search,
                   const document_store& documents) {
  out += fmt::format("### What changed in `{}`, and why\n\n", search.strategy);
  bool any = false;
  for (const auto& tree : search.documents) {
    if (tree.best.id == node_id{0} || tree.versions.empty()) continue;
    const auto first = documents.find(tree.versions.front().hash);
    const auto best = documents.find(tree.best.hash);
    if (!first || !best) continue;
    any = true;
    const auto changes = unified_diff(first->body, best->body, "first", "best");
    // Documents have code of their own.
    const auto fence = backticks_around(changes, 3);
    out += fmt::format(
        "#### {}\n\nReward {:.3f} -> {:.3f} (version of iteration "
        "{}). It rests on {}; `brewery kb show` says which "
        "line on which.\n\n{}diff\n{}{}\n\n",
        markdown_cell(tree.about.title), tree.versions.front().reward,
        tree.best.reward, tree.best.iteration,
        counted(tree.cited.size(), "insight"), fence, changes, fence);
  }
  if (!any) out += "No change was better than the first documents.\n\n";
}

} // namespace

std::string report_text(const run_summary& summary,
                        const document_store& documents) {
  auto out = first_page(summary);
  for (const auto& search : summary.searches) {
    if (search.gathers.empty()) continue; // a learner that grows no trees
    out += fmt::format("## Appendix: `{}`\n\n", search.strategy);
    write_curve(out, search);
    write_trees(out, search, summary, documents);
    write_changes(out, search, documents);
  }
  return out;
}

} // namespace brewery
