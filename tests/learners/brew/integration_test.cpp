#include "learners/brew/integration.hpp"
#include "learners/brew/settings.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace brewery;

namespace {

rollout_result graded(std::vector<grade_part> parts) {
  rollout_result out;
  out.grade.parts = std::move(parts);
  return out;
}

} // namespace

TEST_CASE("missed checks are counted, the most often missed first") {
  const std::vector<rollout_result> rollouts{
      graded({{"on", false}, {"paid", true}}),
      graded({{"on", false}, {"paid", false}}),
      graded({{"on", true}, {"met", true}})};
  std::vector<const rollout_result*> all;
  for (const auto& one : rollouts)
    all.push_back(&one);
  const std::vector<check_share> expected{{"on", 1, 3}, {"paid", 1, 2}};
  CHECK(missed_checks(all) == expected);
  std::reverse(all.begin(), all.end());
  CHECK(missed_checks(all) == expected);
  CHECK(missed_checks({}).empty());
}

TEST_CASE("at most twelve missed checks are told") {
  std::vector<grade_part> parts;
  for (int i = 0; i < 40; ++i)
    parts.push_back({"check " + std::to_string(i), false});
  const auto one = graded(parts);
  CHECK(missed_checks({&one}).size() == 12);
}

TEST_CASE("a concept knows the titles of the others, the nearest first") {
  std::vector<formed_concept> made(3);
  for (std::size_t k = 0; k < made.size(); ++k)
    made[k].record.title = std::string(1, static_cast<char>('A' + k));
  name_neighbours(made, {{1, 0}, {0, 1}, {1, 0.5}});
  using titles = std::vector<std::string>;
  CHECK(made[0].neighbours == titles{"C", "B"});
  CHECK(made[1].neighbours == titles{"C", "A"});
  CHECK(made[2].neighbours == titles{"A", "B"});
}

TEST_CASE("merged insights have all rollouts, each once") {
  insight first, second;
  first.sentence = "Look first.";
  first.id = {"a"};
  second.sentence = "Begin by looking.";
  second.id = {"b"};
  insight_pool pool;
  pool.add(first, {{"r1"}, {"t1"}, 1, 0});
  pool.add(first, {{"r2"}, {"t1"}, 0, 0});
  pool.add(second, {{"r2"}, {"t1"}, 0, 0});
  pool.add(second, {{"r3"}, {"t2"}, 0, 4});
  const insight_vectors vectors{{{"a"}, {1, 0}}, {{"b"}, {1, 0}}};
  const auto groups = equal_insights(pool.sentences(), vectors, 0.9);
  CHECK(groups == insight_groups{{{"b"}, {"a"}}});
  const auto merged = pool.list(groups, 3);
  REQUIRE(merged.size() == 1);
  CHECK(merged[0].item->sentence == "Look first.");
  CHECK(merged[0].count == 3);
  CHECK(merged[0].succeeded == 1);
  CHECK_FALSE(merged[0].fresh); // one of them was known
  CHECK(pool.list(equal_insights(pool.sentences(), {}, 0.9), 3).size() == 2);
}

TEST_CASE("texts are embedded in jobs of a limited size, in order") {
  std::vector<std::string> texts;
  for (int i = 0; i < 2500; ++i)
    texts.push_back(std::to_string(i));
  const auto jobs = make_embed_jobs(texts, "");
  CHECK(jobs.size() == 3);
  std::vector<std::string> all;
  for (const auto& work : jobs) {
    CHECK(work.texts.size() <= 1000);
    CHECK(work.id == identity(work));
    all.insert(all.end(), work.texts.begin(), work.texts.end());
  }
  CHECK(all == texts);
  CHECK(make_embed_jobs({}, "").empty());
  // Runs of a group do equal jobs once: with another embedder it is another.
  CHECK(make_embed_jobs(texts, "x")[0].id != jobs[0].id);
}
