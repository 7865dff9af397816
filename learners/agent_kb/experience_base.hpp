#pragma once
/// The experiences of Agent KB as they stand between two barriers: what is in,
/// how it did, and how it is found. Owned by one learner. Whatever the order in
/// which candidates are given within a barrier's list, they are admitted in
/// that list's order, so the owner gives them in task and trial order. PURE.

#include "base/ids.hpp"
#include "kb/experience/experience.hpp"
#include "kb/experience/experience_index.hpp"
#include "kb/experience/utility.hpp"
#include "learners/agent_kb/options.hpp"
#include "messages/memory/memory_record.hpp"

#include <map>
#include <vector>

namespace brewery {

struct candidate_experience {
  doc_hash hash; ///< of its Markdown
  experience content;
  facet_vectors facets{};
};

struct held_experience {
  candidate_experience what;
  experience_stats stats;
  std::uint32_t number = 0; ///< of admission, from 0
};

class experience_base {
public:
  explicit experience_base(const agent_kb_options& options)
      : options_(options) {}

  /// Adds the candidate, or finds that it says what another one says: then the
  /// better of the two stays. One whose nearest neighbour solves the same
  /// problem otherwise is its rival, and options.conflicts decides. What was
  /// held before comes back with what it had proved.
  void admit(candidate_experience candidate);

  /// Pairs that wait for an arbiter, in order of admission; none has two.
  std::vector<std::pair<doc_hash, doc_hash>> take_rivals();
  /// Of two that contradict each other the one of higher utility stays.
  void select(const doc_hash& a, const doc_hash& b);
  /// Both become one, which begins with what they have proved. They stay in the
  /// log, and are not found again.
  void merge(const doc_hash& a, const doc_hash& b, candidate_experience both);

  /// An attempt has finished that used these; outcome in [0, 1].
  void credit(const std::vector<doc_hash>& used, double outcome);

  /// Evicts what is worth no more than `least_utility`, and the least worth
  /// above `capacity`.
  void prune();

  /// What was done since the last call, for the log.
  memory_record take_record(std::uint32_t barrier);

  [[nodiscard]] const std::map<doc_hash, held_experience>& held() const {
    return held_;
  }
  /// In the order of admission.
  [[nodiscard]] std::vector<const held_experience*> in_order() const;
  [[nodiscard]] double utility_of(const held_experience& item) const;

  /// For retrieval, as the base is now. Error ec::invalid_argument: vectors of
  /// different lengths.
  [[nodiscard]] result<experience_index> index() const;

private:
  [[nodiscard]] const held_experience*
  nearest(const candidate_experience& candidate, bool twin) const;
  void settle(const doc_hash& fresh, const held_experience& rival);
  void note(std::string_view what, const doc_hash& entry,
            const doc_hash& other = {}, double before = 0, double after = 0);
  void evict(const doc_hash& hash);
  void drop(const doc_hash& hash);

  agent_kb_options options_;
  std::map<doc_hash, held_experience> held_;
  /// Of what is not held any more, nor goes on in another: the same attempts
  /// make it again.
  std::map<doc_hash, experience_stats> gone_;
  std::vector<memory_change> changes_;
  std::vector<std::pair<doc_hash, doc_hash>> rivals_;
  std::uint64_t episodes_ = 0; ///< finished attempts
  std::uint32_t next_ = 0;
};

/// What two experiences of one problem have to do with each other (Agent KB,
/// section 3): seen from the first one.
enum class relation : std::uint8_t {
  same,        ///< equal steps
  abstraction, ///< its steps are some of the other's
  composition, ///< the other's steps are some of its
  alternative, ///< other steps
  adaptation,  ///< other steps, in another domain
};
relation relation_of(const experience& a, const experience& b);

/// Which of two that say the same stays: more steps (it is complete), then more
/// tasks, higher quality, lower hash.
bool is_better(const held_experience& a, const held_experience& b);

} // namespace brewery
