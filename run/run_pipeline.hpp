#pragma once
/// The steps of one run on a run executor: searches, the final evaluation, the
/// files. Used by one thread.

#include "learners/learner_machine.hpp"
#include "run/run_lifecycle.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace brewery {

class run_pipeline {
public:
  run_pipeline(run_inputs& in, const problem& what, fingerprints prints,
               document_store& documents, run_executor& machine)
      : in_(in), what_(what), prints_(std::move(prints)), documents_(documents),
        machine_(machine) {}

  result<run_summary> run(const run_record& started);

  /// Writes documents and report of a finished run.
  result<void> write(run_summary& summary);

  /// Writes the last gathered documents of a run that could not end. Writes
  /// nothing if nothing was gathered.
  result<void> write_unfinished();

private:
  [[nodiscard]] run_facts facts() const;
  /// Tells the board how much is planned.
  void announce();
  [[nodiscard]] std::uint64_t rollouts_per_arm() const;
  result<std::vector<search_outcome>> search();
  result<void> evaluate(run_summary& summary);
  /// The arms that a learner serves, beside those of fixed documents.
  result<std::vector<evaluation_record>> serve();
  /// `whole`: the arm of the published documents, and what it measured.
  result<void> leave_one_out(run_summary& summary, const evaluation_arm& whole,
                             const evaluation_record& measured);
  /// Those of train tasks with which a search begins, for a run that has none:
  /// examples come from them.
  result<void> play_first_rollouts(const brew_settings& settings);
  /// What a comparator makes of these rollouts, and plays them if need be.
  result<std::vector<doc_ref>> memory_of(const std::string& comparator,
                                         const brew_settings& settings);
  /// Gives the arm what the package of the memory port finds for each test
  /// task.
  result<void> recall_for(evaluation_arm& arm,
                          const std::vector<doc_ref>& told);
  /// In the order in which they are shown.
  result<std::vector<evaluation_arm>> arms_of(const run_summary& summary);

  run_inputs& in_;
  const problem& what_;
  fingerprints prints_;
  document_store& documents_;
  run_executor& machine_;
  std::unique_ptr<learner> learner_; ///< null: BREW
};

} // namespace brewery
