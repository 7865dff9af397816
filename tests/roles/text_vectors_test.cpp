#include "roles/kb_retriever.hpp"
#include "roles/procedural/procedural_embedder.hpp"
#include "tests/roles/support.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

/// Says what it was asked, and fails if told.
class watched_embedder final : public embedder {
public:
  struct call {
    std::vector<std::string> texts;
    job_id job;
    std::uint32_t number;
  };
  mutable std::vector<call> calls;
  std::optional<error> failure;
  std::size_t length = 16;
  std::size_t vectors = 1;

  result<std::vector<std::vector<double>>>
  embed(const std::vector<std::string>& texts,
        job_context& context) const override {
    calls.push_back({texts, context.job, context.calls++});
    if (failure) return *failure;
    auto made = procedural_embedder{static_cast<std::uint32_t>(length)}.embed(
        texts, context);
    made->resize(vectors);
    return made;
  }
};

std::shared_ptr<const kb_index>
dense_library(const std::vector<std::string>& bodies,
              const text_vectors& known) {
  std::vector<kb_entry> entries;
  for (std::uint32_t i = 0; i < bodies.size(); ++i)
    entries.push_back(
        {{i + 5},
         "title",
         std::make_shared<const document>(make_document(bodies[i]))});
  const auto kb = *knowledge_base::make(std::move(entries));
  auto made = std::make_shared<kb_index>();
  for (const auto& entry : kb.entries()) {
    made->documents.push_back(entry.doc);
    made->concepts.push_back(entry.concept_ref);
  }
  made->index =
      *make_retriever(kb, {.kind = "dense"}, *vectors_of(kb, known, {{"job"}}));
  return made;
}

} // namespace

TEST_CASE("a text is embedded once, under a number that follows from it") {
  const auto by = std::make_shared<watched_embedder>();
  const text_vectors known{by}, other{by};
  const job_context first{{"first"}, 7}, second{{"second"}};
  const auto fan = *known.of("the fan", first);
  CHECK(*known.of("the fan", second) == fan); // not only an equal one
  REQUIRE(by->calls.size() == 1);
  CHECK(by->calls[0].texts == lines{"the fan"});
  CHECK(by->calls[0].job == first.job);
  CHECK(first.calls == 7); // the agent's own calls keep their numbers
  REQUIRE(known.of("a pump", second));
  REQUIRE(other.of("the fan", second));
  REQUIRE(by->calls.size() == 3);
  CHECK(by->calls[2].job == second.job);
  CHECK(by->calls[2].number == by->calls[0].number);
  CHECK(by->calls[1].number != by->calls[0].number);
  for (const auto& call : by->calls) {
    CHECK(call.number >= 1U << 31);
    CHECK(call.number < UINT32_MAX); // the number of grades
  }
}

TEST_CASE("blank texts have no vector, and nobody is asked for one") {
  const auto by = std::make_shared<watched_embedder>();
  const text_vectors known{by};
  for (const auto* blank : {"", " \n\t"})
    CHECK((*known.of(blank, {{"job"}}))->empty());
  CHECK(by->calls.empty());
}

TEST_CASE("no more vectors are kept than there is room for") {
  const auto by = std::make_shared<watched_embedder>();
  const text_vectors known{by, 40}; // two of them
  for (const auto* text : {"a", "b", "a", "b"})
    REQUIRE(known.of(text, {{"job"}}));
  CHECK(by->calls.size() == 2);
  for (const auto* text : {"c", "a"})
    REQUIRE(known.of(text, {{"job"}}));
  CHECK(by->calls.size() == 4);
}

TEST_CASE("an embedder's failure is passed on and not kept") {
  const auto by = std::make_shared<watched_embedder>();
  const text_vectors known{by};
  by->failure = error{ec::timeout, "embedder: no answer"};
  const auto failed = known.of("a", {{"job"}});
  REQUIRE_FALSE(failed);
  CHECK(failed.error().code == ec::timeout);
  CHECK(failed.error().message == "embedder: no answer");
  by->failure.reset();
  CHECK(known.of("a", {{"job"}}));
  by->vectors = 2;
  CHECK(known.of("b", {{"job"}}).error().message
        == "embedder: 2 vectors for one text");
}

TEST_CASE("a session embeds its queries and ranks concepts as it retrieves") {
  const auto by = std::make_shared<watched_embedder>();
  const text_vectors known{by};
  const auto library =
      dense_library({"fan off light", "pump", "", "the fan"}, known);
  CHECK(by->calls.size() == 3); // not the blank one
  retrieval_session session{library, 1, [&](std::string_view query) {
                              return known.of(query, {{"job"}});
                            }};
  const auto found = session.retrieve("the fan", 0);
  REQUIRE(found);
  REQUIRE(found->size() == 1);
  CHECK(found->front()->body == "the fan");
  CHECK(by->calls.size() == 3); // it is a document as well
  CHECK(*session.ranking("the fan", 9) == std::vector<concept_id>{{8}, {5}});
  CHECK(session.ranking("the fan", 1)->size() == 1);
  CHECK(session.ranking("", 9)->empty());
  CHECK(session.take_records().size() == 1);
}

TEST_CASE("a query's vector of another length is an error that says both") {
  const auto by = std::make_shared<watched_embedder>();
  const text_vectors known{by};
  const auto library = dense_library({"fan", "pump"}, known);
  by->length = 24;
  retrieval_session session{library, 3, [&](std::string_view query) {
                              return known.of(query, {{"job"}});
                            }};
  const auto wrong = session.retrieve("valve", 0);
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().code == ec::malformed);
  CHECK(wrong.error().message
        == "retrieval: the vector of the query has 24 numbers, those of the "
           "documents have 16");
  CHECK(session.take_records().empty());
}

TEST_CASE("only kinds with vectors are in the key of a rollout") {
  CHECK(fingerprint(retrieval_options{}).empty());
  CHECK(fingerprint(retrieval_options{.kind = "dense"}) == "kind=dense/2");
  CHECK(fingerprint(retrieval_options{.kind = "hybrid", .fusion = {20, 1, 0.5}})
        == "kind=hybrid/2 fusion=20/1/0.5");
}
