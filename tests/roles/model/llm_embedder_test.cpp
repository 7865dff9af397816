#include "roles/model/llm_embedder.hpp"
#include "tests/roles/scripted_model.hpp"

#include <cmath>

using namespace brewery;
using namespace brewery::test;

namespace {

/// Answers with a vector for each text, made by `of`.
std::shared_ptr<scripted_model>
embedding_model(std::function<std::vector<double>(const std::string&)> of) {
  return std::make_shared<scripted_model>(
      [of = std::move(of)](const model_call& call) -> result<model_answer> {
        embedding_reply reply;
        for (const auto& text : std::get<embedding_request>(call.request).texts)
          reply.vectors.push_back(of(text));
        return model_answer{reply};
      });
}

result<std::vector<std::vector<double>>>
embed(const std::shared_ptr<scripted_model>& model, const lines& texts,
      std::uint32_t batch = 2, std::uint32_t dimensions = 0) {
  embedder_options options;
  options.batch = batch;
  options.model_dimensions = dimensions;
  job_context context;
  return llm_embedder{asker_of("embedder", kit_of(model)), options}.embed(
      texts, context);
}

} // namespace

TEST_CASE("texts are embedded in batches, in order, as unit vectors") {
  const auto model = embedding_model([](const std::string& text) {
    return std::vector<double>{3.0 * static_cast<double>(text.size()), 4};
  });
  const lines texts{"a", "bb", "ccc", "dddd", "eeeee"};
  const auto got = embed(model, texts);
  REQUIRE(got);
  REQUIRE(got->size() == texts.size());
  CHECK(model->calls.size() == 3);
  CHECK(got->at(0)[0] == Approx(0.6));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto& v = got->at(i);
    CHECK(v[0] * v[0] + v[1] * v[1] == Approx(1));
    CHECK(v[0] / v[1] == Approx(0.75 * static_cast<double>(texts[i].size())));
  }
  CHECK(embed(model, {})->empty());
}

TEST_CASE("vectors that cannot be unit vectors of one length are refused") {
  const auto always = [](std::vector<double> vector) {
    return embedding_model(
        [vector = std::move(vector)](const std::string&) { return vector; });
  };
  const std::vector<std::pair<std::shared_ptr<scripted_model>, std::string>>
      cases{{always({0, 0}), "cannot be brought to 1"},
            {always({NAN, 1}), "cannot be brought to 1"},
            {always({INFINITY, 1}), "cannot be brought to 1"},
            {always({}), "has 0 numbers"},
            {embedding_model([](const std::string& text) {
               return std::vector<double>(text.size(), 1.0);
             }),
             "the vector of \"bb\" has 2 numbers, expected 1"},
            {std::make_shared<scripted_model>(
                 [](const model_call&) -> result<model_answer> {
                   return model_answer{embedding_reply{{{1.0}}, {}}};
                 }),
             "1 vectors for 2 texts"}};
  for (const auto& [model, words] : cases) {
    const auto got = embed(model, {"a", "bb", "ccc"});
    REQUIRE_FALSE(got);
    CHECK(got.error().code == ec::malformed);
    INFO(got.error().message);
    CHECK(contains(got.error().message, words));
  }
  CHECK_FALSE(embed(always({1, 2, 3}), {"a"}, 2, 4));
  const auto empty = embed(always({1}), {"a", " "});
  REQUIRE_FALSE(empty);
  CHECK(contains(empty.error().message, "text 2 of 2 is empty"));
}

TEST_CASE(
    "vectors that were refused are disowned, with those they differ from") {
  const auto model = embedding_model([](const std::string& text) {
    return std::vector<double>(text == "odd" ? 3 : 2, 1.0);
  });
  CHECK_FALSE(embed(model, {"a", "b", "c", "odd"}));
  REQUIRE(model->verdicts.size() == 2);
  CHECK(model->verdicts[0].number == 0);
  CHECK(model->verdicts[1].number == 1);
  for (const auto& verdict : model->verdicts)
    CHECK(verdict.verdict == model_call::rejected);
  model->verdicts.clear();
  CHECK(embed(model, {"a", "b"}));
  CHECK(model->verdicts.empty());
}
