/// How a search is saved at its gathers, and how others of its run begin there.

#include "run/resume/search_snapshots.hpp"
#include "tests/fixtures/scratch.hpp"
#include "tests/learners/brew/support.hpp"

using namespace brewery;

namespace {

/// The tree of a search after its first gather.
struct search_at_start {
  scratch folder;
  std::shared_ptr<const brew_settings> settings =
      std::make_shared<const brew_settings>(test::stub_settings());
  test::bench b{*settings};

  search_at_start() { b.iterate(0); }

  [[nodiscard]] std::shared_ptr<search_snapshots>
  open(const std::string& name) const {
    return std::make_shared<search_snapshots>(
        folder.path() / name, [] { return std::vector<run_growth>{}; });
  }
  [[nodiscard]] search_mark mark(std::uint32_t iteration) const {
    search_mark out;
    out.fingerprint = settings->fingerprint;
    out.gathered.iteration = iteration;
    return out;
  }
  /// Saves the tree at this gather.
  void save(search_snapshots& in, std::uint32_t iteration) {
    in.save(b.search);
    in.mark(mark(iteration));
    in.close();
  }
  [[nodiscard]] bool is_same(const restored_search& other) const {
    return other.trees.size() == 1
           && other.trees[0]->saved() == b.search.saved()
           && other.trees[0]->insights().list() == b.search.insights().list();
  }
};

} // namespace

TEST_CASE("as many searches as agreed begin from memory like the first one") {
  search_at_start first;
  const auto saved = first.open("first");
  saved->keep_start(2);
  first.save(*saved, 0);
  // So it is not read from disk, and not needed there.
  std::filesystem::remove_all(first.folder.path() / "first");
  for (const std::string name : {"second", "third"}) {
    const auto start =
        first.open(name)->begin_like(*saved, first.settings, first.b.documents);
    REQUIRE(start);
    CHECK(start->mark.gathered.iteration == 0);
    CHECK(first.is_same(*start));
  }
  CHECK_FALSE(first.open("fourth")->begin_like(*saved, first.settings,
                                               first.b.documents));
}

TEST_CASE("what began like another search is saved whole with its own") {
  const bool from_memory = GENERATE(true, false);
  INFO("from memory: " << from_memory);
  search_at_start first;
  const auto saved = first.open("first");
  if (from_memory) saved->keep_start(1);
  first.save(*saved, 0);
  {
    const auto second = first.open("second");
    const auto start =
        second->begin_like(*saved, first.settings, first.b.documents);
    REQUIRE(start);
    second->save(*start->trees.at(0));
    second->mark(first.mark(1));
  }
  // In another process, which has no documents.
  const auto again = first.open("second");
  std::string why;
  const auto loaded = again->load(
      first.settings, {first.mark(0).gathered, first.mark(1).gathered},
      std::make_shared<document_store>(), [](const run_growth&) {}, why);
  CHECK(why.empty());
  REQUIRE(loaded);
  CHECK(loaded->mark.gathered.iteration == 1);
  CHECK(first.is_same(*loaded));
}

TEST_CASE("nobody begins like a search whose first gather was not saved") {
  search_at_start first;
  const auto saved = first.open("first");
  saved->keep_start(1);
  first.save(*saved, 2);
  CHECK_FALSE(first.open("second")->begin_like(*saved, first.settings,
                                               first.b.documents));
}

TEST_CASE("nobody begins like a search of another configuration") {
  search_at_start first;
  const auto saved = first.open("first");
  saved->keep_start(1);
  first.save(*saved, 0);
  auto other = *first.settings;
  other.fingerprint += "other";
  CHECK_FALSE(first.open("second")->begin_like(
      *saved, std::make_shared<const brew_settings>(other), first.b.documents));
}
