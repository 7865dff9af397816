#include "messages/packed_insights.hpp"

#include "messages/content_sums.hpp"
#include "messages/flat_map.hpp"
#include "messages/packed_reader.hpp"
#include "messages/packed_rollout_insights.hpp"
#include "messages/read_ahead.hpp"

#include <array>
#include <map>
#include <memory_resource>
#include <mutex>
#include <string_view>
#include <unordered_map>

namespace brewery {

namespace {

using number = std::uint32_t;

template <class Packed>
class packer {
public:
  explicit packer(std::size_t insights) {
    out_.ids.reserve(insights, insights * 32);
    texts_.reserve(insights);
  }

  void add(const insight& item) {
    out_.ids.push_back(item.id.value);
    for (const auto* text : texts_in(item))
      put(shared_number(*text));
    for (const auto* list : lists_of(item.fact))
      put(list_number(*list));
    put(item.fact.met);
    put_length(item.steps.size());
    for (const auto step : item.steps)
      put(step);
  }

  void add(const counted_insight& counted) {
    add(*counted.item);
    out_.rewards.push_back(counted.reward);
    put(counted.count);
    put_length(counted.tasks.size());
    for (const auto& [task, count] : counted.tasks) {
      put(id_number(task));
      put(count);
    }
    put_length(counted.rollouts.size());
    for (const auto& rollout : counted.rollouts)
      put(id_number(rollout));
    put(counted.succeeded);
    put(counted.fresh);
  }

  Packed take() { return std::move(out_); }

private:
  void put(number value) {
    for (; value >= 0x80; value >>= 7U)
      out_.numbers.push_back(static_cast<char>((value & 0x7fU) | 0x80U));
    out_.numbers.push_back(static_cast<char>(value));
  }
  void put_length(std::size_t length) { put(static_cast<number>(length)); }

  /// The packed insights outlive the packer, so the keys may be views.
  number text_number(const std::string& text) {
    const auto [it, added] =
        texts_.try_emplace(text, static_cast<number>(out_.texts.size()));
    if (added) out_.texts.push_back(text);
    return it->second;
  }

  number shared_number(const shared_text& text) {
    const auto [known, first] = number_at(&text.get());
    if (first) *known = text_number(text);
    return *known;
  }

  template <class Id>
  number id_number(const shared_value<Id>& id) {
    const auto [known, first] = number_at(&id.get());
    if (first) *known = text_number(id->value);
    return *known;
  }

  /// Equal lists are one, whether or not they are shared here: equal insights
  /// have equal bytes.
  number list_number(const insight_fact::text_list& list) {
    const auto [known, first] = number_at(&list.items());
    if (!first) return *known;
    std::vector<number> texts;
    for (const auto& text : list)
      texts.push_back(text_number(text));
    const auto [it, added] = lists_.try_emplace(
        std::move(texts), static_cast<number>(out_.lists.size()));
    if (added) out_.lists.push_back(it->first);
    return *known = it->second;
  }

  std::pair<number*, bool> number_at(const void* shared) {
    return shared_.try_emplace(reinterpret_cast<std::uintptr_t>(shared));
  }

  Packed out_;
  flat_map<number> shared_; ///< by where it is
  // A hundred thousand entries, forgotten together.
  std::pmr::monotonic_buffer_resource memory_{1 << 16};
  std::pmr::unordered_map<std::string_view, number> texts_{&memory_};
  std::map<std::vector<number>, number> lists_;
};

template <class Packed>
class unpacker {
public:
  unpacker(const Packed& in, std::size_t bytes_max)
      : in_(in),
        read_(in.texts, in.lists, in.numbers, sizeof(insight), bytes_max),
        texts_(in.texts.size()) {
    for (const auto& numbers : in.lists) {
      if (read_.failed()) break;
      std::vector<std::string> texts;
      for (const auto at : numbers)
        texts.emplace_back(in.texts[at]);
      lists_.emplace_back(std::move(texts));
    }
  }

  insight next() {
    insight item;
    read_.next(numbers_);
    if (read_.failed()) return item;
    item.id.value = in_.ids[done_++];
    const auto* text = numbers_.texts.begin();
    for (auto* one : texts_in(item)) {
      auto& known = texts_[*text];
      if (known.empty()) known = in_.texts[*text];
      *one = known;
      ++text;
    }
    const auto* list = numbers_.lists.begin();
    for (auto* one : lists_of(item.fact))
      *one = lists_[*list++];
    item.fact.met = numbers_.met;
    item.steps = numbers_.steps;
    return item;
  }

  counted_insight next_counted() {
    counted_insight out;
    out.reward = in_.rewards[done_];
    out.item = next();
    out.count = read_.get();
    for (auto left = read_.get(); left > 0 && !failed(); --left) {
      auto task = shared_id(tasks_);
      out.tasks.push_back({std::move(task), read_.get()});
    }
    for (auto left = read_.get(); left > 0 && !failed(); --left)
      out.rollouts.push_back(shared_id(rollouts_));
    out.succeeded = read_.get();
    out.fresh = read_.get_flag();
    return out;
  }

  [[nodiscard]] bool failed() const { return read_.failed(); }
  [[nodiscard]] bool at_end() const { return read_.at_end(); }

private:
  template <class Id>
  shared_value<Id> shared_id(std::vector<shared_value<Id>>& known) {
    const auto at = read_.get();
    const auto value = read_.text(at);
    if (failed()) return {};
    if (known.size() <= at) known.resize(at + 1);
    if (known[at]->value.empty()) known[at] = Id{std::string{value}};
    return known[at];
  }

