#pragma once
/// A pool of insights whose growth is kept in packed parts, so that an
/// integration names the parts instead of carrying the pool. The same parts go
/// into snapshots. Owned by one `concept_search`; the lists that it tells may
/// be read by other threads at any time.

#include "kb/document.hpp"
#include "learners/brew/insight_pool.hpp"
#include "messages/told_insights.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace brewery {

/// The list that a reference stands for, from the parts in `documents`. Error
/// ec::not_found or ec::corrupt.
result<std::vector<counted_insight>> list_of(const pool_reference& reference,
                                             const document_store& documents);

class told_pool {
public:
  told_pool();
  told_pool(const told_pool& other); ///< a pool of its own
  told_pool& operator=(const told_pool& other);
  told_pool(told_pool&&) noexcept = default;
  told_pool& operator=(told_pool&&) noexcept = default;
  ~told_pool() = default;

  [[nodiscard]] const insight_pool& pool() const { return *pool_; }
  const insight_pool* operator->() const { return pool_.get(); }

  /// To add to it. Lists that were told and are not made yet are made from
  /// their parts from now on.
  insight_pool& change();

  /// The pool's list, as integrators get it.
  told_insights tell(insight_groups groups, std::optional<std::uint32_t> parent,
                     const std::shared_ptr<document_store>& documents);

  /// The parts since the last call.
  std::vector<std::string> take_parts(document_store& documents);
  /// The next call gives all parts.
  void give_all_again() { parts_given_ = 0; }

  /// Takes parts of another pool in their order. Errors as in
  /// `insight_pool::absorb`.
  result<void> absorb(std::string part, document_store& documents);

private:
  class pool_list;

  void pack_growth(document_store& documents);
  /// `content`: the hash of what `packed` holds.
  void know(const std::string& content, std::string packed,
            document_store& documents);

  std::shared_ptr<insight_pool> pool_;
  std::vector<std::shared_ptr<const document>> parts_;
  /// Of what the parts hold, one by one, not of how they are compressed. So it
  /// depends on when growth is packed: at each `tell` and at each gather, which
  /// a resumed run repeats.
  std::string digest_;
  std::size_t parts_given_ = 0;
  std::vector<std::weak_ptr<pool_list>> told_; ///< since the last change
};

} // namespace brewery
