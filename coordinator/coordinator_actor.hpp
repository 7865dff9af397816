#pragma once
/// The actor around the phases of one search. It owns the current knowledge
/// base and makes one tree actor per concept (linked: they end with it). It
/// closes the gather barrier. It journals each decision before it acts on it.
/// What follows a gather waits until the gather's record is on disk, because
/// with a quorum only this record says which trees were late.

#include "actors/barrier_sample.hpp"
#include "actors/interfaces.hpp"
#include "actors/progress.hpp"
#include "coordinator/phases.hpp"
#include "coordinator/search_saver.hpp"

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <optional>

namespace brewery {

struct coordinator_inputs {
  std::string strategy;
  std::shared_ptr<const brew_settings> settings;
  std::shared_ptr<document_store> documents;
  ledger_actor ledger;
  std::shared_ptr<progress_board> board;
  /// Slots times seconds until now, for barriers' figures; see slot_meter. May
  /// be empty: no figures.
  std::function<double(std::chrono::steady_clock::time_point)> slot_seconds;
  std::vector<gather_record> recorded; ///< gathers from before a resume
  /// A search to continue after its last gather: its trees, in concept order.
  std::optional<search_mark> continue_after;
  std::vector<std::shared_ptr<concept_search>> trees;
  std::vector<gather_record> gathered; ///< until then, oldest first
  /// What to continue after is another search's: its decisions are put on
  /// record as if they had been made here.
  bool begins_alike = false;
  std::shared_ptr<search_saver> saver; ///< null: nothing is saved
  /// Ends the search with ec::cancelled once this barrier is on record.
  std::optional<std::uint32_t> hold_after;
  /// Called when a barrier closes; may be empty.
  std::function<void(const barrier_sample&, const gather_record&)> on_barrier;
  /// Called for a concept that gets no tree; may be empty.
  std::function<void(const dropped_concept&)> on_dropped;
};

struct coordinator_state {
  static inline const char* name = "coordinator";
  coordinator_inputs in;
  std::unique_ptr<brew_phases> phases;
  std::map<concept_id, tree_actor> trees;
  std::deque<phase_step> steps; ///< to carry out, oldest first
  bool recording = false;       ///< steps wait for the record of a gather
  std::vector<gather_record> gathers;
  std::size_t unsaved = 0; ///< trees that have not saved the last gather
  gathered_versions gathered;
  std::optional<caf::typed_response_promise<search_outcome>> waiting;
  std::map<concept_id, document_outcome> outcomes;
  std::chrono::steady_clock::time_point iteration_began;
  double slot_seconds_before = 0; ///< when the iteration began
  std::chrono::steady_clock::time_point first_report; ///< at the open barrier
};

coordinator_actor::behavior_type
coordinator(coordinator_actor::stateful_pointer<coordinator_state> self,
            std::shared_ptr<coordinator_inputs> inputs);

} // namespace brewery
