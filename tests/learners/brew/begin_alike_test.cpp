/// Searches that begin where another one of their run stands.

#include "tests/learners/brew/scored_search.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

/// As the other stands, with what it has grown and the same documents.
scored_search beginning_like(const scored_search& other,
                             const brew_settings& settings) {
  scored_search out{settings, other.by};
  auto made = concept_search::restored(
      std::make_shared<const brew_settings>(settings), other.b.search.saved(),
      nullptr, other.b.documents);
  REQUIRE(made);
  made->absorb(other.b.search.grown());
  made->give_all_again();
  out.b.documents = other.b.documents;
  out.b.search = std::move(*made);
  out.b.current = other.b.current;
  return out;
}

/// What a tree is made of, in whatever portions it came.
tree_growth together(const std::vector<tree_growth>& growth) {
  tree_growth out;
  for (const auto& part : growth) {
    out.parts.insert(out.parts.end(), part.parts.begin(), part.parts.end());
    out.documents.insert(out.documents.end(), part.documents.begin(),
                         part.documents.end());
    out.vectors.insert(part.vectors.begin(), part.vectors.end());
    out.evidence.insert(part.evidence.begin(), part.evidence.end());
  }
  return out;
}

brew_settings settings_with(bool bounds) {
  economy_options economy;
  economy.bounds = bounds;
  economy.wave = 2;
  return scored_settings(economy);
}

} // namespace

TEST_CASE("a search that begins where another stands goes on as it does") {
  const auto settings = settings_with(GENERATE(false, true));
  scored_search whole{settings, {3}};
  whole.run();
  for (std::uint32_t cut = 0; cut < scored_search::iterations; ++cut) {
    INFO("begins after iteration " << cut);
    scored_search first{settings, {3}};
    first.run(0, 0, cut);
    auto second = beginning_like(first, settings);
    second.run(0, cut + 1);
    CHECK(second.b.search.saved() == whole.b.search.saved());
    CHECK(second.b.search.insights().list()
          == whole.b.search.insights().list());
    // Its own snapshot lacks nothing of what the other had.
    CHECK(together(second.growth) == together(whole.growth));
  }
}

TEST_CASE("two searches that begin alike do not touch each other") {
  const auto settings = settings_with(false);
  scored_search first{settings, {3}};
  first.run(0, 0, 0);
  auto second = beginning_like(first, settings);
  const auto before = second.b.search.insights().list();
  first.run(0, 1);
  CHECK(second.b.search.insights().list() == before);
  CHECK(first.b.search.insights().list() != before);
  second.run(0, 1);
  CHECK(second.b.search.saved() == first.b.search.saved());
}
