#include "base/rng.hpp"
#include "messages/job_msgs.hpp"
#include "messages/wire/codec.hpp"
#include "tests/messages/samples.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

using namespace brewery;

namespace {

using insight_list = shared_list<shared_value<insight>>;

/// Few lists and lines in many insights, as a telecom rollout has them.
insight_list insights_drawn(std::uint64_t seed, std::size_t size) {
  rng draw{seed};
  const auto text = [&](const char* of, std::uint64_t among) {
    return of + std::to_string(draw.below(among));
  };
  std::vector<shared_value<insight>> out;
  for (std::size_t i = 0; i < size; ++i) {
    insight item;
    item.id = {"insight " + std::to_string(i)};
    item.topic = text("topic ", 3);
    item.sentence = text("sentence ", 1000);
    item.fact.kind = text("kind", 2);
    item.fact.observation = text("look", 3);
    item.fact.check = text("check", 3);
    item.fact.met = draw.below(2) == 1;
    for (auto* list : lists_of(item.fact)) {
      std::vector<std::string> lines;
      for (auto left = draw.below(3); left > 0; --left)
        lines.push_back(text("line ", 4));
      *list = std::move(lines);
    }
    for (auto left = draw.below(3); left > 0; --left)
      item.steps.push_back(static_cast<std::uint32_t>(draw.below(1U << 31U)));
    out.emplace_back(std::move(item));
  }
  return out;
}

/// The only member of a result that counts here.
struct broken_result {
  packed_rollout_insights insights;
  BREWERY_FIELDS(broken_result, insights)
};

} // namespace

TEST_CASE("the insights of a rollout come back as they were") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    rollout_result sent;
    sent.insights = insights_drawn(seed, seed % 40);
    const auto packed = pack(sent.insights.list());
    const auto back = unpack(packed);
    REQUIRE(back);
    CHECK(*back == sent.insights.list());
    for (const auto form :
         {wire::writer::form::newest, wire::writer::form::plain}) {
      const auto bytes = wire::encode(sent, form);
      const auto got = wire::decode<rollout_result>(bytes);
      REQUIRE(got);
      CHECK(*got == sent);
      const auto brief = wire::decode_brief<rollout_result>(bytes);
      REQUIRE(brief);
      CHECK(brief->insights == sent.insights);
    }
  }
}

TEST_CASE("what repeats in a rollout's insights is there once") {
  const auto insights = insights_drawn(3, 200);
  const auto packed = pack(insights);
  CHECK(packed.lists.size() <= 1 + 4 + 16);
  const auto back = unpack(packed);
  REQUIRE(back);
  std::set<const void*> lists;
  for (const auto& item : *back)
    for (const auto* list : lists_of(item->fact))
      lists.insert(&list->items());
  CHECK(lists.size() <= packed.lists.size());
  rollout_result sent;
  sent.insights = insights;
  CHECK(2 * wire::encode(sent).size()
        < wire::encode(sent, wire::writer::form::plain).size());
}

TEST_CASE("damaged insights of a rollout are refused or whole") {
  const auto packed = pack(insights_drawn(7, 12));
  for (std::size_t keep = 0; keep < packed.numbers.size(); ++keep) {
    auto cut = packed;
    cut.numbers.resize(keep);
    CHECK_FALSE(unpack(cut));
    CHECK_FALSE(sums_of(cut));
  }
  auto longer = packed;
  longer.numbers += '\0';
  CHECK_FALSE(unpack(longer));
  CHECK_FALSE(sums_of(longer));
  auto more = packed;
  more.ids.push_back("one more");
  CHECK_FALSE(unpack(more));
  CHECK_FALSE(sums_of(more));
  auto no_lists = packed;
  no_lists.lists.clear();
  CHECK_FALSE(unpack(no_lists));
  CHECK_FALSE(sums_of(no_lists));
  auto no_texts = packed;
  no_texts.texts.clear();
  CHECK_FALSE(unpack(no_texts));
  CHECK_FALSE(sums_of(no_texts));
  rng draw{11};
  for (int round = 0; round < 2000; ++round) {
    auto changed = packed;
    for (auto left = 1 + draw.below(4); left > 0; --left)
      changed.numbers[draw.below(changed.numbers.size())] =
          static_cast<char>(draw.below(256));
    if (auto& list = changed.lists[draw.below(changed.lists.size())];
        !list.empty() && draw.below(2) == 0)
      list[draw.below(list.size())] =
          static_cast<std::uint32_t>(draw.below(2 * packed.texts.size()));
    const auto made = unpack(changed);
    CHECK(bool{sums_of(changed)} == bool{made});
    if (made) CHECK(made->size() == packed.ids.size());
  }
}

