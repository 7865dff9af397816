#include "run/setup/estimate.hpp"

#include "envs/osworld/osworld_benchmark.hpp"
#include "messages/memory/agent_kb_steps.hpp"
#include "roles/roles.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace brewery {

range& range::operator+=(const range& other) {
  low += other.low;
  high += other.high;
  return *this;
}

range operator*(const range& a, const range& b) {
  return {a.low * b.low, a.high * b.high};
}

namespace {

range sum(range a, const range& b) {
  return a += b;
}

range times(const range& a, double factor) {
  return {a.low * factor, a.high * factor};
}

const std::string& kind_of_role(const config& options,
                                const std::string& role) {
  static const std::string none;
  if (role == "agent") return options.agent.kind;
  if (role == "grounder" && options.agent.format == "gta1")
    return options.agent.kind;
  if (role == "user") return options.user.kind;
  if (role == "reflector") return options.reflector.kind;
  if (role == "integrator") return options.integrator.kind;
  if (role == "judge") return options.judge.kind;
  if (role == "statement_judge") return options.statement_judge.kind;
  if (role == "embedder") return options.embedder.kind;
  if (role == "memory" && options.has_memory()) return options.memory.kind;
  return none;
}

constexpr std::array roles{"agent",      "grounder",        "user",
                           "judge",      "statement_judge", "reflector",
                           "integrator", "embedder",        "memory"};

/// Turns of an attempt. One at a spreadsheet ends with its last turn, too.
double turns_max(const config& options) {
  const auto& environment = options.environment;
  return environment.kind == "spreadsheet"
             ? std::min(options.agent.max_calls, environment.spreadsheet.turns)
             : options.agent.max_calls;
}

/// A role that is asked in each turn of an attempt. The user answers some
/// turns, and speaks first. GTA1 draws plans and has one chosen, then asks for
/// up to two places on the screen.
struct attempt_role {
  const char* role;
  double calls; ///< at most, in a turn
  double more;  ///< beside them

  [[nodiscard]] double calls_max(const config& options) const {
    return turns_max(options) * calls + more;
  }
};

std::array<attempt_role, 3> roles_of_an_attempt(const agent_options& agent) {
  const double plans = agent.format == "gta1" ? agent.plans : 1;
  return {attempt_role{"agent", plans > 1 ? plans + 1 : plans, 0},
          attempt_role{"grounder", 2, 0}, attempt_role{"user", 1, 1}};
}

/// The mean over the calls of a job with few and with many calls.
range prompt_per_call(const role_use& each) {
  const auto mean = [&](double calls) {
    return each.prompt_tokens
           + each.growth_tokens * std::max(0.0, calls - 1) / 2;
  };
  return {mean(each.calls.low), mean(each.calls.high)};
}

/// The versions that fit below a root.
double capacity(const search_options& tree) {
  double out = 0, level = 1;
  for (std::uint32_t depth = 0; depth < tree.max_depth && level < 1e9; ++depth)
    out += level *= tree.max_width;
  return out;
}

/// The candidates that one tree draws under this strategy. Least: all are
/// duplicates, so only the root can be expanded, or all are new, and the tree
/// is full before the end. Most: the width grows with every candidate.
range candidates_of_tree(const learner_options& search,
                         const std::string& how) {
  const auto& tree = search.tree;
  const double iterations = search.iterations;
  if (how == to_string(strategy::iterative))
    return {tree.iterative_keeps_depth
                ? std::min<double>(iterations, tree.max_depth)
                : iterations,
            iterations};
  const double wanted =
      1.0 * std::min(tree.candidates, tree.max_width) * tree.expansions;
  double room = tree.max_width;
  range out{std::min(iterations * std::min(wanted, room), capacity(tree)), 0};
  for (std::uint32_t i = 0; i < search.iterations; ++i) {
    const double drawn = std::min(wanted, room);
    out.high += drawn;
    room += drawn * (tree.max_width - 1);
  }
  return out;
}

/// The same for all strategies. Those that find the same documents share all
/// work, so the low end is that of the one that draws most.
range candidates_of_tree(const learner_options& search) {
  range out;
  for (const auto& how : search.strategies) {
    const auto drawn = candidates_of_tree(search, how);
    out = {std::max(out.low, drawn.low), out.high + drawn.high};
  }
  return out;
}

/// What a tree plays to confirm its best versions and to score them again.
/// Least: none is better than the first one, and no document changes. Most: a
/// challenge and two old scores in each iteration, which few exceed. The newest
/// version is published unconfirmed.
range confirmed_by_tree(const config& options, double tasks) {
  if (options.search.tree.publish_newest) return {0, 0};
  const double each = options.economy.confirm
                      + (options.economy.rescore ? options.eval.trials : 0);
  return {0, 2 * options.search.iterations * each * tasks};
}

} // namespace

