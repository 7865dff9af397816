#pragma once
/// The actor around the phases of one search. It owns the gathered best
/// knowledge base, makes one tree actor per concept (linked: they end with it),
/// closes the gather barrier and puts each decision on record before it acts
/// on it: what a gather leads to waits until its record is on disk, because
/// with a quorum nothing else says which trees were late.

#include "actors/interfaces.hpp"
#include "actors/probes.hpp"
#include "actors/progress.hpp"
#include "coordinator/phases.hpp"

#include <chrono>
#include <deque>
#include <functional>
#include <map>

namespace brewery {

struct coordinator_inputs {
  std::string strategy;
  std::shared_ptr<const brew_settings> settings;
  std::shared_ptr<document_store> documents;
  ledger_actor ledger;
  std::shared_ptr<progress_board> board;
  std::size_t workers = 1;
  std::vector<gather_record> recorded; ///< before a resume
  /// When a barrier closes; may be empty.
  std::function<void(const barrier_sample&, const gather_record&)> on_barrier;
};

struct coordinator_state {
  static inline const char* name = "coordinator";
  coordinator_inputs in;
  std::unique_ptr<brew_phases> phases;
  std::map<concept_id, tree_actor> trees;
  std::deque<phase_step> steps; ///< to be carried out, oldest first
  bool recording = false;       ///< they wait for a gather's record
  std::vector<gather_record> gathers;
  gathered_versions gathered;
  std::vector<caf::typed_response_promise<search_outcome>> waiting; ///< 0..1
  std::map<concept_id, document_outcome> outcomes;
  std::chrono::steady_clock::time_point iteration_began;
  std::chrono::steady_clock::time_point first_report; ///< of the open barrier
};

coordinator_actor::behavior_type
coordinator(coordinator_actor::stateful_pointer<coordinator_state> self,
            std::shared_ptr<coordinator_inputs> inputs);

} // namespace brewery
