#include "learners/brew/concepts.hpp"
#include "tests/fixtures/stub_work.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <set>

using namespace brewery;
using namespace brewery::test;

namespace {

using vector_map = std::map<std::string, std::vector<double>>;

rollout_result rollout(const std::string& task, std::vector<insight> insights) {
  rollout_result out;
  out.id = {"job of " + task};
  out.task = {task};
  out.insights =
      std::vector<shared_value<insight>>{insights.begin(), insights.end()};
  return out;
}

/// Three topics: two near one another, one apart; four train tasks.
struct scene {
  std::vector<rollout_result> rollouts{
      rollout("train0",
              {stub_insight("fan off", "a"), stub_insight("bill", "b")}),
      rollout("train1", {stub_insight("fan on", "c")}),
      rollout("train2",
              {stub_insight("fan off", "a"), stub_insight("bill", "d")}),
      rollout("train3", {})};
  std::vector<learner_task> train = stub_tasks("train", 4);
  std::vector<learner_task> eval = stub_tasks("eval", 4);
  vector_map space{{"bill", {0, 1, 0}},
                   {"fan off", {1, 0, 0}},
                   {"fan on", {1, 0.1, 0}},
                   {"eval number 0", {1, 0, 0}},
                   {"eval number 1", {0.9, 0.1, 0.5}},
                   {"eval number 2", {0, 1, 0}},
                   {"eval number 3", {0, 0, 1}}};
  eval_options choice{.min_per_concept = 1,
                      .max_per_concept = 4,
                      .similarity = 0.5,
                      .baselines = {}};
  std::uint32_t max_concepts = 0;
  std::uint64_t seed = 1;

  concept_inputs inputs() const {
    return {rollouts, train, eval, 0.75, max_concepts, choice, seed};
  }
  std::vector<formed_concept> form() const {
    std::vector<std::vector<double>> vectors;
    for (const auto& text : texts_to_embed(inputs(), said_insights{rollouts})) {
      const auto known = space.find(text);
      vectors.push_back(known == space.end() ? std::vector<double>{0, 0, 0}
                                             : known->second);
    }
    auto made = form_concepts(inputs(), said_insights{rollouts}, vectors);
    REQUIRE(made);
    return *made;
  }
};

std::set<std::string> ids(const std::vector<task_id>& tasks) {
  std::set<std::string> out;
  for (const auto& task : tasks)
    out.insert(task.value);
  CHECK(out.size() == tasks.size()); // no task twice
  return out;
}

using names = std::set<std::string>;

} // namespace

TEST_CASE("texts are topics in order, then train, then eval instructions") {
  const scene s;
  const auto texts = texts_to_embed(s.inputs(), said_insights{s.rollouts});
  REQUIRE(texts.size() == 3 + 4 + 4);
  CHECK(texts[0] == "bill");
  CHECK(texts[1] == "fan off");
  CHECK(texts[2] == "fan on");
  CHECK(texts[3] == "train number 0");
  CHECK(texts[7] == "eval number 0");
}

TEST_CASE("near topics are one concept, numbered from 0") {
  const auto made = scene{}.form();
  REQUIRE(made.size() == 2);
  CHECK(made[0].record.id == concept_id{0});
  CHECK(made[0].record.topics == std::vector<std::string>{"bill"});
  CHECK(made[0].record.title == "Bill");
  CHECK(made[1].record.id == concept_id{1});
  CHECK(made[1].record.topics == std::vector<std::string>{"fan off", "fan on"});
  const auto topics = topic_map({made[0].record, made[1].record});
  CHECK(topics.at("fan on") == concept_id{1});
  CHECK(topics.size() == 3);
}

TEST_CASE("with too many concepts the one with the fewest insights joins") {
  scene s;
  s.max_concepts = 2;
  CHECK(s.form().size() == 2); // as without
  s.max_concepts = 1;
  const auto made = s.form();
  REQUIRE(made.size() == 1);
  CHECK(made[0].record.topics
        == std::vector<std::string>{"bill", "fan off", "fan on"});
  CHECK(made[0].insights->size() == 4);
}

TEST_CASE("a concept keeps the insights on its topics, counted") {
  const auto made = scene{}.form();
  CHECK(made[0].insights->size() == 2); // b and d
  CHECK(made[1].insights->size() == 2); // "a" of both rollouts, and "c"
}

TEST_CASE("training tasks are those that gave an insight") {
  const auto made = scene{}.form();
  CHECK(ids(made[0].record.train_tasks) == names{"train0", "train2"});
  CHECK(ids(made[1].record.train_tasks) == names{"train0", "train1", "train2"});
}

