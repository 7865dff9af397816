#pragma once
/// The search of one concept (BREW, arXiv:2511.20297, algorithms 4 and 5) as a
/// state machine. Messages go in; jobs and finally a report come out. Owned by
/// one tree actor. Pure: it never waits, reads no clock and does no I/O.
/// Results may arrive in any order, late or twice; the outcome is the same.
///
/// One iteration t >= 1:
///   1. Select the nodes to expand, mostly one; with economy.rescore after old
///      scores were taken again (concept_rescoring.cpp).
///   2. Run rollouts of Q_train_k under the current KB, with reflection.
///   3. Embed new sentences, merge equal insights, and integrate I_k and the
///      new insights into h candidates of each node (concept_integration.cpp).
///   4. Run rollouts of Q_eval_k on each candidate's hybrid KB, in waves
///      (concept_scoring.cpp; with economy.racing concept_racing.cpp). A
///      candidate's begin when it is written, while others are being written
///      (concept_candidates.cpp).
///   5. Compute and back-propagate the rewards.
///   6. Report the best document; with economy.confirm only once it was not
///      worse than the published one on fresh trials (concept_publishing.cpp).
/// Iteration 0 only evaluates the root, so a search can end with the root as
/// its best document.

#include "kb/knowledge_base.hpp"
#include "learners/brew/version_scoring.hpp"
#include "search/economy_counts.hpp"
#include "search/settled_choice.hpp"

#include <memory>
#include <optional>
#include <set>

namespace brewery {

/// What the caller must do next: run the jobs, deliver the report.
struct search_step {
  std::vector<job> jobs;
  std::optional<expand_report> report; ///< set when the iteration has ended
};

class concept_search {
public:
  /// `documents` holds every document that a message names. It is shared and
  /// only grows.
  concept_search(std::shared_ptr<const brew_settings> settings,
                 formed_concept about, doc_hash root,
                 std::vector<line_evidence> root_evidence,
                 std::shared_ptr<document_store> documents);

  /// The search as a gather left it; its growth follows with `absorb`. Error
  /// ec::corrupt: its nodes form no tree.
  static result<concept_search>
  restored(std::shared_ptr<const brew_settings> settings,
           const saved_tree& from, std::shared_ptr<const concept_places> places,
           std::shared_ptr<document_store> documents);
  result<void> absorb(const tree_growth& growth);

  /// All that has grown, as another search of the run has it that begins where
  /// this one stands. Insights are shared with it.
  struct all_growth {
    told_pool insights;
    insight_vectors vectors;
    std::map<doc_hash, std::vector<line_evidence>> evidence;
  };
  /// After `take_growth`: nothing may be left to give.
  [[nodiscard]] all_growth grown() const;
  /// The same as `absorb` with every growth that was taken, but for the texts
  /// of documents: both searches share their store.
  void absorb(const all_growth& growth);
  /// The next `take_growth` gives all, also what was absorbed: for a snapshot
  /// of its own.
  void give_all_again();

  /// What a snapshot needs between iterations. Growth is what came since the
  /// last call.
  [[nodiscard]] saved_tree saved() const;
  std::vector<tree_growth> take_growth();

  /// Starts an iteration. Ends the previous one if it is still open.
  search_step start(const start_expand& message);

  /// Takes a result. A result that is not expected changes nothing.
  search_step on(const job_result& answer);

  [[nodiscard]] const tree& nodes() const { return tree_; }
  /// The version that was reported last; the root before the first report.
  [[nodiscard]] node_id published() const { return published_; }
  /// Whether it is asking for the fresh trials of a challenge.
  [[nodiscard]] bool confirms() const { return stage_ == stage::confirming; }
  [[nodiscard]] const concept_record& about() const { return about_.record; }
  [[nodiscard]] const insight_pool& insights() const {
    return about_.insights.pool();
  }

  /// The evidence of a document of this tree, by body line.
  [[nodiscard]] const std::vector<line_evidence>&
  evidence_of(const doc_hash& hash) const;

private:
  concept_search(std::shared_ptr<const brew_settings> settings,
                 formed_concept about, tree nodes,
                 std::shared_ptr<document_store> documents);

  enum class stage {
    idle,
    rescoring, ///< a version beside new neighbours
    settling,  ///< stopped evaluations go on, because a choice hangs on them
    training,
    embedding,
    integrating,
    evaluating,
    confirming ///< the best version and the published one, on fresh trials
  };

