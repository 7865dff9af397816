#include "base/rng.hpp"
#include "messages/job_msgs.hpp"
#include "messages/wire/codec.hpp"
#include "tests/messages/samples.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace brewery;

namespace {

/// Like what rollouts of one task repeat: few lists, tasks and rollouts.
std::vector<counted_insight> drawn(std::uint64_t seed, std::size_t size) {
  rng draw{seed};
  const auto text = [&](const char* of, std::uint64_t among) {
    return of + std::to_string(draw.below(among));
  };
  const auto list = [&] {
    std::vector<std::string> out;
    for (auto left = draw.below(4); left > 0; --left)
      out.push_back(text("line ", 5));
    return insight_fact::text_list{std::move(out)};
  };
  std::vector<counted_insight> out;
  for (std::size_t i = 0; i < size; ++i) {
    counted_insight counted;
    insight item;
    item.id = {"insight " + std::to_string(i)};
    item.topic = text("topic ", 3);
    item.sentence = text("sentence ", 1000);
    item.fact = {text("kind", 2), text("look", 3),  list(),
                 list(),          list(),           list(),
                 list(),          text("check", 3), draw.below(2) == 1};
    for (auto left = draw.below(3); left > 0; --left)
      item.steps.push_back(static_cast<std::uint32_t>(draw.below(1U << 31U)));
    counted.item = std::move(item);
    counted.count = static_cast<std::uint32_t>(draw.below(300));
    for (auto left = draw.below(3); left > 0; --left)
      counted.tasks.push_back({task_id{text("task ", 4)},
                               static_cast<std::uint32_t>(draw.below(200))});
    for (auto left = draw.below(9); left > 0; --left)
      counted.rollouts.emplace_back(job_id{text("rollout ", 40)});
    counted.succeeded = static_cast<std::uint32_t>(draw.below(9));
    counted.reward = draw.uniform();
    counted.fresh = draw.below(2) == 1;
    out.push_back(std::move(counted));
  }
  return out;
}

/// The only member of a job that counts here.
struct broken_job {
  packed_insights insights;
  BREWERY_FIELDS(broken_job, insights)
};

integrate_job job_with(std::vector<counted_insight> insights) {
  integrate_job work;
  work.title = "Fan";
  work.insights = std::move(insights);
  return work;
}

} // namespace

TEST_CASE("a list that is sent again is packed once, another one anew") {
  const shared_list<counted_insight> one{drawn(1, 3)}, equal{drawn(1, 3)},
      other{drawn(2, 3)};
  const auto first = packed_once(one);
  CHECK(packed_once(one) == first);
  CHECK(packed_once(shared_list{one}) == first);
  const auto anew = packed_once(equal);
  CHECK(anew != first);
  CHECK(anew->texts == first->texts);
  CHECK(anew->numbers == first->numbers);
  CHECK(packed_once(other)->numbers == pack(other.items()).numbers);
  CHECK(packed_once({})->ids.empty());
}

TEST_CASE("packed insights come back as they were") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    const auto insights = drawn(seed, seed % 40);
    const auto back = unpack(pack(insights));
    REQUIRE(back);
    CHECK(*back == insights);
    const auto work = job_with(insights);
    const auto sent = wire::decode<integrate_job>(wire::encode(work));
    REQUIRE(sent);
    CHECK(*sent == work);
  }
}

TEST_CASE("what repeats in packed insights is there once") {
  const auto packed = pack(drawn(3, 500));
  CHECK(packed.ids.size() == 500);
  CHECK(packed.lists.size() <= 1 + 5 + 25 + 125);
  std::set<std::string> texts{packed.texts.begin(), packed.texts.end()};
  CHECK(texts.size() == packed.texts.size());
  const auto back = unpack(packed);
  REQUIRE(back);
  // So what was shared is shared again.
  std::set<const void*> lists;
  for (const auto& counted : *back)
    lists.insert(&counted.item->fact.before.items());
  CHECK(lists.size() <= packed.lists.size());
  std::set<const void*> rollouts;
  for (const auto& counted : *back)
    for (const auto& rollout : counted.rollouts)
      rollouts.insert(&*rollout);
  CHECK(rollouts.size() == 40);
}

TEST_CASE("equal insights are packed alike, whether they share or not") {
  auto insights = drawn(5, 30);
  const auto before = pack(insights);
  for (auto& counted : insights) {
    auto copy = *counted.item;
    copy.fact.before = std::vector<std::string>(copy.fact.before.items());
    counted.item = copy;
  }
  CHECK(pack(insights) == before);
}

TEST_CASE("damaged packed insights are refused or whole") {
  const auto packed = pack(drawn(7, 12));
  for (std::size_t keep = 0; keep < packed.numbers.size(); ++keep) {
    auto cut = packed;
    cut.numbers.resize(keep);
    CHECK_FALSE(unpack(cut));
  }
  auto longer = packed;
  longer.numbers += '\0';
  CHECK_FALSE(unpack(longer));
  auto fewer = packed;
  fewer.rewards.pop_back();
  CHECK_FALSE(unpack(fewer));
  auto more = packed;
  more.ids.push_back("one more");
  more.rewards.push_back(0);
  CHECK_FALSE(unpack(more));
  rng draw{11};
  for (int round = 0; round < 2000; ++round) {
    auto changed = packed;
    for (auto left = 1 + draw.below(4); left > 0; --left)
      changed.numbers[draw.below(changed.numbers.size())] =
          static_cast<char>(draw.below(256));
    if (const auto made = unpack(changed))
      CHECK(made->size() == packed.ids.size());
  }
}

TEST_CASE("lists and texts that are not there are refused") {
  packed_insights packed = pack(drawn(9, 1));
  packed.lists = {{99}};
  CHECK_FALSE(unpack(packed));
  packed = pack(drawn(9, 1));
  packed.lists.clear();
  CHECK_FALSE(unpack(packed));
  packed = pack(drawn(9, 1));
  packed.texts.clear();
  CHECK_FALSE(unpack(packed));
}

TEST_CASE("a text that every insight names cannot fill the memory") {
  std::vector<counted_insight> insights(3000);
  insight item;
  item.sentence = std::string(1U << 20U, 'x');
  for (auto& counted : insights)
    counted.item = item;
  auto packed = pack({insights.begin(), insights.begin() + 1});
  const auto one = packed.numbers;
  for (std::size_t i = 1; i < insights.size(); ++i) {
    packed.numbers += one;
    packed.ids.push_back({});
    packed.rewards.push_back(0);
  }
  const auto made = unpack(packed);
  REQUIRE_FALSE(made);
  CHECK(made.error().code == ec::malformed);
}

TEST_CASE("a job with damaged packed insights names the place") {
  broken_job broken;
  broken.insights.numbers = "x";
  const auto made = wire::decode<integrate_job>(wire::encode(broken));
  REQUIRE_FALSE(made);
  CHECK(made.error().message.find("integrate_job") == 0);
}
