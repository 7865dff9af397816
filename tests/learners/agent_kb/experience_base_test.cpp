#include "base/hash.hpp"
#include "base/rng.hpp"
#include "learners/agent_kb/experience_base.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

using namespace brewery;

namespace {

/// A problem in a direction of its own: `axis`, turned by an angle towards the
/// next axis.
candidate_experience about(std::size_t axis, double cosine,
                           const std::string& step) {
  candidate_experience out;
  out.content = {"T", {"p"}, {}, {step}, {}, "toy", 1, {}, {}};
  out.hash = {"e" + std::to_string(axis) + "/" + std::to_string(cosine)};
  auto& place = out.facets[0];
  place.resize(1400);
  place[2 * axis] = cosine;
  place[2 * axis + 1] = std::sqrt(1 - cosine * cosine);
  return out;
}

std::set<std::string> hashes(const experience_base& base) {
  std::set<std::string> out;
  for (const auto& [hash, item] : base.held())
    out.insert(hash.value);
  return out;
}

std::size_t count(const memory_record& record, std::string_view what) {
  return static_cast<std::size_t>(
      std::ranges::count(record.changes, what, &memory_change::what));
}

} // namespace

TEST_CASE("of planted pairs those above the threshold lose one, no others") {
  std::vector<candidate_experience> all;
  rng draw{3};
  for (std::size_t i = 0; i < 300; ++i) {
    all.push_back(about(i, 1, "same"));
    all.push_back(about(i, 0.801 + 0.19 * draw.uniform(), "same"));
  }
  for (std::size_t i = 300; i < 600; ++i) {
    all.push_back(about(i, 1, "same"));
    all.push_back(about(i, 0.75 + 0.05 * draw.uniform(), "same"));
  }
  REQUIRE(all.size() == 1200);
  std::set<std::string> first;
  // BREWERY_FULL_SIZES: 20 orders, which take 12 s.
  const int orders = std::getenv("BREWERY_FULL_SIZES") != nullptr ? 20 : 3;
  for (int round = 0; round < orders; ++round) {
    experience_base base{agent_kb_options{}};
    for (const auto& one : all)
      base.admit(one);
    CHECK(base.held().size() == 900);
    if (round == 0) first = hashes(base);
    CHECK(hashes(base) == first); // whatever the order
    draw.shuffle(all);
  }
}

TEST_CASE("other steps for an equal problem are kept beside each other") {
  experience_base base{agent_kb_options{}};
  base.admit(about(0, 1, "one"));
  base.admit(about(0, 0.99, "another"));
  CHECK(base.held().size() == 2);
  auto both = about(0, 0.98, "one");
  both.content.steps.emplace_back("two");
  base.admit(both); // says what the first one says, and more
  CHECK(base.held().size() == 2);
  CHECK(base.held().contains(both.hash));
  const auto record = base.take_record(0);
  CHECK(count(record, memory_changes::replaced) == 1);
  CHECK(record.entries.size() == 2);
  CHECK(base.take_record(1).changes.empty());
}

TEST_CASE("what solves an equal problem otherwise is related to it") {
  experience_base base{agent_kb_options{}};
  const auto one = about(0, 1, "one");
  auto other = about(0, 0.99, "another");
  auto far = about(0, 0.98, "a third");
  far.content.domain = "desk";
  for (const auto& item : {one, other, far})
    base.admit(item);
  const auto record = base.take_record(0);
  CHECK(base.held().size() == 3);
  CHECK(count(record, memory_changes::alternative) == 1);
  CHECK(count(record, memory_changes::adaptation) == 1);
  CHECK(record.changes[2].entry == other.hash.value);
  CHECK(record.changes[2].other == one.hash.value);
  CHECK(base.take_rivals().empty());
}

TEST_CASE("of two ways the one that served better is selected") {
  agent_kb_options options;
  options.conflicts = agent_kb_conflicts::select;
  for (const double outcome : {0.0, 1.0}) {
    experience_base base{options};
    const auto one = about(0, 1, "one"), other = about(0, 0.99, "another");
    base.admit(one);
    base.credit({one.hash}, outcome);
    base.admit(other);
    CHECK(base.held().size() == 1);
    CHECK(base.held().contains(outcome > 0 ? one.hash : other.hash));
    const auto record = base.take_record(0);
    CHECK(count(record, memory_changes::conflict) == 1);
    CHECK(record.changes.back().before < record.changes.back().after);
  }
}

TEST_CASE("two ways that become one leave what they have proved") {
  agent_kb_options options;
  options.conflicts = agent_kb_conflicts::merge;
  options.learning_rate = 1;
  experience_base base{options};
  const auto a = about(0, 1, "one"), b = about(0, 0.99, "another");
  const auto c = about(0, 0.98, "a third");
  for (const auto& item : {a, b, c})
    base.admit(item);
  base.credit({a.hash}, 1);
  const auto rivals = base.take_rivals();
  REQUIRE(rivals.size() == 1); // the third one's rival has one already
  CHECK(rivals.front() == std::pair{a.hash, b.hash});
  CHECK(base.take_rivals().empty());
  auto both = about(0, 0.995, "one");
  both.content.steps.emplace_back("another");
  base.merge(a.hash, b.hash, both);
  CHECK(base.held().size() == 2);
  const auto& stats = base.held().at(both.hash).stats;
  CHECK(stats.quality == Approx((2 * 1 + 1 * 0.5) / 3));
  CHECK(stats.uses == 1);
  CHECK(count(base.take_record(0), memory_changes::merged) == 2);
}

