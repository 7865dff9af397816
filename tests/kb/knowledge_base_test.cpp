#include "kb/bm25.hpp"
#include "kb/knowledge_base.hpp"
#include "tests/kb/support.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::test;

namespace {

knowledge_base two() {
  return *knowledge_base::make(
      {{{4}, "four", doc("# Four\n")}, {{1}, "one", doc("# One\n")}});
}

} // namespace

TEST_CASE("entries are in concept order whatever the order given") {
  const auto kb = two();
  REQUIRE(kb.size() == 2);
  CHECK(kb.entries()[0].concept_ref == concept_id{1});
  CHECK(kb.entries()[1].concept_ref == concept_id{4});
  CHECK(kb.find({4})->title == "four");
  CHECK(kb.find({2}) == nullptr);
}

TEST_CASE("two documents for one concept are refused") {
  const auto made =
      knowledge_base::make({{{1}, "a", doc("a")}, {{1}, "b", doc("b")}});
  REQUIRE_FALSE(made);
  CHECK(made.error().message.find("concept 1") != std::string::npos);
  CHECK_FALSE(knowledge_base::make({{{1}, "a", nullptr}}));
}

TEST_CASE("a hybrid replaces one document and leaves the original alone") {
  const auto kb = two();
  const auto hybrid = kb.with({4}, "ignored", doc("# New\n"));
  CHECK(kb.find({4})->doc->body == "# Four\n");
  CHECK(hybrid.find({4})->doc->body == "# New\n");
  CHECK(hybrid.find({4})->title == "four");
  CHECK(hybrid.find({1})->doc == kb.find({1})->doc); // shared, not copied
  CHECK(hybrid.size() == 2);
}

TEST_CASE("with adds a concept that is not there, in order") {
  const auto grown = two().with({2}, "two", doc("# Two\n"));
  REQUIRE(grown.size() == 3);
  CHECK(grown.entries()[1].title == "two");
  CHECK(grown.without({2}).hash() == two().hash());
  CHECK(grown.without({9}).size() == 3);
  CHECK(knowledge_base{}.with({0}, "a", doc("a")).size() == 1);
}

TEST_CASE("the hash is of concepts and bodies, not of titles") {
  const auto kb = two();
  CHECK(kb.hash() == two().hash());
  CHECK(kb.hash() != kb.with({4}, "", doc("other")).hash());
  CHECK(kb.hash() != kb.with({5}, "", doc("# Four\n")).hash());
  const auto renamed = *knowledge_base::make(
      {{{4}, "other title", doc("# Four\n")}, {{1}, "one", doc("# One\n")}});
  CHECK(kb.hash() == renamed.hash());
  CHECK(knowledge_base{}.hash() == knowledge_base{}.hash());
}

TEST_CASE("references resolve to the same knowledge base") {
  document_store store;
  store.add("# One\n");
  store.add("# Four\n");
  const auto kb = two();
  const auto back = resolve(kb.refs(), store);
  REQUIRE(back);
  CHECK(back->hash() == kb.hash());
  CHECK(back->find({1})->title == "One"); // from the heading
}

TEST_CASE("an unknown reference is named") {
  const document_store store;
  const auto back = resolve({{{3}, {"abc"}}}, store);
  REQUIRE_FALSE(back);
  CHECK(back.error().code == ec::not_found);
  CHECK(back.error().message.find("abc of concept 3") != std::string::npos);
}

TEST_CASE("the heading is the first line with one hash sign") {
  CHECK(heading_of("text\n## no\n#  Yes \n# later") == "Yes");
  CHECK(heading_of("no heading") == "");
}

TEST_CASE("the retriever counts in the order of the entries") {
  const auto index = make_bm25(two());
  CHECK(index->size() == 2);
  CHECK(index->search("four", 3).at(0).index == 1);
}
