#pragma once
/// What an integrator is told: a list of counted insights, or how it follows
/// from all that came to a pool. A concept of a long run knows tens of
/// thousands of insights, and every integration is told all of them; so the
/// list is made when it is first read, where it is read, and travels as the
/// names of the pool's parts. Each part is content with a hash and reaches a
/// process once. Copies share their list and may be read by several threads.

#include "base/fields.hpp"
#include "base/shared_list.hpp"
#include "messages/insight_msgs.hpp"

#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace brewery {

/// A list of counted insights without naming one.
struct pool_reference {
  std::string digest;          ///< content hash of all that came to the pool
  std::vector<doc_hash> parts; ///< what came to it, in order
  /// From an insight to the one that stands for it.
  std::map<insight_id, insight_id> groups;
  /// The iteration in which the parent document was written; at most one.
  std::vector<std::uint32_t> parent;
  BREWERY_FIELDS(pool_reference, digest, parts, groups, parent)
};

class told_insights {
public:
  using value_type = counted_insight;
  using list_type = shared_list<counted_insight>;

  /// Makes the list of a reference, once.
  class source {
  public:
    explicit source(pool_reference reference)
        : reference_(std::move(reference)) {}
    source(const source&) = delete;
    source& operator=(const source&) = delete;
    virtual ~source() = default;

    [[nodiscard]] const pool_reference& reference() const { return reference_; }
    [[nodiscard]] const list_type& list() const {
      std::call_once(made_, [this] { list_ = make(); });
      return list_;
    }

  private:
    [[nodiscard]] virtual std::vector<counted_insight> make() const = 0;

    pool_reference reference_;
    mutable std::once_flag made_;
    mutable list_type list_;
  };

  told_insights() = default;
  // Implicit, as they stand wherever a list did.
  told_insights(list_type list) // NOLINT(google-explicit-constructor)
      : list_(std::move(list)) {}
  told_insights(
      std::vector<counted_insight> items) // NOLINT(google-explicit-constructor)
      : list_(std::move(items)) {}
  told_insights(std::initializer_list<counted_insight> items) : list_(items) {}
  explicit told_insights(std::shared_ptr<const source> made_by)
      : source_(std::move(made_by)) {}
  /// As it arrives: empty until somebody makes the list.
  explicit told_insights(pool_reference reference);

  /// Null: there is only a list.
  [[nodiscard]] const pool_reference* reference() const {
    return source_ ? &source_->reference() : nullptr;
  }
  [[nodiscard]] const list_type& list() const {
    return source_ ? source_->list() : list_;
  }
  [[nodiscard]] bool is_named_only() const { return named_only_; }

  [[nodiscard]] const std::vector<counted_insight>& items() const {
    return list().items();
  }
  [[nodiscard]] auto begin() const { return items().begin(); }
  [[nodiscard]] auto end() const { return items().end(); }
  [[nodiscard]] std::size_t size() const { return items().size(); }
  [[nodiscard]] bool empty() const { return items().empty(); }
  [[nodiscard]] const counted_insight& front() const { return items().front(); }
  const counted_insight& operator[](std::size_t i) const { return items()[i]; }

  bool operator==(const told_insights& other) const {
    if (named_only_ || other.named_only_)
      return reference() && other.reference()
             && *reference() == *other.reference();
    return source_ == other.source_ ? list_ == other.list_
                                    : list() == other.list();
  }

private:
  list_type list_;
  std::shared_ptr<const source> source_; ///< null: `list_` is the list
  bool named_only_ = false;
};

template <>
inline constexpr bool is_shared_list<told_insights> = true;

} // namespace brewery
