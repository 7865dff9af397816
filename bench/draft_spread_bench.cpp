/// How much drafts of one document differ in what they are worth, on the
/// simulated plant: the sealed score of each version of a tree's first
/// expansion, beside the roots of all other concepts, and how much of the
/// spread is luck of the measurement. And what arms end with, without a log.
///
///   draft_spread_bench [SEED] [ITERATIONS] [NOISE] [MAX_RULES]
///                      [TRAIN_TRIALS] [EVAL_TASKS] [EVAL_SPLIT] [WRITES]

#include "envs/plant/plant.hpp"
#include "tests/fixtures/inline_search.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>

using namespace brewery;
using namespace brewery::test;

namespace {

constexpr std::uint32_t trials = 1; ///< of a sealed task
constexpr std::size_t drafts = 5;
constexpr std::size_t looked_at = 6; ///< concepts
constexpr std::size_t own_tasks = 12;

struct setting {
  plant_settings plant;
  brew_settings search;
  retrieval_options retrieval;
  agent_options agent;
  integrator_options integrator;

  inline_search make(const std::shared_ptr<const benchmark>& source) const {
    return {source, search,
            procedural_roles(agent, retrieval, integrator, 1024), retrieval};
  }
};

setting scarce(std::uint64_t seed) {
  setting out;
  out.plant.seed = seed;
  out.plant.machines = 64;
  out.plant.families = 10;
  out.plant.eval = 768;
  out.plant.test = 480;
  out.plant.strong = 1;
  out.search.seed = seed;
  out.search.learner.initial_trials = 30;
  out.search.learner.tree.weights = {0.8, 0.2};
  out.retrieval.per_observation = false;
  out.retrieval.when_stuck = true;
  out.agent.max_calls = 60;
  out.integrator.drafts = "varied";
  out.integrator.max_rules = 6;
  return out;
}

void take_tasks(setting& how, const benchmark& source) {
  how.search.fingerprint = source.fingerprint();
  how.search.train = tasks_of(source, "train");
  how.search.eval = tasks_of(source, "eval");
}

double mean(const std::vector<double>& all) {
  double sum = 0;
  for (const double one : all)
    sum += one;
  return sum / static_cast<double>(all.size());
}

double variance(const std::vector<double>& all) {
  double sum = 0;
  for (const double one : all)
    sum += (one - mean(all)) * (one - mean(all));
  return sum / static_cast<double>(all.size() - 1);
}

/// Share of the tasks that score a concept's versions in which its machine is
/// at all.
double own_share(const benchmark& source, const concept_record& record) {
  const auto machine = record.title.substr(record.title.rfind(' ') + 1);
  double own = 0;
  for (const auto& id : record.eval_tasks) {
    auto env = source.make(id);
    for (const auto& tool : (*env)->tools())
      if (tool.name.ends_with("_" + machine)) {
        ++own;
        break;
      }
  }
  return own / static_cast<double>(record.eval_tasks.size());
}

/// The sealed tasks that a machine is in: their tools have its name, which is
/// the last word of a title.
std::vector<learner_task> about(const benchmark& source,
                                const std::string& title) {
  const auto machine = title.substr(title.rfind(' ') + 1);
  std::vector<learner_task> out;
  for (auto& task : tasks_of(source, "test")) {
    auto env = source.make(task.id);
    for (const auto& tool : (*env)->tools())
      if (tool.name.ends_with("_" + machine)) {
        out.push_back(std::move(task));
        break;
      }
    if (out.size() == own_tasks) break;
  }
  return out;
}

void spread(setting how) {
  how.search.learner.iterations = 1;
  how.search.learner.tree.candidates = drafts;
  how.search.learner.tree.max_width = drafts;
  const auto source = plant::make_plant(how.plant);
  take_tasks(how, *source);
  auto search = how.make(source);
  search.run();
  double own = 0;
  for (const auto& [id, tree] : search.trees())
    own += own_share(*source, tree.about());
  fmt::print("{:.0f} % of the tasks that score a document have its machine\n",
             100 * own / static_cast<double>(search.trees().size()));
  double between = 0, luck = 0, gain = 0, newest = 0;
  std::size_t count = 0;
  for (const auto& [id, tree] : search.trees()) {
    if (count == looked_at) break;
    const auto tasks = about(*source, tree.about().title);
    if (tasks.size() < 2 || tree.nodes().size() < 3) continue;
    ++count;
    auto base = search.gathers().front().current;
    std::vector<double> values, seen;
    std::vector<double> noise;
    for (const auto& node : tree.nodes().nodes()) {
      std::erase_if(
          base, [&id = id](const auto& one) { return one.concept_ref == id; });
      base.push_back({id, node.hash});
      std::vector<double> scores;
      for (const auto& task : tasks)
        scores.push_back(search.score({task}, trials, base));
      values.push_back(mean(scores));
      seen.push_back(node.reward);
      noise.push_back(variance(scores) / static_cast<double>(scores.size()));
    }
    between += variance(values);
    luck += mean(noise);
    const auto best = std::max_element(seen.begin(), seen.end()) - seen.begin();
    gain += values[static_cast<std::size_t>(best)] - values.front();
    newest += values.back() - values.front();
    fmt::print("{:12} root {:.2f} drafts", tree.about().title, values.front());
    for (std::size_t i = 1; i < values.size(); ++i)
      fmt::print(" {:.2f}{}", values[i],
                 static_cast<std::ptrdiff_t>(i) == best ? "*" : "");
    fmt::print("\n");
  }
  const auto n = static_cast<double>(count);
  fmt::print("sd between drafts {:.3f}, of one sealed mean {:.3f}; chosen by "
             "reward {:+.3f} over root, last draft {:+.3f}\n",
             std::sqrt(between / n), std::sqrt(luck / n), gain / n, newest / n);
}

void arm(setting how, const std::string& name, std::uint32_t iterations) {
  const auto began = std::chrono::steady_clock::now();
  const auto source = plant::make_plant(how.plant);
  take_tasks(how, *source);
  how.search.learner.iterations = iterations;
  auto search = how.make(source);
  search.run();
  const auto jobs = search.jobs_run();
  const auto test = tasks_of(*source, "test");
  const auto& last = search.gathers().back().current;
  const std::chrono::duration<double> spent =
      std::chrono::steady_clock::now() - began;
  fmt::print("{:18} test {:.3f} (no KB {:.3f}) documents {} jobs {} in {:.1f} "
             "s\n",
             name, search.score(test, trials, last),
             search.score(test, trials, {}), last.size(), jobs, spent.count());
  std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto word = [&](std::size_t i, const char* usual) {
    return i < words.size() ? words[i] : std::string{usual};
  };
  auto how = scarce(std::stoull(word(0, "1")));
  const auto iterations = static_cast<std::uint32_t>(std::stoul(word(1, "6")));
  how.plant.grade_noise = std::stod(word(2, "0.15"));
  how.integrator.max_rules =
      static_cast<std::uint32_t>(std::stoul(word(3, "6")));
  how.search.learner.train_trials =
      static_cast<std::uint32_t>(std::stoul(word(4, "1")));
  auto& chosen = how.search.eval_choice;
  chosen.min_per_concept = chosen.max_per_concept =
      static_cast<std::uint32_t>(std::stoul(word(5, "16")));
  how.plant.eval = static_cast<std::uint32_t>(std::stoul(word(6, "768")));
  how.agent.explore_writes =
      static_cast<std::uint32_t>(std::stoul(word(7, "4")));
  spread(how);
  arm(how, "roots", 0);
  arm(how, "mcts", iterations);
  auto& tree = how.search.learner.tree;
  tree.how = strategy::greedy;
  arm(how, "greedy", iterations);
  tree.how = strategy::iterative;
  arm(how, "iterative", iterations * 2);
  tree.publish_newest = true;
  arm(how, "newest unselected", iterations * 2);
}
