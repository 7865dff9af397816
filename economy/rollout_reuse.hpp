#pragma once
/// Decides which rollouts are played. A rollout depends on its task, its draws
/// and what its agent reads. So if the retrievals of a finished rollout,
/// replayed against another knowledge base, show an agent the same, its outcome
/// stands for that knowledge base too (docs/economy.md); and, if its agent says
/// that it drew nothing, for other trials. Owned by the ledger's actor. No
/// clock, I/O or actor: jobs and results in, orders out. PURE.
///
/// While a rollout is played, others that may turn out to read the same wait
/// for it: those whose replay leaves what is known at the same place. Where
/// retrieval is by vectors, rollouts whose replay lacks one are held until its
/// owner has asked an embedder for it.

#include "economy/reading.hpp"
#include "economy/replay_index.hpp"
#include "economy/trace_tree.hpp"
#include "messages/job_msgs.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace brewery {

/// Where the log of another run has a rollout.
struct earlier_place {
  std::string run; ///< its id
  std::string folder;
  std::uint64_t event = 0;
};

struct reuse_options {
  replay_options replay;
  double audit_share = 0;
  /// All is forgotten when so many questions are known: some 100 bytes each.
  std::size_t max_questions = 1'000'000;
  /// Judge and reflector look at an attempt and its grade, and at nothing else:
  /// where nothing was drawn, a rollout with reflection may stand for others.
  bool reflections = false;
  /// Reads what `know` was told of, whole. Empty: it is told nothing.
  std::function<result<rollout_result>(const earlier_place&)> read_earlier{};
};

/// A rollout that was played and compared with one that read the same.
struct reuse_check {
  job_id id;
  std::string differs; ///< in one line; empty: they are equal
};

/// What the owner must do.
struct reuse_step {
  std::vector<job> play;
  std::vector<rollout_result> stand; ///< for jobs that are not played
  std::vector<reuse_check> checked;  ///< to be recorded
  /// Texts whose vectors are wanted; each goes to `embedded`.
  std::vector<std::string> embed{};
};

class rollout_reuse {
public:
  rollout_reuse(std::shared_ptr<const reader> how,
                std::shared_ptr<const document_store> documents,
                reuse_options options);

  /// A job that has no result yet. It is played, stands, or waits and comes
  /// back with a later step.
  reuse_step ask(job work);

  /// Whether `played` has a use for the result of this job.
  [[nodiscard]] bool expects(const job_id& id) const {
    return playing_.contains(id) || waiting_.contains(id)
           || held_for_.contains(id);
  }
  /// A job's result, as it is in the log, with its trajectory.
  reuse_step played(const job_result& whole);
  /// A played job has no result.
  reuse_step failed(const job_id& id);

  /// A rollout from the log, of a job that is asked for again.
  reuse_step recall(const rollout_job& work, const job_result& whole);
  /// A text that was wanted has its vector; null: it can have none.
  reuse_step embedded(const std::string& text, text_vector made);

  /// A rollout that another run has played. It stands as a copy: with its
  /// trajectory, and the documents that this run's agent would be shown. `like`
  /// has task, trial, seed and fingerprint of the jobs that it may stand for;
  /// its documents are among `texts`. At most half of the memory is for these.
  /// Returns whether it is known now. Call it before `ask`.
  bool know(const rollout_job& like, const rollout_result& whole,
            const document_store& texts, earlier_place where);

  /// From now on nothing waits. Returns what did.
  std::vector<job_id> stop();

  /// How often all was forgotten because memory was full.
  [[nodiscard]] std::uint64_t forgotten() const { return forgotten_; }

private:
  /// About what a question takes in memory.
  static constexpr std::size_t question_bytes = 100;

  struct outcome {
    rollout_result brief;                     ///< without its trajectory
    std::string trajectory;                   ///< hash
    std::optional<earlier_place> elsewhere{}; ///< of another run
    /// With reflection (`kept_insights`). Empty: it stands for none that needs
    /// them, because its agent drew: training seldom repeats a trial.
    std::string insights{};
    /// The first query, by which a result with vectors ranks all concepts.
    std::optional<std::uint32_t> first_query{};
  };
  /// A rollout that is played, with those that wait for it.
  struct open_rollout {
    trace_tree::frontier at;
    std::vector<job> waiting;
  };
  struct sample {
    bool reflected = false; ///< are its rollouts?
    trace_tree known;
    std::vector<std::shared_ptr<const outcome>> outcomes; ///< by leaf
    std::map<job_id, open_rollout> open;
    bool refused = false; ///< never reused: the agent does not repeat itself
    /// The last one that was played taught nothing, because its environment
    /// broke or its worker does not say when it drew. To wait for the next one
    /// may be as vain, and its time is lost.
    bool in_vain = false;
  };
  struct being_played {
    std::string sample;
    bool reflected = false;
    std::shared_ptr<const outcome> expected; ///< null: it is no audit
    std::vector<concept_id> ranking{};       ///< likewise expected
  };

  void place(reuse_step& out, const std::string& key, sample& of, job work);
  void place_at(reuse_step& out, const std::string& key,
                std::shared_ptr<const outcome>& known, job work,
                replayed_kb& kb);
  [[nodiscard]] bool may_be_reused(const rollout_job& work) const;
  [[nodiscard]] std::string key_of(const rollout_job& work) const;
  sample& sample_at(const std::string& key, const rollout_job& work);
  trace_tree::place replay(const sample& of, const rollout_job& work,
                           replayed_kb& kb, std::vector<std::string>& lacking);
  [[nodiscard]] bool is_audited(const job_id& id) const;
  result<rollout_result> copy_of(const outcome& known, const rollout_job& work,
                                 replayed_kb& kb);
  std::optional<std::vector<trace_step>> trace_of(const rollout_result& rollout,
                                                  const document_store& texts);
  /// Returns whether more is known now, or it is known that nothing stands.
  /// `audit`: what it was played for; null: for its own sake.
  bool learn(reuse_step& out, sample& of, const rollout_result& whole,
             const being_played* audit);
  void want(reuse_step& out, const std::string& text);
  void hold(reuse_step& out, job work, const std::vector<std::string>& lacking);
  std::optional<job> unhold(const job_id& id);
  static std::optional<std::uint32_t>
  first_query_in(const std::vector<trace_step>& trace);
  static std::string difference(const sample& of, trace_tree::leaf leaf,
                                const outcome* expected, const outcome& made);
  void release(reuse_step& out, const std::string& key, const job_id& ended);
  void unwait(const job_id& id);
  void forget();

  std::shared_ptr<const reader> how_;
  std::shared_ptr<const document_store> documents_;
  reuse_options options_;
  std::shared_ptr<known_vectors> vectors_;
  replay_indexes indexes_;
  text_numbers queries_, reads_;
  std::map<std::string, sample> samples_;
  std::map<job_id, being_played> playing_;
  std::map<job_id, std::string> waiting_; ///< with their samples
  std::set<std::string> wanted_;          ///< texts that are being embedded
  std::set<std::string> unembeddable_;
  std::map<std::string, std::vector<job>> held_; ///< by what they lack first
  std::map<job_id, std::string> held_for_;
  std::size_t questions_ = 0;
  bool stopped_ = false;
  std::uint64_t forgotten_ = 0;
};

} // namespace brewery
