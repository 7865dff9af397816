#pragma once
/// What the procedural agent reads of documents: the rules and goals of each
/// that it has not seen before, in the order in which they are shown. The agent
/// plays with this code, and rollouts are replayed with it (economy/reading).

#include "economy/reading.hpp"
#include "roles/procedural/rule_text.hpp"

#include <mutex>
#include <set>
#include <unordered_map>

namespace brewery {

/// The guidance of every document that was read. Documents are immutable, so
/// each is parsed once. Thread-safe.
class guidance_cache {
public:
  using parser = guidance (*)(std::string_view body);
  explicit guidance_cache(parser read = read_guidance) : parse_(read) {}

  struct entry {
    guidance content;
    std::string hash; ///< of its rules and goals; empty: it has none
  };
  std::shared_ptr<const entry> of(const document& doc) const;

private:
  parser parse_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<doc_hash, std::shared_ptr<const entry>> read_;
};

/// What one attempt has read so far.
class rules_read {
public:
  explicit rules_read(const guidance_cache& from) : from_(&from) {}

  /// Takes the documents of a retrieval. Returns the hashes of the guidance
  /// that is new, in order.
  std::string add(const std::vector<const document*>& shown);

  /// Of every document so far, oldest first.
  [[nodiscard]] const std::vector<std::shared_ptr<const guidance>>&
  guides() const {
    return guides_;
  }

private:
  const guidance_cache* from_;
  std::vector<std::shared_ptr<const guidance>> guides_;
  std::set<const guidance_cache::entry*> known_;
};

/// The reader of the procedural agent. `knows_draws`: what it does between two
/// draws is all that its rollouts depend on, beside what it reads.
std::shared_ptr<const reader> rule_lines(bool knows_draws = true);

} // namespace brewery