TEST_CASE("relations follow from the steps") {
  const experience one{"", {}, {}, {"a"}, {}, "d", 0, {}, {}};
  auto more = one;
  more.steps = {"b", "a"};
  auto other = one;
  other.steps = {"c"};
  auto far = other;
  far.domain = "e";
  CHECK(relation_of(one, one) == relation::same);
  CHECK(relation_of(one, more) == relation::abstraction);
  CHECK(relation_of(more, one) == relation::composition);
  CHECK(relation_of(one, other) == relation::alternative);
  CHECK(relation_of(one, far) == relation::adaptation);
}

TEST_CASE("what does harm is evicted, and nothing of worth") {
  agent_kb_options options;
  options.capacity = 500;
  experience_base base{options};
  std::vector<doc_hash> all;
  for (std::size_t i = 0; i < 600; ++i) {
    auto one = about(i, 1, "step " + std::to_string(i));
    all.push_back(one.hash);
    base.admit(std::move(one));
  }
  const auto harmful = [](std::size_t i) { return i % 6 == 0; };
  // Three are found for each of 300 uses; what is harmful fails.
  for (std::size_t use = 0; use < 300; ++use)
    for (std::size_t n = 0; n < 3; ++n) {
      const auto i = (3 * use + n) % all.size();
      base.credit({all[i]}, harmful(i) ? 0 : 1);
    }
  std::map<doc_hash, double> before;
  for (const auto& [hash, item] : base.held())
    before[hash] = base.utility_of(item);
  base.prune();
  CHECK(base.held().size() == 500);
  std::size_t gone = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    gone += harmful(i) && !base.held().contains(all[i]);
  CHECK(gone >= 95);
  std::vector<double> kept;
  for (const auto& [hash, item] : base.held())
    kept.push_back(before.at(hash));
  std::ranges::sort(kept);
  for (const auto& hash : all)
    if (!base.held().contains(hash)) CHECK(before.at(hash) <= kept[250]);
}

TEST_CASE("an experience that only fails is evicted without a capacity") {
  agent_kb_options options;
  options.learning_rate = 0.5;
  experience_base base{options};
  const auto bad = about(0, 1, "bad");
  base.admit(bad);
  base.admit(about(1, 1, "unused"));
  for (int i = 0; i < 4; ++i)
    base.credit({bad.hash}, 0); // 0.5 * 0.5^4 = 0.03125
  base.prune();
  CHECK_FALSE(base.held().contains(bad.hash));
  CHECK(base.held().size() == 1);
  CHECK(count(base.take_record(0), memory_changes::evicted) == 1);
}

TEST_CASE("what was evicted comes back with what it had proved") {
  agent_kb_options options;
  options.learning_rate = 0.5;
  experience_base base{options};
  const auto bad = about(0, 1, "bad");
  base.admit(bad);
  for (int i = 0; i < 4; ++i)
    base.credit({bad.hash}, 0);
  base.prune();
  REQUIRE(base.held().empty());
  base.admit(bad); // of the same attempts, at the next barrier
  REQUIRE(base.held().contains(bad.hash));
  CHECK(base.held().at(bad.hash).stats.quality == 0.03125);
  CHECK(base.held().at(bad.hash).stats.uses == 4);
  base.prune();
  CHECK(base.held().empty());
}

TEST_CASE("a way that was not selected is no new one at the next barrier") {
  agent_kb_options options;
  options.conflicts = agent_kb_conflicts::select;
  options.learning_rate = 1;
  experience_base base{options};
  const auto bad = about(0, 1, "one"), good = about(0, 0.99, "another");
  base.admit(bad);
  base.credit({bad.hash}, 0);
  base.admit(good);
  REQUIRE(base.held().contains(good.hash));
  base.credit({good.hash}, 0.25); // less than what a new one begins with
  base.admit(bad);
  CHECK(base.held().size() == 1);
  CHECK(base.held().contains(good.hash));
}

TEST_CASE("what failed does not replace what says a part of it and served") {
  agent_kb_options options;
  options.learning_rate = 1;
  experience_base base{options};
  auto whole = about(0, 0.99, "one");
  whole.content.steps.emplace_back("two");
  base.admit(whole);
  base.credit({whole.hash}, 0);
  base.prune();
  REQUIRE(base.held().empty());
  const auto part = about(0, 1, "one");
  base.admit(part);
  base.credit({part.hash}, 1);
  base.admit(whole);
  CHECK(base.held().size() == 1);
  CHECK(base.held().contains(part.hash));
}
