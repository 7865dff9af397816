#include "config/declare.hpp"

namespace brewery {

option_section search_section() {
  section_of<learner_options> s{
      &config::search, "search",
      "Expand-and-Gather tree search over documents, one tree per concept."};
  s.add(&learner_options::learner, "learner",
        "What turns rollouts into documents.", {.choices = {"brew"}});
  s.add(&learner_options::strategies, "strategies",
        "Searches made from the same concepts, to be compared; the documents "
        "of the first are published. Empty: nothing is learned, only the final "
        "evaluation is made.",
        {.choices = {"mcts", "greedy", "iterative"}});
  s.add(&learner_options::iterations, "iterations",
        "Rounds of expand and gather (M of the paper); 0 stops at the roots.",
        {.unit = "iterations", .min = 0, .max = 10000});
  s.add(at(&learner_options::tree, &search_options::candidates), "candidates",
        "Documents the integrator proposes in one expansion (h of the paper).",
        {.unit = "documents", .min = 1, .max = 1000});
  s.add(at(&learner_options::tree, &search_options::max_width), "max_width",
        "Most children of a node.", {.unit = "nodes", .min = 1, .max = 1000});
  s.add(at(&learner_options::tree, &search_options::max_depth), "max_depth",
        "Most edges from the root to a node.",
        {.unit = "edges", .min = 1, .max = 1000});
  s.add(at(&learner_options::tree, &search_options::exploration), "exploration",
        "Constant c of UCT: larger tries rarely visited nodes sooner.",
        {.min = 0, .max = 100});
  const auto weight = [](double reward_weights::*of) {
    return at(&learner_options::tree, &search_options::weights, of);
  };
  s.add(weight(&reward_weights::correctness), "lambda_correctness",
        "Weight of the mean grade in a candidate's reward; with "
        "lambda_retrieval it makes 1.",
        {.min = 0, .max = 1});
  s.add(weight(&reward_weights::retrieval), "lambda_retrieval",
        "Weight of the retrieval rank (MRR) in a candidate's reward; with "
        "lambda_correctness it makes 1.",
        {.min = 0, .max = 1});
  s.add(&learner_options::initial_trials, "initial_trials",
        "Rollouts of each train task with the empty knowledge base.",
        {.unit = "rollouts", .min = 1, .max = 1000});
  s.add(&learner_options::train_trials, "train_trials",
        "Rollouts of each train task of a concept in every iteration; 0 learns "
        "from the first rollouts only.",
        {.unit = "rollouts", .min = 0, .max = 1000});
  s.add(&learner_options::cluster_threshold, "cluster_threshold",
        "Least mean cosine similarity of two groups of topics that become one "
        "concept; larger makes more concepts.",
        {.min = -1, .max = 1});
  s.add(&learner_options::integrator_temperature, "integrator_temperature",
        "How much the candidates of one expansion differ.",
        {.min = 0, .max = 2});
  s.add(&learner_options::accumulate_insights, "accumulate_insights",
        "Keep the insights of earlier iterations when candidates are written.");
  s.add(&learner_options::gather_quorum, "gather_quorum",
        "Share of the trees whose reports close a gather barrier, more than 0; "
        "1 waits for all. Below 1 a late tree's report is folded in at the "
        "next barrier, and as who is late is a matter of timing, the seed "
        "alone no longer repeats the run; a resumed run follows its log.",
        {.min = 0, .max = 1});
  s.add(&learner_options::final_evaluation, "final_evaluation",
        "Open the sealed test split once, after the search.");
  return s.take();
}

option_section eval_section() {
  section_of<eval_options> s{&config::eval, "eval",
                             "Which tasks score a document."};
  s.add(&eval_options::min_per_concept, "min_per_concept",
        "Fewest eval tasks of a concept: the nearest ones fill up.",
        {.unit = "tasks", .min = 1, .max = tasks_max});
  s.add(&eval_options::max_per_concept, "max_per_concept",
        "Most eval tasks of a concept: the nearest ones stay.",
        {.unit = "tasks", .min = 1, .max = tasks_max});
  s.add(&eval_options::trials, "trials",
        "Rollouts of each eval task for a candidate.",
        {.unit = "rollouts", .min = 1, .max = 1000});
  s.add(&eval_options::test_trials, "test_trials",
        "Rollouts of each test task in the final evaluation, for pass^k.",
        {.unit = "rollouts", .min = 1, .max = 1000});
  s.add(&eval_options::similarity, "similarity",
        "Least cosine similarity of an eval task to a concept it scores.",
        {.min = -1, .max = 1});
  s.add(&eval_options::baselines, "baselines",
        "Further arms of the final evaluation, of an agent on a model: "
        "step-back prompting, and successful train rollouts as examples.",
        {.choices = {"step-back", "in-context"}});
  return s.take();
}

} // namespace brewery
