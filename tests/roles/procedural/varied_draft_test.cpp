/// Drafts that differ, and an agent that asks seldom: the options for problems
/// with scarce evidence. The plant is the world here.

#include "base/rng.hpp"
#include "base/text.hpp"
#include "envs/plant/plant.hpp"
#include "envs/plant/world.hpp"
#include "roles/procedural/induction/gain.hpp"
#include "roles/procedural/induction/rule_merging.hpp"
#include "roles/procedural/procedural_agent.hpp"
#include "roles/procedural/procedural_integrator.hpp"
#include "roles/procedural/ticket_quotes.hpp"
#include "tests/roles/support.hpp"

#include <fmt/format.h>

using namespace brewery;
using namespace brewery::test;

namespace {

/// Two calls mend the fan, by the mode; one attempt each way says otherwise.
integrate_job mode_job() {
  integrate_job job;
  job.title = "Board";
  job.insights = {
      outcome(9, "board()", {"Fan: on", "Mode: a"}, "runs", true, {"Hot"}),
      outcome(9, "board()", {"Fan: on", "Mode: b"}, "runs", true, {"Hot"}),
      outcome(9, "board()", {"Fan: off", "Mode: a"}, "runs", false, {"Hot"}),
      outcome(9, "board()", {"Fan: off", "Mode: b"}, "runs", false, {"Cold"}),
      effect(3, "board()", {"Fan: off", "Mode: a"}, {"push()"},
             {"Fan: on", "Mode: a"}),
      effect(3, "board()", {"Fan: off", "Mode: b"}, {"push()"},
             {"Fan: off", "Mode: b"}),
      effect(2, "board()", {"Fan: off", "Mode: b"}, {"pull()"},
             {"Fan: on", "Mode: b"}),
      effect(1, "board()", {"Fan: on", "Mode: b"}, {"push()"},
             {"Fan: off", "Mode: b"})};
  job.seed = 3;
  job.id = identity(job, "");
  return job;
}

integrator_options varied(std::uint32_t max_rules = 0) {
  integrator_options out;
  out.drafts = "varied";
  out.max_rules = max_rules;
  return out;
}

std::string body_of(const integrate_job& job, const integrator_options& how,
                    const document* parent = nullptr) {
  const auto made =
      procedural_integrator{how}.integrate(job, parent, any_job());
  REQUIRE(made);
  return made->body;
}

std::size_t rules_of(const std::string& body) {
  return read_guidance(body).rules.size();
}

/// A document for each kind of the plant, with what mends it.
struct page {
  std::string head, rules;
};

std::vector<page> true_pages(const plant::world& where) {
  std::vector<page> out;
  for (const auto& kind : where.kinds) {
    const auto& words = where.families[kind.family];
    page made{"# " + kind.name + "\n\n", "### How to perform\n\n"};
    for (const auto& trouble : kind.troubles)
      made.head += fmt::format("- The task is like: \"{} {}\".\n", trouble,
                               words.trouble);
    for (std::size_t gauge = 0; gauge < plant::gauge_count; ++gauge)
      for (std::size_t bad = 0; bad < plant::bad_count; ++bad)
        for (std::size_t mode = 0; mode < plant::mode_count; ++mode) {
          plant::machine_state state;
          state.mode = mode;
          state.shown[gauge] = static_cast<plant::reading>(bad + 1);
          const auto text = plant::report(where, kind, state);
          const auto lines = split(std::string_view{text}, '\n');
          const auto look = fmt::format("{}_{}()", where.check, kind.name);
          made.rules += fmt::format(
              "- When `{0}` shows \"{1}\" and `{0}` shows \"{2}\": call "
              "`{3}_{4}()`.\n",
              look, lines[gauge], lines[plant::gauge_count],
              words.verbs[kind.does.cures[gauge][bad][mode].remedy], kind.name);
        }
    out.push_back(std::move(made));
  }
  return out;
}

struct outcome_of_test {
  double score = 0;
  std::vector<std::size_t> queries; ///< by task
};

/// Plays the sealed test with these documents.
outcome_of_test play_test(const benchmark& bench, const lines& documents,
                          const retrieval_options& how) {
  agent_options agent;
  agent.explore = false;
  const auto library = library_of(documents);
  outcome_of_test out;
  const auto& test = bench.splits().at("test");
  for (const auto index : test) {
    const auto& task = bench.tasks()[index];
    auto env = bench.make(task.id);
    REQUIRE(env);
    retrieval_session session{library, how.top_k};
    REQUIRE(procedural_agent{agent, how}.attempt(task, **env, session, 1,
                                                 any_job()));
    out.score += (*env)->grade()->reward / static_cast<double>(test.size());
    out.queries.push_back(session.take_records().size());
  }
  return out;
}

retrieval_options seldom(bool when_stuck) {
  retrieval_options out;
  out.per_observation = false;
  out.when_stuck = when_stuck;
  return out;
}

plant_settings sixty() {
  plant_settings out;
  out.machines = 60;
  out.families = 10;
  out.train = out.eval = 1;
  out.test = 90;
  return out;
}

} // namespace

