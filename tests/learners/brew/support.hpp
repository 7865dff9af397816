#pragma once
/// One tree of a search, fed by hand.

#include "learners/brew/concept_search.hpp"
#include "tests/fixtures/stub_work.hpp"

#include <catch2/catch.hpp>

namespace brewery::test {

/// One tree fed by hand, beside the document of another concept.
struct bench {
  std::shared_ptr<document_store> documents =
      std::make_shared<document_store>();
  doc_hash root = documents->add("# Fan\n\nfan eval number\n")->hash;
  doc_hash other = documents->add("# Bill\n\nbill\n")->hash;
  std::vector<doc_ref> current{{{0}, root}, {{1}, other}};
  concept_search search;

  explicit bench(const brew_settings& settings = stub_settings())
      : search{std::make_shared<const brew_settings>(settings),
               about(settings),
               root,
               {{1, {{"i"}}}},
               documents} {}

  static formed_concept about(const brew_settings& settings) {
    auto made = fan_concept(settings);
    made.insights.change().add(stub_insight("fan", "first"),
                               {{"r0"}, {"train0"}});
    return made;
  }

  static job_result work(const job& item) {
    return stub_work(item, {"fan", "something else"});
  }

  /// Runs one iteration; results come in an order that the seed decides, and
  /// with `twice` each comes again later, after others.
  expand_report iterate(std::uint32_t iteration, std::uint64_t seed = 0,
                        bool twice = false) {
    rng order{rng_key(seed, iteration)};
    std::vector<job> open;
    std::vector<job_result> old;
    std::optional<expand_report> report;
    const auto take = [&](search_step step) {
      for (auto& item : step.jobs)
        open.push_back(std::move(item));
      if (step.report) {
        CHECK_FALSE(report); // one report per iteration
        report = step.report;
      }
    };
    take(search.start({iteration, current}));
    while (!open.empty()) {
      const auto at = seed == 0 ? 0 : order.below(open.size());
      const auto item = open[at];
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
      take(search.on(work(item)));
      old.push_back(work(item));
      if (twice) take(search.on(old[order.below(old.size())]));
    }
    REQUIRE(report);
    return *report;
  }
};

} // namespace brewery::test
