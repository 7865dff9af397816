/// What versions and those below them took.

#include "tests/web/runs_folder.hpp"
#include "web/version_page.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

job_purpose asked_to_score(const std::string& text, std::vector<job_id> jobs) {
  return {std::string{purpose::score}, "mcts",         {0}, 1,
          {content_hash(text)},        std::move(jobs)};
}

model_record answered_call(const char* job, std::uint64_t prompt) {
  model_record out;
  out.job = {job};
  out.usage = {prompt, 0, 10, 0};
  chat_reply reply;
  reply.usage = out.usage;
  out.answer = model_answer{reply};
  return out;
}

} // namespace

TEST_CASE("summed at once, versions took what each is said to have taken") {
  runs_folder runs;
  // 0 - 1 - 2 - 4, and 3 below 1; one rollout is of versions of both branches.
  runs.append(
      {event_of(tree_record{{0},
                            2,
                            {version(2, 1, "two"), version(3, 1, "x"),
                             version(4, 2, "y")}},
                tree_prefix("mcts", {0}) + "2"),
       played("cccc", "t3"), played("dddd", "t4"),
       event_of(purpose_record{{asked_to_score(first_text, {{"dddd"}}),
                                asked_to_score("two", {{"aaaa"}, {"cccc"}}),
                                asked_to_score("x", {{"aaaa"}}),
                                asked_to_score("y", {{"cccc"}, {"bbbb"}})}},
                "mcts/0/purposes 1")});
  runs.record({answered_call("aaaa", 100), answered_call("cccc", 50),
               answered_call("dddd", 7)});
  web::run_shelf shelf{runs.run().parent_path()};
  const auto trees = shelf.trees("r");
  REQUIRE(trees);
  const auto run = shelf.open("r");
  REQUIRE(run);
  auto pages = web::version_pages::of(*run, **trees, "mcts", "0");
  REQUIRE(pages);
  std::vector<json> each;
  for (const char* one : {"0", "1", "2", "3", "4"})
    each.push_back(*pages->page_of(one, {0, 10}));
  CHECK(each[1]["below"]["score"] == 5);
  CHECK(each[1]["below"]["models"]["prompt_tokens"] == 150);
  pages->sum_all();
  for (std::size_t i = 0; i < each.size(); ++i)
    CHECK(*pages->page_of(std::to_string(i), {0, 10}) == each[i]);
}

TEST_CASE("the pages of a long chain of versions are made at once") {
  constexpr std::uint32_t versions = 20'000;
  runs_folder runs;
  tree_record chain{{0}, 2, {}};
  for (std::uint32_t i = 2; i < versions; ++i)
    chain.nodes.push_back(version(i, i - 1, std::to_string(i)));
  runs.append({event_of(chain, tree_prefix("mcts", {0}) + "2"),
               event_of(purpose_record{{asked_to_score("19999", {{"aaaa"}})}},
                        "mcts/0/purposes 2")});
  web::run_shelf shelf{runs.run().parent_path()};
  const auto trees = shelf.trees("r");
  REQUIRE(trees);
  const auto run = shelf.open("r");
  REQUIRE(run);
  auto pages = web::version_pages::of(*run, **trees, "mcts", "0");
  REQUIRE(pages);
  pages->sum_all();
  std::uint32_t with = 0;
  for (std::uint32_t i = 0; i < versions; ++i)
    with += (*pages->page_of(std::to_string(i), {0, 1}))["below"]["score"] == 1;
  CHECK(with == versions);
}