range job_counts::rollouts() const {
  if (played) return {*played, *played};
  return sum(sum(learning, scoring), testing);
}

namespace {

/// Whether an arm is made of the rollouts with which a search begins.
bool reads_first_rollouts(const config& options) {
  return std::ranges::any_of(options.eval.baselines, [](const auto& arm) {
    return arm == methods::in_context || is_comparator(arm);
  });
}

/// What is played for such arms alone, where learning begins in another way.
double first_rollouts_for_arms(const config& options,
                               const task_counts& tasks) {
  return options.search.final_evaluation && reads_first_rollouts(options)
             ? static_cast<double>(tasks.train) * options.search.initial_trials
             : 0;
}

/// Of Agent KB. Least: surveys and second attempts of the table's arms are one,
/// and the oracle ends each session after its first attempt.
job_counts count_agent_kb(const config& options, const task_counts& tasks,
                          const range& concepts) {
  const auto& how = options.agent_kb;
  const auto train = static_cast<double>(tasks.train);
  const auto trials =
      static_cast<double>(tasks.test) * options.eval.test_trials;
  const double most = how.feedback ? 2 : 1;
  const bool tells = options.search.learner == agent_kb_with_oracle;
  const range attempts{tells ? 1 : most, most};
  const double rounds = how.learn ? how.rounds : 0;
  const double barriers = how.learn ? rounds + 1 : 0;
  job_counts out;
  const auto learned = [&](double in_session) {
    return how.learn
               ? train
                     * (options.search.initial_trials + rounds * in_session
                        + (options.surveys() ? 1 : 0))
               : first_rollouts_for_arms(options, tasks);
  };
  out.learning = {learned(attempts.low), learned(attempts.high)};
  if (how.lessons) out.integrations = times(concepts, barriers);
  double sessions = train * rounds;
  if (options.search.final_evaluation) {
    const auto arms = 1.0 + static_cast<double>(options.eval.baselines.size());
    const auto compared_arms = static_cast<double>(how.compare.size());
    sessions += trials;
    out.testing = {trials * (arms + attempts.low),
                   trials * (arms + attempts.high + 2 * compared_arms)
                       + static_cast<double>(tasks.test)};
  }
  // Two steps before an attempt, two before the second; the last may be saved.
  out.memory = {train * barriers + sessions * 2,
                train * barriers + sessions * 2 * attempts.high};
  out.embeddings = {sessions, sessions * 3 + train * barriers};
  return out;
}

/// Of MUSE: after a batch each application that was touched is distilled, or
/// refined by the integrator's model if it has changed. Attempts on a model
/// bring lessons of their own, so nobody reflects on them.
job_counts count_muse(const config& options, const task_counts& tasks,
                      const range& concepts) {
  const auto& how = options.muse;
  const double learned = static_cast<double>(tasks.train) * how.iterations;
  const double barriers =
      std::ceil(static_cast<double>(tasks.train) / how.batch) * how.iterations;
  job_counts out;
  const double first = first_rollouts_for_arms(options, tasks);
  out.learning = {learned + first, learned + first};
  if (options.integrator.kind == "llm") out.reflected = {first, first};
  out.integrations = {0, barriers * concepts.high};
  if (options.search.final_evaluation) {
    const auto trials =
        static_cast<double>(tasks.test) * options.eval.test_trials;
    const auto arms = 3.0 + static_cast<double>(options.eval.baselines.size());
    out.testing = {trials * arms, trials * arms};
  }
  return out;
}

job_counts count_learner(const config& options, const task_counts& tasks,
                         const range& concepts) {
  if (options.search.learner == "muse")
    return count_muse(options, tasks, concepts);
  if (options.search.learner != "brew")
    return count_agent_kb(options, tasks, concepts);
  const auto& search = options.search;
  const auto train = static_cast<double>(tasks.train);
  const auto eval = static_cast<double>(tasks.eval);
  const double most_tasks =
      std::min<double>(options.eval.max_per_concept, eval);
  const range scored{std::min<double>(options.eval.min_per_concept, eval)
                         * options.eval.trials,
                     most_tasks * options.eval.trials};
  job_counts out;
  const auto strategies = static_cast<double>(search.strategies.size());
  const auto first = train * search.initial_trials;
  if (search.strategies.empty() && reads_first_rollouts(options))
    out.learning = {first, first};
  if (!search.strategies.empty()) {
    // All trees make rollouts under one knowledge base, so one rollout serves
    // all concepts of a task, unless each has its own selected version in it.
    const double again = search.iterations * search.train_trials;
    const double bases = search.train_on_selected ? concepts.high : 1;
    out.learning = {first + again * std::min(train, 1.0),
                    first + again * train * bases * strategies};
    // For the concepts, then for new sentences and topics of each tree.
    out.embeddings = {1, 2 + search.iterations * concepts.high * strategies};
    const auto roots = concepts;
    const auto candidates = concepts * candidates_of_tree(search);
    out.integrations = sum(roots, candidates);
    // Roots are scored before the first iteration. The low end assumes that
    // most candidates are duplicates or reuse rollouts.
    out.scoring = {(candidates * scored).low / 4,
                   (sum(roots, candidates) * scored).high};
    out.scoring += times(confirmed_by_tree(options, most_tasks),
                         concepts.high * strategies);
  }
  if (search.final_evaluation) {
    const auto each =
        static_cast<double>(tasks.test) * options.eval.test_trials;
    const auto others =
        1.0 + static_cast<double>(options.eval.baselines.size());
    out.testing = {each * (others + std::min(strategies, 1.0)),
                   each * (others + strategies)};
    // At most every test task reads every document.
    if (options.eval.leave_one_out && strategies > 0)
      out.testing.high += each * concepts.high;
  }
  return out;
}

/// Each first rollout is recorded; notes of a model evolve one by one, but for
/// those without neighbours.
range comparator_steps_of(const config& options, const task_counts& tasks) {
  range out;
  if (!options.search.final_evaluation) return out;
  const auto first =
      static_cast<double>(tasks.train) * options.search.initial_trials;
  for (const auto& arm : options.comparators()) {
    const bool evolves =
        arm == comparators::a_mem && options.memory.kind == "llm";
    out += {first, evolves ? 2 * first : first};
  }
  return out;
}

} // namespace

