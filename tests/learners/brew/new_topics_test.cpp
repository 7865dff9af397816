/// Insights of training rollouts on topics that no concept has by name.

#include "learners/brew/concept_search.hpp"
#include "tests/fixtures/stub_work.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace brewery;
using namespace brewery::test;

namespace {

insight sentence_of(const std::string& topic, const std::string& text) {
  insight out;
  out.topic = topic;
  out.sentence = text;
  out.id = identity(out);
  return out;
}

using vector_map = std::map<std::string, std::vector<double>>;
using topic_and_text = std::pair<std::string, std::string>;

brew_settings with_threshold(double cluster_threshold) {
  auto out = stub_settings();
  out.learner.cluster_threshold = cluster_threshold;
  return out;
}

/// The tree of "fan", beside a concept "bill" that is another's.
struct new_topics {
  brew_settings settings = with_threshold(0.75);
  std::shared_ptr<document_store> documents =
      std::make_shared<document_store>();
  doc_hash root = documents->add("# Fan\n\nfan\n")->hash;
  bool has_places = true;
  bool embeds = true;
  vector_map space{{"fan speed", {1, 0.1}},     {"it turns", {1, 0}},
                   {"it is slow", {0.8, -0.6}}, {"invoice", {0, 1}},
                   {"it is due", {0, 1}},       {"sun", {-1, -1}},
                   {"it shines", {-1, -1}}};
  std::vector<std::string> embedded;

  formed_concept about() const {
    auto out = fan_concept(settings);
    if (!has_places) return out;
    const auto places = std::make_shared<concept_places>();
    places->add(out.record, {1, 0});
    places->add({{1}, "Bill", {"bill"}, {}, {}}, {0, 1});
    out.places = places;
    return out;
  }

  job_result answer(const job& item,
                    const std::vector<topic_and_text>& learned) {
    auto out = stub_work(item, {"fan"});
    if (const auto* work = std::get_if<rollout_job>(&item.input)) {
      std::vector<shared_value<insight>> insights;
      for (const auto& [topic, text] : learned)
        insights.emplace_back(sentence_of(topic, text));
      if (work->reflect)
        std::get<rollout_result>(out.output).insights = std::move(insights);
    }
    if (const auto* work = std::get_if<embed_job>(&item.input)) {
      embedded = work->texts;
      embed_result made{work->id, {}};
      for (const auto& text : work->texts)
        made.vectors.push_back(space.at(text));
      out.output = std::monostate{};
      if (embeds) out.output = std::move(made);
    }
    return out;
  }

  /// The sentences that one iteration tells its integrator.
  std::set<std::string> told(const std::vector<topic_and_text>& learned) {
    concept_search search{std::make_shared<const brew_settings>(settings),
                          about(),
                          root,
                          {},
                          documents};
    auto open = search.start({1, {{{0}, root}}}).jobs;
    std::set<std::string> out;
    bool reported = false;
    for (std::size_t i = 0; i < open.size() && !reported; ++i) {
      const job item = open[i];
      if (const auto* work = std::get_if<integrate_job>(&item.input))
        for (const auto& counted : work->insights)
          out.insert(counted.item->sentence);
      const auto step = search.on(answer(item, learned));
      open.insert(open.end(), step.jobs.begin(), step.jobs.end());
      reported = step.report.has_value();
    }
    CHECK(reported);
    return out;
  }
};

using sentences = std::set<std::string>;

} // namespace

TEST_CASE("an insight on a new topic joins the concept it is nearest to") {
  new_topics s;
  CHECK(s.told({{"fan speed", "it turns"},
                {"invoice", "it is due"},
                {"sun", "it shines"}})
        == sentences{"it turns"});
}

TEST_CASE("an insight on another concept's topic is not looked at") {
  new_topics s;
  CHECK(s.told({{"bill", "it is paid"}}).empty());
  CHECK(s.embedded.empty());
}

TEST_CASE("new topics and sentences without a vector are embedded together") {
  new_topics s;
  CHECK(s.told({{"fan", "it is slow"}, {"fan speed", "it turns"}})
        == sentences{"it is slow", "it turns"});
  CHECK(s.embedded
        == std::vector<std::string>{"fan speed", "it is slow", "it turns"});
}

TEST_CASE("a new topic is found without merging sentences too") {
  new_topics s;
  s.settings.learner.merge_similarity = 1;
  s.settings.learner.accumulate_insights = false;
  CHECK(s.told({{"fan", "it is slow"}, {"fan speed", "it turns"}})
        == sentences{"it is slow", "it turns"});
}

TEST_CASE("without vectors, or places, a new topic belongs to no concept") {
  new_topics s;
  s.embeds = false;
  CHECK(s.told({{"fan speed", "it turns"}, {"fan", "it is slow"}})
        == sentences{"it is slow"});
  s.embeds = true;
  s.has_places = false;
  CHECK(s.told({{"fan speed", "it turns"}}).empty());
}

TEST_CASE("the threshold of concepts decides what is too far") {
  new_topics s;
  s.space["fan speed"] = {1, 1};
  s.space["it turns"] = {1, 1};
  CHECK(s.told({{"fan speed", "it turns"}}).empty());
  s.settings.learner.cluster_threshold = 0.7;
  CHECK(s.told({{"fan speed", "it turns"}}) == sentences{"it turns"});
}