TEST_CASE("held-out tasks are the similar ones") {
  const auto made = scene{}.form();
  CHECK(ids(made[0].record.eval_tasks) == names{"eval2"});
  CHECK(ids(made[1].record.eval_tasks) == names{"eval0", "eval1"});
}

TEST_CASE("the nearest fill up to the minimum, the maximum cuts") {
  scene s;
  s.choice.min_per_concept = 3;
  for (const auto& made : s.form())
    CHECK(made.record.eval_tasks.size() == 3);
  s.choice = {.min_per_concept = 1,
              .max_per_concept = 1,
              .similarity = 0.5,
              .baselines = {}};
  CHECK(ids(s.form()[1].record.eval_tasks) == names{"eval0"});
  s.choice = {.min_per_concept = 9,
              .max_per_concept = 9,
              .similarity = 0.5,
              .baselines = {}};
  CHECK(s.form()[1].record.eval_tasks.size() == 4); // there are no more
  s.choice = {.min_per_concept = 0,
              .max_per_concept = 4,
              .similarity = 1.1,
              .baselines = {}};
  CHECK(s.form()[0].record.eval_tasks.empty());
}

TEST_CASE("the tasks that contributed pull similar held-out tasks in") {
  scene s;
  s.choice = {.min_per_concept = 0,
              .max_per_concept = 4,
              .similarity = 0.6,
              .baselines = {}};
  // Of "bill" (0, 1, 0) alone no task is left but eval2.
  CHECK(ids(s.form()[0].record.eval_tasks) == names{"eval2"});
  // train0 and train2 contributed to it, train1 and train3 did not.
  s.space["train number 1"] = {9, 0, 0};
  s.space["train number 3"] = {9, 0, 0};
  CHECK(ids(s.form()[0].record.eval_tasks) == names{"eval2"});
  s.space["train number 2"] = {0, 0, 1};
  CHECK(ids(s.form()[0].record.eval_tasks) == names{"eval2", "eval3"});
  // Together they weigh as much as the topic: it is not outvoted.
  s.space["train number 0"] = {0, 0, 3};
  CHECK(ids(s.form()[0].record.eval_tasks) == names{"eval2", "eval3"});
}

TEST_CASE("the similarity is the cosine, whatever the length") {
  scene s;
  s.choice = {.min_per_concept = 0,
              .max_per_concept = 4,
              .similarity = 0.8,
              .baselines = {}};
  // Cosines with "bill" of 0.8, 0.6, 1 and 0.
  s.space["eval number 0"] = {30, 40, 0};
  s.space["eval number 1"] = {0.004, 0.003, 0};
  s.space["eval number 2"] = {0, 1e-6, 0};
  s.space["eval number 3"] = {0, 0, 0};
  CHECK(ids(s.form()[0].record.eval_tasks) == names{"eval0", "eval2"});
}

TEST_CASE("a text without any feature is similar to nothing") {
  scene s;
  s.choice = {.min_per_concept = 0,
              .max_per_concept = 4,
              .similarity = 0.01,
              .baselines = {}};
  s.eval.resize(1);
  s.space["eval number 0"] = {0, 0, 0};
  CHECK(s.form()[0].record.eval_tasks.empty());
  // Nor is anything to a concept without one.
  s.space["eval number 0"] = {1, 1, 1};
  s.space["bill"] = {0, 0, 0};
  CHECK(s.form()[0].record.title == "Bill");
  CHECK(s.form()[0].record.eval_tasks.empty());
}

TEST_CASE("a title begins with a capital where its topic has a letter") {
  const auto title = [](const std::string& topic) {
    scene s;
    s.rollouts = {rollout("train0", {stub_insight(topic, "x")})};
    s.space[topic] = {1, 0, 0};
    return s.form().at(0).record.title;
  };
  CHECK(title("apn") == "Apn");
  CHECK(title("zone") == "Zone");
  CHECK(title("4g") == "4g");
  CHECK(title("`x`") == "`x`");
  CHECK(title("{x}") == "{x}");
  CHECK(title("Upper") == "Upper");
}