job_counts count_jobs(const config& options, const task_counts& tasks,
                      const range& concepts) {
  auto out = count_learner(options, tasks, concepts);
  out.memory += comparator_steps_of(options, tasks);
  return out;
}

namespace {

/// Queries of an attempt, at most. A model that talks with a user retrieves
/// after each of its turns, whatever the option says, and who acts on a desktop
/// does so once.
double queries_max(const config& options) {
  if (options.environment.kind == osworld::benchmark_name) return 1;
  const bool talks = options.agent.kind == "llm"
                     && (options.user.kind == "llm"
                         || options.environment.kind == "tau2-official");
  return talks || options.retrieval.per_observation ? turns_max(options) + 1
                                                    : 1;
}

/// The embedder's calls for retrieval by vectors: one for each text that
/// differs. Least: every rollout asks what another asked. Most: none does.
range retrieval_calls(const config& options, const job_counts& jobs) {
  if (!options.retrieval.needs_vectors()) return {};
  const double queries = queries_max(options);
  return {jobs.integrations.low,
          jobs.integrations.high + queries * jobs.rollouts().high};
}

} // namespace

range jobs_of(const std::string& role, const job_counts& jobs) {
  if (role == "reflector" || role == "judge")
    return jobs.reflected.value_or(jobs.learning);
  if (role == "integrator") return jobs.integrations;
  if (role == "embedder") return jobs.embeddings;
  if (role == "memory") return jobs.memory;
  return jobs.rollouts();
}