  struct candidate {
    node_id parent;
    job_id integration;
    bool answered = false;
    std::shared_ptr<const document> written; ///< none if it was given up
    std::vector<line_evidence> evidence;
  };
  /// Of a document that is not in the tree yet.
  struct early_scoring {
    version_scoring played;
    bounds before; ///< of its reward, before anything was asked
  };
  /// The order's knowledge base with this version of the own document.
  [[nodiscard]] knowledge_base hybrid_with(const doc_hash& version) const;
  [[nodiscard]] knowledge_base hybrid_with(node_id version) const;
  search_step choose();
  search_step train();
  search_step end_training();
  search_step take_vectors(const job_result& answer);
  search_step integrate();
  search_step take_candidate(const job_result& answer);
  [[nodiscard]] bool is_certain_to_begin(const bounds& reward) const;
  void score_early(const doc_hash& written, search_step& step);
  search_step adopt_candidates(search_step step);
  search_step evaluate(const std::vector<node_id>& fresh, search_step step);
  search_step take_score(const job_id& job, const rollout_result& rollout);
  search_step next_wave(search_step step = {});
  std::vector<job> ask_wave();
  void ask_wave(version_scoring& of, std::vector<job>& out,
                version_scoring::asking when = version_scoring::asking::now);
  void ask_ahead(std::vector<job>& out);
  [[nodiscard]] std::size_t wave() const;
  [[nodiscard]] bool selects() const;
  [[nodiscard]] bool is_bounded() const;
  [[nodiscard]] bool is_raced() const;
  [[nodiscard]] std::vector<std::size_t> order_of_play() const;
  [[nodiscard]] bool is_over(node_id scored) const;
  void race();
  void race(const std::vector<const version_scoring*>& siblings,
            const std::vector<std::size_t>& order);
  [[nodiscard]] const version_scoring* winner_over(node_id loser) const;
  void absorb_raced();
  void stop_beaten();
  void stop_beaten(const std::vector<contender>& running);
  void stop(const version_scoring& scoring);
  search_step score();
  void absorb(const version_scoring& scoring);
  /// Stages after one whose outcome says what is expanded
  /// (cluster/job_spec.hpp says those of the others).
  static constexpr std::uint32_t before_training = 4;
  search_step go_on_with(const std::vector<node_id>& stopped);
  search_step end_evaluation();
  search_step end_iteration(std::string note);
  /// What must be scored again before anything is chosen; none: nothing.
  std::optional<search_step> rescore();
  [[nodiscard]] bool is_stale(node_id version) const;
  search_step score_again(node_id version);
  search_step end_rescoring();
  search_step confirm(node_id challenger);
  search_step end_confirmation();
  search_step finish(std::string note);

  void take(const shared_value<insight>& item, const rollout_result& made_by);
  void learn(const rollout_result& rollout);
  void learn_unnamed(const std::vector<std::string>& texts,
                     const vector_list& vectors);
  [[nodiscard]] std::vector<insight> without_vector() const;
  [[nodiscard]] integrate_job integration(const node& parent,
                                          told_insights told) const;

  std::shared_ptr<const brew_settings> settings_;
  formed_concept about_;
  std::map<std::string, concept_id> topics_;
  std::shared_ptr<document_store> documents_;
  tree tree_;
  node_id published_ = tree::root();
  std::map<doc_hash, std::vector<line_evidence>> evidence_;
  std::size_t nodes_given_ = 0; ///< to `take_growth`
  std::set<insight_id> vectors_given_;

  stage stage_ = stage::idle;
  start_expand order_;
  std::vector<expansion> chosen_;
  /// Of this iteration, until all are there.
  std::map<job_id, std::optional<rollout_result>> training_;
  std::size_t training_open_ = 0; ///< how many of them are still to come
  std::vector<check_share> missed_;
  insight_pool fresh_; ///< if insights do not accumulate
  std::vector<shared_value<insight>> fresh_sentences_;
  std::vector<rollout_result> unnamed_; ///< insights on topics of no concept
  embed_job embedding_;
  insight_groups groups_;      ///< of the insights that were integrated last
  bool has_sentences_ = false; ///< whether there were any among them
  std::vector<candidate> candidates_; ///< of all chosen nodes, in their order
  std::map<doc_hash, early_scoring> early_; ///< until all are written
  std::vector<version_scoring> scorings_;
  std::set<node_id> beaten_; ///< of them: stopped
  std::set<node_id> raced_;  ///< of them: probably worse than another
  std::map<node_id, stopped_scoring> stopped_;
  /// Of those, until a restart: what need not be computed again.
  std::map<node_id, version_scoring::rank_list> stopped_ranks_;
  hardness hardness_;          ///< of the held-out tasks
  std::set<node_id> rescored_; ///< in this iteration
  std::string note_;           ///< on this iteration, for its report
  economy_counts counts_;
  std::uint32_t added_ = 0, dropped_ = 0;
  double train_success_ = 0;
};

} // namespace brewery
