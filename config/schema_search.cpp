#include "config/declare.hpp"

namespace brewery {

option_section search_section() {
  section_of<learner_options> s{
      &config::search, "search",
      "Expand-and-Gather tree search over documents, one tree per concept."};
  s.add(&learner_options::learner, "learner",
        "The method that turns rollouts into documents: brew, agent_kb "
        "([agent_kb]) or muse ([muse]). Of this section the latter two read "
        "final_evaluation, and initial_trials where they or an arm begin with "
        "first rollouts; Agent KB also root_temperature. "
        "With agent_kb_oracle the feedback "
        "of Agent KB is told the grade of the first attempt, also on sealed "
        "tasks: an upper bound, not an honest score.",
        {.choices = {"brew", "agent_kb", "agent_kb_oracle", "muse"}});
  s.add(&learner_options::strategies, "strategies",
        "Search strategies to compare. All start from the same concepts; the "
        "documents of the first are published. Empty: no search, only the "
        "final evaluation.",
        {.choices = {"mcts", "greedy", "iterative"}});
  s.add(&learner_options::iterations, "iterations",
        "Number of expand-and-gather rounds (M in the paper); 0: only root "
        "documents.",
        {.unit = "iterations", .min = 0, .max = 10000});
  s.add(at(&learner_options::tree, &search_options::candidates), "candidates",
        "Number of documents that the integrator proposes in one expansion (h "
        "in the paper). \"width\": as many as max_width leaves below the node, "
        "so one expansion fills it. The strategy iterative always draws one.",
        {.unit = "documents",
         .min = 1,
         .max = 1000,
         .word = named_number{"width", search_options::fill_width}});
  s.add(at(&learner_options::tree, &search_options::expansions), "expansions",
        "Number of nodes that each tree expands in one iteration, after one "
        "round of training rollouts. More give a cluster more to do between "
        "two gathers. The strategy iterative is a chain: it always expands "
        "one.",
        {.unit = "nodes", .min = 1, .max = 1000});
  s.add(at(&learner_options::tree, &search_options::max_width), "max_width",
        "Maximum number of children of a node.",
        {.unit = "nodes", .min = 1, .max = 1000});
  s.add(at(&learner_options::tree, &search_options::max_depth), "max_depth",
        "Maximum depth of a node.", {.unit = "edges", .min = 1, .max = 1000});
  s.add(at(&learner_options::tree, &search_options::iterative_keeps_depth),
        "iterative_keeps_depth",
        "Whether max_depth also limits the strategy iterative, which otherwise "
        "refines its newest document in every iteration.");
  s.add(at(&learner_options::tree, &search_options::publish_newest),
        "publish_newest",
        "Publish the newest document of each concept, whatever its score: "
        "what a search without selection ends with, for comparison.");
  s.add(at(&learner_options::tree, &search_options::exploration), "exploration",
        "Exploration constant c of UCT. Larger values prefer nodes with few "
        "visits.",
        {.min = 0, .max = 100});
  s.add(at(&learner_options::tree, &search_options::exploration_by_range),
        "exploration_by_range",
        "Whether exploration is multiplied by the range of the rewards in the "
        "tree. UCB1's constant is sqrt 2 without it (docs/algorithm.md).");
  const auto weight = [](double reward_weights::*of) {
    return at(&learner_options::tree, &search_options::weights, of);
  };
  s.add(weight(&reward_weights::correctness), "lambda_correctness",
        "Weight of the mean grade in a candidate's reward. lambda_correctness "
        "+ lambda_retrieval = 1.",
        {.min = 0, .max = 1});
  s.add(weight(&reward_weights::retrieval), "lambda_retrieval",
        "Weight of retrievability (MRR) in a candidate's reward. "
        "lambda_correctness + lambda_retrieval = 1.",
        {.min = 0, .max = 1});
  s.add(&learner_options::initial_trials, "initial_trials",
        "Number of rollouts of each train task with the empty knowledge base.",
        {.unit = "rollouts", .min = 1, .max = 1000});
  s.add(&learner_options::train_trials, "train_trials",
        "Number of rollouts of each train task of a concept in every "
        "iteration; 0: learn from the initial rollouts only.",
        {.unit = "rollouts", .min = 0, .max = 1000});
  s.add(&learner_options::train_on_selected, "train_on_selected",
        "Play the training rollouts of an iteration with the version that is "
        "expanded in place of the concept's best one (equation 5 of the paper; "
        "its algorithm 4 uses the best). With search.expansions above 1: the "
        "first that is expanded.");
  s.add(&learner_options::cluster_threshold, "cluster_threshold",
        "Minimum mean cosine similarity at which two groups of topics become "
        "one concept. Larger values give more concepts. Vectors of a model are "
        "further apart than those of the procedural embedder: 0.5 fits "
        "all-MiniLM-L6-v2.",
        {.min = -1, .max = 1});
  s.add(&learner_options::max_concepts, "max_concepts",
        "Maximum number of concepts, and so of documents: while there are "
        "more, the one with the fewest insights joins the most similar other. "
        "0: no limit.",
        {.unit = "concepts", .min = 0, .max = 100000});
  s.add(&learner_options::merge_similarity, "merge_similarity",
        "Minimum cosine similarity at which two insights of a model are one, "
        "if their words do not contradict it. 1: only equal sentences. "
        "Insights of the procedural reflector are never merged.",
        {.min = 0, .max = 1});
  s.add(&learner_options::root_temperature, "root_temperature",
        "The integrator's temperature for the first document of a concept. "
        "The paper's is 0.7.",
        {.min = 0, .max = 2});
  s.add(&learner_options::integrator_temperature, "integrator_temperature",
        "Variation among the candidates of one expansion.",
        {.min = 0, .max = 2});
  s.add(&learner_options::accumulate_insights, "accumulate_insights",
        "Use the insights of earlier iterations too when candidates are "
        "written.");
  s.add(&learner_options::gather_quorum, "gather_quorum",
        "Share of trees that must report before a gather barrier closes, above "
        "0; 1: all trees. Below 1, a late report is merged at the next "
        "barrier. Which reports are late depends on timing, so the seed alone "
        "does not reproduce the run; a resumed run follows its log.",
        {.min = 0, .max = 1});
  s.add(&learner_options::final_evaluation, "final_evaluation",
        "Evaluate on the test split once, after the search.");
  return s.take();
}

option_section eval_section() {
  section_of<eval_options> s{&config::eval, "eval",
                             "The tasks that score a document."};
  s.add(&eval_options::min_per_concept, "min_per_concept",
        "Minimum number of eval tasks of a concept. The most similar tasks "
        "fill it up.",
        {.unit = "tasks", .min = 1, .max = tasks_max});
  s.add(&eval_options::max_per_concept, "max_per_concept",
        "Maximum number of eval tasks of a concept. The most similar tasks "
        "remain.",
        {.unit = "tasks", .min = 1, .max = tasks_max});
  s.add(&eval_options::trials, "trials",
        "Number of rollouts of each eval task for a candidate.",
        {.unit = "rollouts", .min = 1, .max = 1000});
  s.add(&eval_options::test_trials, "test_trials",
        "Number of rollouts of each test task in the final evaluation, for "
        "pass^k.",
        {.unit = "rollouts", .min = 1, .max = 1000});
  s.add(
      &eval_options::similarity, "similarity",
      "Minimum cosine similarity of an eval task to a concept that it scores.",
      {.min = -1, .max = 1});
  s.add(&eval_options::min_graded, "min_graded",
        "Share of the rollouts of a document that must be graded before it can "
        "be the best. Rollouts whose environment broke are not.",
        {.min = 0, .max = 1});
  s.add(&eval_options::baselines, "baselines",
        "Additional arms of the final evaluation, for an agent of kind llm or "
        "procedural: step-back prompting, and successful train rollouts as "
        "examples (in-context). For the procedural agent they are "
        "counterparts without a prompt. Of all first train rollouts, memories "
        "by the mechanisms of A-Mem and Cognee (a-mem-mechanism, "
        "cognee-mechanism), which the role [memory] writes, and a package of "
        "your choice (memory-port).",
        {.choices = {"step-back", "in-context", "a-mem-mechanism",
                     "cognee-mechanism", "memory-port"}});
  s.add(&eval_options::leave_one_out, "leave_one_out",
        "Whether the final evaluation also plays, for each published document, "
        "the test tasks whose attempts were shown it without that document. "
        "The report then says what each contributes.");
  return s.take();
}

} // namespace brewery