TEST_CASE("a gain is what a call changes, by line and by a second line") {
  const auto job = mode_job();
  const evidence_table table{job.insights.list().items()};
  const auto gains = gains_of(table.observations().at(0));
  CHECK(gains.check == "runs");
  const auto option = [&](const std::string& shown, const std::string& beside,
                          const std::string& call) -> const gain_option* {
    for (const auto& [where, options] : gains.cases) {
      if (table.text(where.shown) != shown) continue;
      if ((where.beside ? table.text(*where.beside) : "") != beside) continue;
      for (const auto& one : options)
        if (table.text(one.calls.front()) == call) return &one;
    }
    return nullptr;
  };
  const auto* anyhow = option("Fan: off", "", "push()");
  const auto* in_a = option("Fan: off", "Mode: a", "push()");
  const auto* in_b = option("Fan: off", "Mode: b", "push()");
  REQUIRE((anyhow && in_a && in_b));
  CHECK(anyhow->tried == 6);
  CHECK(anyhow->gain == Approx(in_a->gain / 2));
  CHECK(in_a->gain > 0.5);
  CHECK(in_b->gain == 0);
  CHECK(option("Fan: on", "", "push()")->gain < -0.5);
}

TEST_CASE("a varied draft has a rule for each mode where they conflict") {
  const auto guide = read_guidance(body_of(mode_job(), varied()));
  std::set<std::string> said;
  for (const auto& placed : guide.rules)
    said.insert(placed.text.substr(0, placed.text.find(" Expect")));
  CHECK(said.contains("When `board()` shows \"Fan: off\" and `board()` shows "
                      "\"Mode: a\": call `push()`."));
  CHECK(said.contains("When `board()` shows \"Fan: off\": call `pull()`."));
}

TEST_CASE("varied drafts differ, the first is the plain reading") {
  auto job = mode_job();
  const auto plain = body_of(job, varied());
  job.temperature = 0.7;
  CHECK(body_of(job, varied()) == plain);
  std::set<std::string> bodies;
  for (job.draw = 0; job.draw < 16; ++job.draw) {
    CHECK(body_of(job, varied()) == body_of(job, varied()));
    bodies.insert(body_of(job, varied()));
  }
  CHECK(bodies.size() >= 4);
}

TEST_CASE("a varied draft keeps most of what its parent says") {
  auto job = mode_job();
  job.temperature = 0.7;
  const std::string odd = "When `board()` shows \"Fan: off\": call `kick()`.";
  const auto parent = make_document("1. " + odd + "\n");
  std::size_t kept = 0;
  constexpr std::size_t drafts = 200;
  for (job.seed = 0; job.seed < drafts; ++job.seed)
    kept +=
        body_of(job, varied(), &parent).find("`kick()`") != std::string::npos
            ? 1
            : 0;
  INFO(kept << " of " << drafts << " kept it; expected 65 %");
  CHECK(kept > 100);
  CHECK(kept < 160);
}

TEST_CASE("a varied draft may do without one of its parent's calls") {
  auto job = mode_job();
  job.temperature = 0.7;
  const auto parent = make_document(body_of(job, varied()));
  REQUIRE(parent.body.find("`push()`") != std::string::npos);
  REQUIRE(parent.body.find("`pull()`") != std::string::npos);
  const auto without = [&](std::uint32_t number) {
    job.draw = number;
    std::size_t count = 0;
    for (job.seed = 0; job.seed < 200; ++job.seed) {
      const auto guide = read_guidance(body_of(job, varied(), &parent));
      count += std::none_of(guide.rules.begin(), guide.rules.end(),
                            [](const auto& placed) {
                              return placed.content.calls == lines{"push()"};
                            });
    }
    return count;
  };
  const auto plain = without(0), others = without(1);
  INFO(plain << " and " << others << " of 200 do without push()");
  CHECK(plain == 0);
  CHECK(others > 30); // half of the 40 % that spare a call spare this one
}