TEST_CASE("neither texts nor insights without end fill the memory") {
  insight item;
  const auto sentence_bytes = GENERATE(std::size_t{0}, std::size_t{1} << 20U);
  item.sentence = std::string(sentence_bytes, 'x');
  auto packed = pack(insight_list{item});
  const auto one = packed.numbers;
  const std::size_t times =
      max_unpacked_rollout_bytes / (sizeof(insight) + sentence_bytes);
  for (std::size_t i = 0; i < times; ++i) {
    packed.numbers += one;
    packed.ids.push_back({});
  }
  const auto made = unpack(packed);
  REQUIRE_FALSE(made);
  CHECK(made.error().code == ec::malformed);
  CHECK_FALSE(sums_of(packed));
}

TEST_CASE("nor do steps without end") {
  insight item;
  auto packed = pack(insight_list{item});
  constexpr auto count = static_cast<std::uint32_t>(max_unpacked_rollout_bytes
                                                    / sizeof(std::uint32_t));
  packed.numbers.pop_back(); // no steps
  for (auto left = count; left > 0; left >>= 7U)
    packed.numbers +=
        static_cast<char>((left & 0x7fU) | (left >= 0x80 ? 0x80U : 0));
  packed.numbers.append(count, '\0');
  CHECK_FALSE(sums_of(packed));
  CHECK_FALSE(unpack(packed));
}

TEST_CASE("the sum of an insight is of its content, not of how it is packed") {
  rollout_result sent;
  sent.insights = insights_drawn(6, 30);
  const auto packed = pack(sent.insights.list());
  const auto sums = sums_of(packed);
  REQUIRE(sums);
  std::vector<shared_value<insight>> turned{sent.insights.begin(),
                                            sent.insights.end()};
  std::reverse(turned.begin(), turned.end());
  auto again = sums_of(pack(insight_list{turned}));
  REQUIRE(again);
  std::reverse(again->insights.begin(), again->insights.end());
  CHECK(again->insights == sums->insights);
  CHECK(
      std::set<content_sum>{sums->insights.begin(), sums->insights.end()}.size()
      == sums->insights.size());
}

TEST_CASE("insights that arrived are sent on as they came") {
  rollout_result sent;
  sent.insights = insights_drawn(5, 30);
  const auto bytes = wire::encode(sent);
  const auto got = wire::decode<rollout_result>(bytes);
  REQUIRE(got);
  REQUIRE(got->insights.packed());
  CHECK(got->insights.size() == 30);
  CHECK(wire::encode(*got) == bytes);
  const auto copy = *got;
  CHECK(copy.insights == sent.insights);
  CHECK(&copy.insights.items() == &got->insights.items()); // made once
  CHECK(wire::encode(*got, wire::writer::form::plain)
        == wire::encode(sent, wire::writer::form::plain));
}

TEST_CASE("a result with damaged packed insights names the place") {
  broken_result broken;
  broken.insights.numbers = "x";
  const auto made = wire::decode<rollout_result>(wire::encode(broken));
  REQUIRE_FALSE(made);
  CHECK(made.error().message.find("rollout_result") == 0);
}