TEST_CASE("a title writes as capitals what the insights mostly write so") {
  const auto title = [](const std::string& topic,
                        const std::vector<std::string>& sentences) {
    scene s;
    std::vector<insight> all;
    for (const auto& sentence : sentences)
      all.push_back(stub_insight(topic, sentence));
    s.rollouts = {rollout("train0", all)};
    s.space[topic] = {1, 0, 0};
    return s.form().at(0).record.title;
  };
  CHECK(title("sim status", {"The SIM is out."}) == "SIM status");
  CHECK(title("status of sim", {"(SIM)"}) == "Status of SIM");
  CHECK(title("a sim b", {"SIM"}) == "A SIM b");
  CHECK(title("sim sim", {"SIM"}) == "SIM SIM");
  CHECK(title("sim status", {"SIM", "sim", "Sim"}) == "Sim status");
  CHECK(title("sim status", {"SIM", "sim"}) == "Sim status");
  CHECK(title("sim status", {"SIM in", "SIM out", "sim"}) == "SIM status");
  // Part of another word is no such word, nor is a single letter.
  CHECK(title("sim status", {"SIM_LOCK SIMS 4SIM"}) == "Sim status");
  CHECK(title("x status", {"X"}) == "X status");
  CHECK(title("status x", {"X"}) == "Status x");
  CHECK(title("simple status", {"SIM"}) == "Simple status");
}

TEST_CASE("equally similar tasks are spread over concepts and seeds") {
  scene s;
  s.eval = stub_tasks("same", 30);
  s.choice = {.min_per_concept = 5,
              .max_per_concept = 5,
              .similarity = 2,
              .baselines = {}};
  for (const auto& task : s.eval)
    s.space[task.instruction] = {1, 1, 1};
  const auto made = s.form();
  const auto again = s.form();
  CHECK(made[0].record == again[0].record);
  CHECK(ids(made[0].record.eval_tasks) != ids(made[1].record.eval_tasks));
  s.seed = 2;
  CHECK(ids(s.form()[0].record.eval_tasks) != ids(made[0].record.eval_tasks));
  CHECK(std::is_sorted(made[0].record.eval_tasks.begin(),
                       made[0].record.eval_tasks.end()));
}

TEST_CASE("no insight gives no concept, and no error") {
  scene s;
  s.rollouts = {rollout("train0", {})};
  CHECK(s.form().empty());
}

TEST_CASE("vectors that do not fit the texts are refused") {
  const scene s;
  const auto refused = [&](std::vector<std::vector<double>> vectors,
                           const char* says) {
    const auto made =
        form_concepts(s.inputs(), said_insights{s.rollouts}, vectors);
    REQUIRE_FALSE(made);
    INFO(made.error().message);
    CHECK(made.error().message.find(says) != std::string::npos);
  };
  refused({{1, 2}}, "gave 1 vectors for 11 texts");
  std::vector<std::vector<double>> ragged(11, {1, 2});
  ragged[5] = {1};
  refused(ragged, "different lengths");
  refused(std::vector<std::vector<double>>(11, {std::nan(""), 1}), "nan");
}

TEST_CASE("topics of a model are embedded with what was written about them") {
  const auto written = [](const std::string& topic, const std::string& text) {
    insight item;
    item.topic = topic;
    item.sentence = text;
    item.id = identity(item);
    return item;
  };
  scene s;
  s.rollouts = {
      rollout("train0", {written("flight mode", "Turn it off first."),
                         written("bill", "Pay it.")}),
      rollout("train1", {written("no signal", "It must be off."),
                         written("airplane", "It must be off at once.")})};
  // The names are apart; what was written is near. "airplane" is the name that
  // is nearest to it.
  s.space = {{"airplane", {0, 0.6, 0.8}},
             {"bill", {0, 0, 1}},
             {"flight mode", {0, 1, 0}},
             {"no signal", {0, 0.8, -0.6}},
             {"Turn it off first.", {0.8, 0, 0.6}},
             {"It must be off.", {0.8, 0, 0.6}},
             {"It must be off at once.", {0.8, 0, 0.6}},
             {"Pay it.", {0, -1, 0}}};
  const auto texts = texts_to_embed(s.inputs(), said_insights{s.rollouts});
  REQUIRE(texts.size() == 4 + 8 + 4);
  CHECK(texts[12] == "It must be off at once.");
  auto inputs = s.inputs();
  inputs.cluster_threshold = 0.5;
  std::vector<std::vector<double>> vectors;
  for (const auto& text : texts)
    vectors.push_back(s.space.contains(text) ? s.space.at(text)
                                             : std::vector<double>{0, 0, 0});
  const auto made = form_concepts(inputs, said_insights{s.rollouts}, vectors);
  REQUIRE(made);
  REQUIRE(made->size() == 2);
  CHECK((*made)[0].record.topics
        == std::vector<std::string>{"airplane", "flight mode", "no signal"});
  CHECK((*made)[0].record.title == "Airplane");
  CHECK((*made)[0].vectors.size() == 3);
  CHECK((*made)[0].neighbours == std::vector<std::string>{"Bill"});
  vectors.pop_back();
  CHECK_FALSE(form_concepts(inputs, said_insights{s.rollouts}, vectors));
}