std::vector<role_estimate>
estimate_roles(const config& options, const job_counts& jobs,
               const std::map<std::string, role_use>& use,
               const std::map<std::string, token_price>& prices) {
  std::vector<role_estimate> out;
  const bool joined = in_one_call(options.judge, options.reflector);
  for (const std::string role : roles) {
    if (kind_of_role(options, role) != "llm") continue;
    const auto known = use.find(role);
    if (known == use.end() || (joined && role == "judge")) continue;
    auto each = known->second;
    // Its call also has the judge's ratings, if they were counted apart.
    if (const auto judge = use.find("judge");
        joined && role == "reflector" && judge != use.end())
      each.reply_tokens += judge->second.reply_tokens;
    role_estimate item;
    item.role = role;
    item.calls = jobs_of(role, jobs) * each.calls;
    if (role == "embedder") item.calls += retrieval_calls(options, jobs);
    if (item.calls.high == 0) continue;
    const range prompt = prompt_per_call(each);
    item.tokens =
        item.calls * sum(prompt, {each.reply_tokens, each.reply_tokens});
    item.seconds = times(item.calls, each.seconds);
    if (const auto price = prices.find(role); price != prices.end()) {
      const auto usd_per_call = [&](double prompt_tokens) {
        const auto& tokens = price->second;
        return ((prompt_tokens - each.cached_tokens)
                    * static_cast<double>(tokens.prompt)
                + each.cached_tokens * static_cast<double>(tokens.cached)
                + each.reply_tokens * static_cast<double>(tokens.completion))
               / static_cast<double>(picodollars_per_dollar);
      };
      item.cost_usd =
          item.calls
          * range{usd_per_call(prompt.low), usd_per_call(prompt.high)};
    }
    out.push_back(std::move(item));
  }
  return out;
}

std::map<std::string, role_use> assumed_use(const config& options) {
  std::map<std::string, role_use> use{
      {"agent", {{6, 0}, 4'000, 0, 150, 3, 250}},
      {"grounder", {{3, 0}, 2'000, 0, 20, 1}},
      {"user", {{4, 0}, 1'500, 0, 60, 2, 150}},
      {"judge", {{1, 2}, 6'000, 0, 500, 8}},
      {"statement_judge", {{0, 1}, 4'000, 0, 300, 6}},
      {"reflector", {{1, 2}, 6'000, 0, 700, 10}},
      {"integrator", {{1, 2}, 6'000, 0, 1'500, 20}},
      {"embedder", {{1, 50}, 3'000, 0, 0, 1}},
      {"memory", {{1, 2}, 6'000, 0, 500, 8}},
  };
  const auto each_turn = roles_of_an_attempt(options.agent);
  use["agent"].calls.low *= each_turn.front().calls;
  for (const auto& one : each_turn)
    use[one.role].calls.high = one.calls_max(options);
  limit_use(options, use);
  return use;
}

void limit_use(const config& options, std::map<std::string, role_use>& use) {
  for (const auto& one : roles_of_an_attempt(options.agent))
    if (const auto found = use.find(one.role); found != use.end()) {
      const auto most = one.calls_max(options);
      auto& calls = found->second.calls;
      calls = {std::min(calls.low, most), std::min(calls.high, most)};
    }
}

} // namespace brewery