TEST_CASE("a varied draft quotes what most tickets say, or what its parent "
          "quotes") {
  const auto job = mode_job();
  rng draw{1};
  CHECK(ticket_quotes(job, nullptr, {2, 1, 0}, draw) == lines{"Hot", "Cold"});
  CHECK(ticket_quotes(job, nullptr, {1, 1, 0}, draw) == lines{"Hot"});
  CHECK(body_of(job, varied()).find("- The task is like: \"Hot\".")
        != std::string::npos);
  const auto parent = make_document("# A\n\n- The task is like: \"Wet\".\n");
  CHECK(ticket_quotes(job, &parent, {2, 0, 0}, draw) == lines{"Wet"});
  CHECK(ticket_quotes(job, &parent, {1, 1, 0}, draw) == lines{"Hot"});
  std::set<lines> chosen;
  for (int i = 0; i < 100; ++i)
    chosen.insert(ticket_quotes(job, &parent, {1, 0.5, 2}, draw));
  CHECK(chosen == std::set<lines>{{"Cold"}, {"Hot"}, {"Wet"}});
}

TEST_CASE("a document has no more rules than the limit") {
  auto job = mode_job();
  job.temperature = 0.7;
  for (job.draw = 0; job.draw < 16; ++job.draw)
    CHECK(rules_of(body_of(job, varied(1))) <= 1);
  // The usual drafts keep to it as well.
  std::vector<induced_rule> rules(3);
  for (std::uint32_t i = 0; i < 3; ++i) {
    rules[i].content.calls = {std::to_string(i)};
    rules[i].proof = rule_proof{};
    rules[i].proof->with.of = i == 0 ? 5 : i;
  }
  keep_best_supported(rules, 2);
  REQUIRE(rules.size() == 2);
  CHECK(rules[0].content.calls == lines{"0"});
  CHECK(rules[1].content.calls == lines{"2"});
  keep_best_supported(rules, 0);
  CHECK(rules.size() == 2);
}

TEST_CASE("options of the integrator are in its fingerprint, the usual not") {
  CHECK(procedural_integrator{}.fingerprint().empty());
  CHECK(procedural_integrator{varied(4)}.fingerprint()
        == "drafts=varied rules=4");
}

TEST_CASE("an agent that asks when stuck asks at the start and where no rule "
          "is left") {
  const auto options = sixty();
  const auto bench = plant::make_plant(options);
  const auto where = plant::make_world(options);
  lines documents;
  for (const auto& made : true_pages(where))
    documents.push_back(made.head + made.rules);
  const auto once = play_test(*bench, documents, seldom(false));
  for (const auto count : once.queries)
    CHECK(count == 1);
  const auto stuck = play_test(*bench, documents, seldom(true));
  for (const auto count : stuck.queries) {
    CHECK(count >= 2);
    CHECK(count <= 4);
  }
  // Without an effect if every observation is asked about anyway.
  retrieval_options often;
  often.when_stuck = true;
  CHECK(procedural_agent{{}, often}.fingerprint()
        == procedural_agent{{}, {}}.fingerprint());
  CHECK(procedural_agent{{}, seldom(true)}.fingerprint()
        != procedural_agent{{}, seldom(false)}.fingerprint());
}

TEST_CASE("a swap of the bodies of documents costs most of the points") {
  const auto options = sixty();
  const auto bench = plant::make_plant(options);
  const auto pages = true_pages(plant::make_world(options));
  lines right, swapped;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    right.push_back(pages[i].head + pages[i].rules);
    swapped.push_back(pages[i].head + pages[(i + 1) % pages.size()].rules);
  }
  const auto before = play_test(*bench, right, seldom(true)).score;
  const auto after = play_test(*bench, swapped, seldom(true)).score;
  const auto none = play_test(*bench, {}, seldom(true)).score;
  INFO("right " << before << ", swapped " << after << ", none " << none);
  CHECK(before > 0.8);
  CHECK(after < before - 0.2);
  CHECK(none == 0);
}
