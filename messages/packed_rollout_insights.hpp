#pragma once
/// The insights of one rollout, or of a pool's growth, as they travel and lie
/// in a log: what repeats is there once. 138 insights of a telecom rollout name
/// 1,800 lines in 690 lists; 35 of the lists and 300 of the texts differ. Lists
/// in messages of older peers, and in their logs, are still read. PURE.

#include "base/error.hpp"
#include "base/result.hpp"
#include "messages/content_sums.hpp"
#include "messages/insight.hpp"
#include "messages/text_table.hpp"
#include "messages/wire/format.hpp"
#include "messages/wire/sent_as.hpp"

#include <initializer_list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace brewery {

struct packed_rollout_insights {
  text_table texts; ///< in the order of their first use
  std::vector<std::vector<std::uint32_t>> lists; ///< of texts, by number
  text_table ids;                                ///< one for each insight
  /// All other members, as in `packed_insights`.
  std::string numbers;
  BREWERY_FIELDS(packed_rollout_insights, texts, lists, ids, numbers)
};

packed_rollout_insights
pack(const shared_list<shared_value<insight>>& insights);
/// Of insights that lie anywhere in memory.
packed_rollout_insights pack_items(const std::vector<const insight*>& insights);

/// A text may be named by every insight, and counts each time.
inline constexpr std::size_t max_unpacked_rollout_bytes = 64U << 20U;

/// Error ec::malformed: it names what is not there, ends early or late, or
/// would take more memory than `bytes_max`. Equal lists are one.
result<shared_list<shared_value<insight>>>
unpack(const packed_rollout_insights& packed,
       std::size_t bytes_max = max_unpacked_rollout_bytes);

/// Of the whole content of insights, of lists and of texts, by number. Made
/// where a result is read, whose texts are in the cache then.
struct packed_sums {
  std::vector<content_sum> insights, lists, texts;
};

/// The same error as `unpack` of a rollout, without making an insight.
result<packed_sums> sums_of(const packed_rollout_insights& packed);

/// The insights of a rollout, as a list or as they arrived: then they become a
/// list when somebody first reads one. Most of what a result brings is known
/// already, and who knows it (messages/insight_store.hpp) needs no copy of it.
/// Copies share what they have and may be read by several threads.
class rollout_insights {
public:
  using value_type = shared_value<insight>;
  using list_type = shared_list<value_type>;

  rollout_insights() = default;
  // Implicit, as they stand wherever a list did.
  rollout_insights(list_type list) // NOLINT(google-explicit-constructor)
      : list_(std::move(list)) {}
  rollout_insights(
      std::vector<value_type> items) // NOLINT(google-explicit-constructor)
      : list_(std::move(items)) {}
  rollout_insights(std::initializer_list<value_type> items) : list_(items) {}
  /// `sums` are those of `packed`, which is so known to be whole.
  rollout_insights(packed_rollout_insights packed, packed_sums sums)
      : arrived_(
          std::make_shared<const arrived>(std::move(packed), std::move(sums))) {
    BREWERY_ASSERT(
        arrived_->sums.insights.size() == arrived_->packed.ids.size()
        && arrived_->sums.lists.size() == arrived_->packed.lists.size()
        && arrived_->sums.texts.size() == arrived_->packed.texts.size());
  }

  /// Null: there is only a list.
  [[nodiscard]] std::shared_ptr<const packed_rollout_insights> packed() const {
    if (!arrived_) return nullptr;
    return {arrived_, &arrived_->packed};
  }
  /// Of what is packed; only then.
  [[nodiscard]] const packed_sums& sums() const { return arrived_->sums; }
  [[nodiscard]] const list_type& list() const {
    return arrived_ ? arrived_->list() : list_;
  }

  [[nodiscard]] const std::vector<value_type>& items() const {
    return list().items();
  }
  [[nodiscard]] auto begin() const { return items().begin(); }
  [[nodiscard]] auto end() const { return items().end(); }
  [[nodiscard]] std::size_t size() const {
    return arrived_ ? arrived_->packed.ids.size() : list_.size();
  }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] const value_type& front() const { return items().front(); }
  const value_type& operator[](std::size_t i) const { return items()[i]; }

  bool operator==(const rollout_insights& other) const {
    return list() == other.list();
  }

private:
  struct arrived {
    arrived(packed_rollout_insights from, packed_sums its_sums)
        : packed(std::move(from)), sums(std::move(its_sums)) {}
    [[nodiscard]] const list_type& list() const;

    packed_rollout_insights packed;
    packed_sums sums;

  private:
    mutable std::once_flag made_;
    mutable list_type list_;
  };

  list_type list_;
  std::shared_ptr<const arrived> arrived_; ///< null: `list_` is the list
};

template <>
inline constexpr bool is_shared_list<rollout_insights> = true;

template <>
struct wire::sent_as<rollout_insights> {
  using type = packed_rollout_insights;
  static std::shared_ptr<const type> to(const rollout_insights& made,
                                        writer::form) {
    if (auto arrived = made.packed()) return arrived;
    return std::make_shared<const type>(pack(made.list()));
  }
  static result<rollout_insights> from(type packed) {
    auto sums = sums_of(packed);
    if (!sums) return sums.error();
    return rollout_insights{std::move(packed), std::move(*sums)};
  }
};

} // namespace brewery
