#include "kb/posting_lists.hpp"

#include "kb/best_hits.hpp"

#include <algorithm>
#include <limits>

namespace brewery {

namespace {

constexpr auto no_document = std::numeric_limits<std::uint32_t>::max();

/// Sums in another order differ in their last bits at most: what is skipped is
/// below the least by more than that.
constexpr double slack = 1 + 1e-9;

} // namespace

/// A place in a list.
struct posting_lists::cursor {
  std::span<const std::uint32_t> documents;
  const float* scores = nullptr;
  std::size_t at = 0;
  double most = 0;
  std::size_t place = 0; ///< of the list in the query

  [[nodiscard]] std::uint32_t document() const {
    return at < documents.size() ? documents[at] : no_document;
  }
  [[nodiscard]] double score() const {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-bounds-pointer-arithmetic)
    return static_cast<double>(scores[at]);
  }

  /// To the first posting that is not before `wanted`: doubled steps, then a
  /// binary search, so near ones are found soon.
  void advance(std::uint32_t wanted) {
    std::size_t step = 1;
    auto low = at;
    while (low + step < documents.size() && documents[low + step] < wanted) {
      low += step;
      step *= 2;
    }
    const auto from = documents.begin() + static_cast<std::ptrdiff_t>(low);
    const auto to = documents.begin()
                    + static_cast<std::ptrdiff_t>(
                        std::min(low + step + 1, documents.size()));
    at = static_cast<std::size_t>(std::lower_bound(from, to, wanted)
                                  - documents.begin());
  }
};

void posting_lists::open(std::span<const std::uint32_t> sizes) {
  std::size_t all = 0;
  lists_.reserve(sizes.size());
  for (const auto size : sizes) {
    lists_.push_back({all, all, 0});
    all += size;
  }
  documents_.resize(all);
  scores_.resize(all);
}

void posting_lists::add(list_id to, std::uint32_t document, float score) {
  auto& one = lists_[to];
  documents_[one.end] = document;
  scores_[one.end] = score;
  ++one.end;
  one.most = std::max(one.most, score);
  size_ = std::max(size_, document + 1);
}

std::vector<retrieved> posting_lists::best(std::span<const list_id> lists,
                                           std::size_t limit) const {
  if (limit == 0 || lists.empty()) return {};
  // Who wants all cannot skip any.
  return size_ < scan_below_ || limit >= size_ ? scan(lists, limit)
                                               : skip(lists, limit);
}

void posting_lists::sums(std::span<const list_id> lists, std::size_t size,
                         std::vector<double>& out) const {
  out.assign(size, 0.0);
  for (const auto id : lists)
    for (auto i = lists_[id].begin; i < lists_[id].end; ++i)
      out[documents_[i]] += static_cast<double>(scores_[i]);
}

std::vector<retrieved> posting_lists::scan(std::span<const list_id> lists,
                                           std::size_t limit) const {
  thread_local std::vector<double> all;
  sums(lists, size_, all);
  best_hits found{limit};
  for (std::size_t document = 0; document < all.size(); ++document)
    if (all[document] > 0) found.add({document, all[document]});
  return found.take();
}

std::vector<retrieved> posting_lists::skip(std::span<const list_id> lists,
                                           std::size_t limit) const {
  std::vector<cursor> cursors;
  for (std::size_t place = 0; place < lists.size(); ++place) {
    const auto& one = lists_[lists[place]];
    cursors.push_back(
        {std::span{documents_}.subspan(one.begin, one.end - one.begin),
         // NOLINTNEXTLINE(cppcoreguidelines-pro-bounds-*)
         scores_.data() + one.begin, 0, static_cast<double>(one.most), place});
  }
  std::ranges::stable_sort(cursors, {}, &cursor::most);
  // The most that the first lists, up to and with each, can add together.
  std::vector<double> bounds;
  for (const auto& one : cursors)
    bounds.push_back((bounds.empty() ? 0 : bounds.back()) + one.most * slack);

  best_hits found{limit};
  std::vector<double> parts(lists.size()); // in the order of the query
  std::size_t needed = 0; // lists before it cannot make a document good alone
  for (;;) {
    while (needed < cursors.size() && bounds[needed] <= found.least())
      ++needed;
    auto document = no_document;
    for (auto i = needed; i < cursors.size(); ++i)
      document = std::min(document, cursors[i].document());
    if (document == no_document) return found.take();
    double sum = 0;
    for (auto i = needed; i < cursors.size(); ++i) {
      auto& one = cursors[i];
      if (one.document() != document) continue;
      sum += parts[one.place] = one.score();
      ++one.at;
    }
    bool can_be_good = true;
    for (auto i = needed; i-- > 0 && can_be_good;) {
      can_be_good = (sum + bounds[i]) * slack > found.least();
      if (!can_be_good) break;
      auto& one = cursors[i];
      one.advance(document);
      if (one.document() == document) sum += parts[one.place] = one.score();
    }
    if (can_be_good) {
      double score = 0;
      for (const auto part : parts)
        score += part;
      if (score > 0) found.add({document, score});
    }
    std::ranges::fill(parts, 0.0);
  }
}

} // namespace brewery
