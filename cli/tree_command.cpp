/// `brewery tree`.

#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/locate.hpp"
#include "cli/terminal.hpp"
#include "report/arm_rollouts.hpp"
#include "report/learner_text.hpp"
#include "report/tree_branches.hpp"
#include "report/tree_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace brewery {

namespace {

constexpr const char* tree_footer =
    "Prints the versions of a concept's document as the search made them, each "
    "below the one that it\nchanges: the iteration that wrote it, how often "
    "the search passed through it, the mean reward of\nall versions below it "
    "(value), its own reward with its two parts, and the graded rollouts "
    "behind\nit. Where an evaluation was stopped, the reward is the range that "
    "it "
    "can be in, and its parts are\nat most as shown. Without CONCEPT it lists "
    "the trees. A run that goes on is shown as far as it\nis.\n\nExamples:\n  "
    "brewery tree first\n  brewery tree "
    "first 0\n  brewery tree first 0 --strategy greedy --json";

struct tree_arguments {
  std::string run, strategy, runs_dir;
  std::int64_t concept_number = -1; ///< below 0: all
  bool json = false;
};

std::string number(double value) {
  return fmt::format("{:.3f}", value);
}

std::vector<std::string> row_of(const search_tree& tree,
                                const tree_branch& branch) {
  const auto& item = *branch.version;
  return {branch.lead + std::to_string(item.id.value),
          single_line(item.hash.value.substr(0, 8)),
          std::to_string(item.iteration),
          std::to_string(item.visits),
          number(item.value),
          reward_text(item),
          part_text(item, item.correctness),
          part_text(item, item.retrieval),
          std::to_string(item.evaluated),
          note_of(tree, item)};
}

std::string tree_text(const search_tree& tree) {
  auto out = fmt::format("{}, concept {}: {}\n", single_line(tree.strategy),
                         tree.about.id.value, single_line(tree.about.title));
  if (!is_whole(tree))
    return out
           + (tree.nodes.empty()
                  ? "the tree is not recorded yet, or by an older release\n"
                  : "the tree's beginning is not recorded: an older release "
                    "played it\n");
  out += fmt::format("{} after iteration {}, {} equal to one of them\n",
                     counted(tree.nodes.size(), "version"), tree.iteration,
                     counted(tree.dropped, "candidate"));
  std::vector<std::vector<std::string>> rows{
      {"version", "document", "iteration", "visits", "value", "reward",
       "correctness", "retrieval", "rollouts", ""}};
  for (const auto& branch : branches_of(tree))
    rows.push_back(row_of(tree, branch));
  return out + fitted_table(rows);
}

std::string list_text(const std::vector<search_tree>& trees) {
  std::vector<std::vector<std::string>> rows{{"strategy", "concept", "title",
                                              "versions", "iteration", "best",
                                              "reward"}};
  for (const auto& tree : trees) {
    const auto best = best_of(tree);
    const auto found =
        std::ranges::find_if(tree.nodes, [&](const node_record& item) {
          return item.id.value == best;
        });
    rows.push_back(
        {single_line(tree.strategy), std::to_string(tree.about.id.value),
         single_line(tree.about.title),
         tree.nodes.empty() ? "-" : std::to_string(tree.nodes.size()),
         std::to_string(tree.iteration), best < 0 ? "-" : std::to_string(best),
         found == tree.nodes.end() ? "-" : reward_text(*found)});
  }
  return rows.size() > 1 ? fitted_table(rows)
                         : std::string{"no concept is on record yet\n"};
}

bool is_wanted(const search_tree& tree, const tree_arguments& arguments) {
  return (arguments.strategy.empty() || tree.strategy == arguments.strategy)
         && (arguments.concept_number < 0
             || tree.about.id.value == arguments.concept_number);
}

/// Said of a run without a tree, because its learner searches none; else empty.
std::string without_trees(const std::filesystem::path& run,
                          const std::string& asked) {
  const auto whole = run.has_filename() ? run : run.parent_path();
  const auto where =
      run_directory::open(whole.parent_path(), whole.filename().string());
  const auto options = where ? options_of(*where) : where.error();
  const auto learner =
      options ? memory_learner(options->search.learner) : std::string{};
  if (learner.empty()) return {};
  return fmt::format("{} searches no tree; `brewery kb list {}` shows its "
                     "documents",
                     learner, single_line(asked));
}

std::vector<std::string> searches_of(const std::vector<search_tree>& trees) {
  std::vector<std::string> out;
  for (const auto& tree : trees)
    if (std::ranges::find(out, tree.strategy) == out.end())
      out.push_back(tree.strategy);
  return out;
}

/// `searches` are those of the run: one that is misspelt is named, whatever the
/// concept.
error no_such_tree(const tree_arguments& arguments,
                   const std::vector<std::string>& searches) {
  const auto& search = arguments.strategy;
  const bool unknown =
      !search.empty() && std::ranges::find(searches, search) == searches.end();
  const auto near = unknown ? suggest_choice(search, searches) : std::string{};
  return {
      ec::not_found,
      fmt::format("run {} has no tree{}{}{}", arguments.run,
                  unknown || arguments.concept_number < 0
                      ? ""
                      : fmt::format(" of concept {}", arguments.concept_number),
                  search.empty() ? "" : " of the search " + search,
                  near.empty() ? fmt::format("; `brewery tree {}` lists "
                                             "them",
                                             shell_word(arguments.run))
                               : near)};
}

/// Takes the number of a concept, and says what else is given.
std::string check_concept_number(const std::string& text) {
  if (whole_number<std::uint32_t>(text)) return {};
  return fmt::format("'{}' is not the number of a concept; `brewery tree RUN` "
                     "lists them",
                     text);
}

int tree_command(const tree_arguments& arguments) {
  const auto run =
      locate_run(arguments.run, runs_directory(arguments.runs_dir));
  if (!run) return report(run.error());
  auto trees = search_trees(*run);
  if (!trees) return report(trees.error());
  const auto none =
      trees->empty() ? without_trees(*run, arguments.run) : std::string{};
  const bool all = arguments.strategy.empty() && arguments.concept_number < 0;
  if (!none.empty() && !all) return report(error{ec::not_found, none});
  if (!none.empty() && !arguments.json) {
    std::printf("%s\n", none.c_str());
    return exit_ok;
  }
  const bool any = !trees->empty() || !all;
  const auto known = searches_of(*trees);
  std::erase_if(*trees, [&](const search_tree& tree) {
    return !is_wanted(tree, arguments);
  });
  if (any && trees->empty()) return report(no_such_tree(arguments, known));
  std::string text;
  if (arguments.json)
    for (const auto& tree : *trees)
      text += json_line("tree", tree_json(tree));
  else if (arguments.concept_number < 0)
    text = list_text(*trees);
  else
    for (const auto& tree : *trees)
      text += (text.empty() ? "" : "\n") + tree_text(tree);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return exit_ok;
}

} // namespace

void add_tree_command(CLI::App& app, chosen_command& chosen) {
  auto* command = add_command(
      app, "tree", "Show the versions that a search made of a document.",
      tree_footer);
  auto arguments = std::make_shared<tree_arguments>();
  command->add_option("RUN", arguments->run, "Run id or run directory.")
      ->required();
  command
      ->add_option("CONCEPT", arguments->concept_number,
                   "Number of the concept, as `brewery tree RUN` lists it.")
      ->check(check_concept_number);
  command
      ->add_option("--strategy", arguments->strategy,
                   "Only trees of this search; default: all.")
      ->check(not_empty);
  add_runs_dir_option(*command, arguments->runs_dir);
  command->add_flag("--json", arguments->json,
                    "JSON lines on standard output, one for each tree.");
  command->callback([arguments, &chosen] {
    chosen = [arguments] { return tree_command(*arguments); };
  });
}

} // namespace brewery