  const Packed& in_;
  packed_reader read_;
  packed_numbers numbers_;         ///< one place for all
  std::vector<shared_text> texts_; ///< those that were needed, by number
  std::vector<insight_fact::text_list> lists_;
  std::vector<shared_value<task_id>> tasks_;   ///< by number of their text
  std::vector<shared_value<job_id>> rollouts_; ///< likewise
  std::size_t done_ = 0;
};

error contradiction() {
  return {ec::malformed, "the packed insights contradict themselves"};
}

} // namespace

packed_insights pack(const std::vector<counted_insight>& insights) {
  packer<packed_insights> out{insights.size()};
  for (const auto& counted : insights)
    out.add(counted);
  return out.take();
}

packed_rollout_insights
pack(const shared_list<shared_value<insight>>& insights) {
  packer<packed_rollout_insights> out{insights.size()};
  for (const auto& item : insights)
    out.add(*item);
  return out.take();
}

packed_rollout_insights
pack_items(const std::vector<const insight*>& insights) {
  packer<packed_rollout_insights> out{insights.size()};
  read_ahead(
      insights.size(),
      [&](std::size_t i) -> const insight& { return *insights[i]; },
      [](const insight& item) -> auto& { return item.sentence; },
      [&](std::size_t i) { out.add(*insights[i]); });
  return out.take();
}

std::shared_ptr<const packed_insights>
packed_once(const shared_list<counted_insight>& insights) {
  static std::mutex busy;
  static shared_list<counted_insight>::witness last;
  static std::shared_ptr<const packed_insights> packed;
  const std::lock_guard lock{busy};
  if (!last.saw(insights) || !packed) {
    packed.reset(); // not both at a time
    packed = std::make_shared<const packed_insights>(pack(insights.items()));
    last = insights.seen();
  }
  return packed;
}

result<std::vector<counted_insight>> unpack(const packed_insights& packed) {
  if (packed.ids.size() != packed.rewards.size() || !packed.pool.empty())
    return contradiction();
  unpacker in{packed, max_unpacked_bytes};
  std::vector<counted_insight> out;
  while (out.size() < packed.ids.size() && !in.failed())
    out.push_back(in.next_counted());
  if (in.failed() || !in.at_end()) return contradiction();
  return out;
}

result<shared_list<shared_value<insight>>>
unpack(const packed_rollout_insights& packed, std::size_t bytes_max) {
  unpacker in{packed, bytes_max};
  std::vector<shared_value<insight>> out;
  while (out.size() < packed.ids.size() && !in.failed())
    out.emplace_back(in.next());
  if (in.failed() || !in.at_end()) return contradiction();
  return shared_list<shared_value<insight>>{std::move(out)};
}

result<packed_sums> sums_of(const packed_rollout_insights& packed) {
  packed_reader in{packed.texts, packed.lists, packed.numbers, sizeof(insight),
                   max_unpacked_rollout_bytes};
  if (in.failed()) return contradiction();
  packed_sums out;
  auto& texts = out.texts;
  texts.reserve(packed.texts.size());
  for (const auto text : packed.texts)
    texts.push_back(sum_of(text));
  out.lists.reserve(packed.lists.size());
  for (const auto& list : packed.lists) {
    auto& sum = out.lists.emplace_back(list.size());
    for (const auto at : list)
      mix(sum, texts[at]);
  }
  out.insights.reserve(packed.ids.size());
  packed_numbers each;
  for (const auto id : packed.ids) {
    in.next(each);
    if (in.failed()) return contradiction();
    content_sum sum = each.met ? 1 : 0;
    mix(sum, sum_of(id));
    for (const auto at : each.texts)
      mix(sum, texts[at]);
    for (const auto at : each.lists)
      mix(sum, out.lists[at]);
    for (const auto step : each.steps)
      mix(sum, step);
    out.insights.push_back(never_zero(sum));
  }
  if (!in.at_end()) return contradiction();
  return out;
}

const rollout_insights::list_type& rollout_insights::arrived::list() const {
  std::call_once(made_, [this] {
    if (auto made = unpack(packed)) list_ = std::move(*made);
  });
  return list_;
}

namespace {

/// Of who knows the name only.
class no_source final : public told_insights::source {
public:
  using source::source;

private:
  [[nodiscard]] std::vector<counted_insight> make() const override {
    return {};
  }
};

} // namespace

told_insights::told_insights(pool_reference reference)
    : source_(std::make_shared<no_source>(std::move(reference))),
      named_only_(true) {}

std::shared_ptr<const packed_insights>
wire::sent_as<told_insights>::to(const told_insights& told, writer::form form) {
  const auto* reference = told.reference();
  if (!reference || (form != writer::form::newest && !told.is_named_only()))
    return packed_once(told.list());
  auto out = std::make_shared<packed_insights>();
  out->pool.push_back(*reference);
  return out;
}

result<told_insights>
wire::sent_as<told_insights>::from(const packed_insights& packed) {
  if (!packed.pool.empty()) {
    if (packed.pool.size() > 1 || packed.pool[0].parent.size() > 1
        || !packed.ids.empty() || !packed.numbers.empty())
      return contradiction();
    return told_insights{packed.pool[0]};
  }
  auto items = unpack(packed);
  if (!items) return items.error();
  return told_insights{std::move(*items)};
}

} // namespace brewery
