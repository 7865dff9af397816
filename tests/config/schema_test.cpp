#include "config/option.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <set>
#include <type_traits>
#include <utility>

using namespace brewery;

namespace {

struct anything {
  template <class T>
  operator T() const;
};

template <class Struct, class Indices>
struct constructible_from;
template <class Struct, std::size_t... I>
struct constructible_from<Struct, std::index_sequence<I...>> {
  template <std::size_t>
  using any = anything;
  static constexpr bool value = requires { Struct{any<I>{}...}; };
};

/// How many members an aggregate has.
template <class Struct, std::size_t N = 48>
constexpr std::size_t member_count() {
  if constexpr (N == 0
                || constructible_from<Struct,
                                      std::make_index_sequence<N>>::value)
    return N;
  else
    return member_count<Struct, N - 1>();
}

/// Of a role on a model: its model's options stand among its own.
template <class Struct>
constexpr std::size_t role_member_count() {
  return member_count<Struct>() - 1 + member_count<role_model>();
}

std::size_t described_members(const std::string& section) {
  const auto* found = find_section(section);
  return found ? found->options.size() : 0;
}

const option& get(const std::string& key) {
  const auto* item = find_option(key);
  INFO(key);
  REQUIRE(item);
  return *item;
}

template <class F>
void for_each_option(F f) {
  for (const auto& section : schema())
    for (const auto& item : section.options) {
      INFO(item.key());
      f(item);
    }
}

} // namespace

TEST_CASE("every member of every options struct is described") {
  CHECK(described_members("run") == member_count<run_options>());
  CHECK(described_members("cluster") == member_count<cluster_settings>());
  constexpr std::size_t tables = 6; // of single benchmarks
  CHECK(described_members("environment") + tables
        == member_count<environment_options>());
  CHECK(described_members("environment.tau2") == member_count<tau2_settings>());
  CHECK(described_members("environment.tau2_official")
        == member_count<tau2_official_settings>() - 1
               + member_count<child_settings>());
  CHECK(described_members("environment.external")
        == member_count<external_settings>() - 1
               + member_count<child_settings>());
  CHECK(described_members("environment.spreadsheet")
        == member_count<spreadsheet_settings>());
  CHECK(described_members("environment.osworld")
        == member_count<osworld_settings>());
  CHECK(described_members("environment.plant")
        == member_count<plant_settings>());
  // All but which strategy: there may be several.
  CHECK(described_members("search") + 1
        == member_count<learner_options>() - 1 + member_count<search_options>()
               - 1 + member_count<reward_weights>());
  CHECK(described_members("eval") == member_count<eval_options>());
  CHECK(described_members("economy") == member_count<economy_options>());
  CHECK(described_members("retrieval")
        == member_count<retrieval_options>() - 2 + member_count<bm25_options>()
               + member_count<fusion_options>());
  CHECK(described_members("prompts") == member_count<prompt_options>());
  CHECK(described_members("agent") == role_member_count<agent_options>());
  CHECK(described_members("reflector")
        == role_member_count<reflector_options>());
  // All but the temperature: every job brings its own.
  CHECK(described_members("integrator") + 1
        == role_member_count<integrator_options>());
  CHECK(described_members("judge") == role_member_count<judge_options>());
  CHECK(described_members("embedder") == member_count<embedder_options>());
  CHECK(described_members("user") == role_member_count<user_options>());
  CHECK(described_members("statement_judge")
        == role_member_count<statement_judge_options>());
  CHECK(schema().size() == member_count<config>() + tables);
}

TEST_CASE("every option says in a sentence what it does") {
  for (const auto& section : schema())
    CHECK(section.sentence.ends_with('.'));
  for_each_option([](const option& item) {
    CHECK(item.sentence.size() > 10);
    CHECK(item.sentence.ends_with('.'));
    CHECK_FALSE(item.sentence.starts_with(' '));
  });
}

TEST_CASE("every number is bounded, and counts name what they count") {
  for_each_option([](const option& item) {
    if (item.kind != option_kind::integer
        && item.kind != option_kind::integer_or_word
        && item.kind != option_kind::number)
      return;
    CHECK(item.min.has_value());
    if (item.key().ends_with("seed")) return; // any number, of nothing
    CHECK(item.max.has_value());
    CHECK((item.kind == option_kind::number || !item.unit.empty()));
  });
}

TEST_CASE("every default passes its own check") {
  for_each_option(
      [](const option& item) { CHECK(accepts(item, item.get(config{}))); });
}

TEST_CASE("keys are unique and found by name") {
  std::set<std::string> keys;
  for_each_option([&keys](const option& item) {
    CHECK(keys.insert(item.key()).second);
    CHECK(find_option(item.key()) == &item);
    CHECK(find_option(item.section, item.name) == &item);
  });
  CHECK(find_option("search") == nullptr);
  CHECK(find_option("search.") == nullptr);
  CHECK(find_option(".iterations") == nullptr);
  CHECK(find_section("") == nullptr);
}

TEST_CASE("setting an option changes that option and no other") {
  for_each_option([](const option& changed) {
    config value;
    const option_value other = [&]() -> option_value {
      switch (changed.kind) {
      case option_kind::boolean:
        return !std::get<bool>(changed.get(value));
      case option_kind::integer:
      case option_kind::integer_or_word:
        return std::int64_t{7};
      case option_kind::number:
        return 0.125;
      case option_kind::list:
        return std::vector<std::string>{"greedy"};
      default:
        return std::string{"other"};
      }
    }();
    changed.set(value, other);
    CHECK(changed.get(value) == other);
    for (const auto& section : schema())
      for (const auto& item : section.options)
        if (item.key() != changed.key())
          CHECK(item.get(value) == item.get(config{}));
  });
}

TEST_CASE("the environment variable of an option is spelt BREWERY_A__B") {
  CHECK(get("search.max_width").variable() == "BREWERY_SEARCH__MAX_WIDTH");
  CHECK(get("environment.spreadsheet.turns").variable()
        == "BREWERY_ENVIRONMENT__SPREADSHEET__TURNS");
}

TEST_CASE("ranges include their ends and exclude NaN and infinity") {
  const auto& lambda = get("search.lambda_correctness");
  CHECK(accepts(lambda, 0.0));
  CHECK(accepts(lambda, 1.0));
  CHECK(accepts(lambda, std::int64_t{1}));
  CHECK_FALSE(accepts(lambda, std::nextafter(1.0, 2.0)));
  CHECK_FALSE(accepts(lambda, -1e-300));
  CHECK_FALSE(accepts(lambda, std::numeric_limits<double>::quiet_NaN()));
  CHECK_FALSE(accepts(lambda, std::numeric_limits<double>::infinity()));
  const auto& threads = get("run.threads");
  CHECK(accepts(threads, std::int64_t{0}));
  CHECK_FALSE(accepts(threads, std::int64_t{-1}));
  CHECK_FALSE(accepts(threads, 2.0));
  CHECK(accepts(get("run.seed"), std::numeric_limits<std::int64_t>::max()));
}

TEST_CASE("a word stands for a number that cannot be given as one") {
  const auto& h = get("search.candidates");
  config value;
  h.set(value, std::string{"width"});
  CHECK(value.search.tree.candidates == search_options::fill_width);
  CHECK(h.get(value) == option_value{std::string{"width"}});
  CHECK_FALSE(accepts(h, std::int64_t{search_options::fill_width}));
  CHECK(accepts(h, std::string{"width"}));
  CHECK_FALSE(accepts(h, std::string{"depth"}));
  h.set(value, std::int64_t{1000});
  CHECK(h.get(value) == option_value{std::int64_t{1000}});
  CHECK(accepts(h, std::int64_t{1000}));
  CHECK_FALSE(accepts(h, 3.0));
}

TEST_CASE("an expectation reads as the end of a sentence") {
  CHECK(expectation(get("search.iterations")) == "an integer from 0 to 10000");
  CHECK(expectation(get("search.candidates"))
        == "an integer from 1 to 1000 or \"width\"");
  CHECK(expectation(get("environment.max_train_tasks"))
        == "an integer from 0 to 1000000");
  CHECK(expectation(get("environment.eval_fraction"))
        == "a number from 0.05 to 0.95");
  CHECK(expectation(get("run.seed")) == "an integer of at least 0");
  CHECK(expectation(get("environment.kind"))
        == "one of \"tau2-telecom\", \"tau2-retail\", \"tau2-airline\", "
           "\"toy\", \"external\", \"tau2-official\", \"spreadsheet\", "
           "\"osworld\", \"plant\"");
  CHECK(expectation(get("search.strategies"))
        == "a list of \"mcts\", \"greedy\", \"iterative\"");
  CHECK(expectation(get("agent.explore")) == "true or false");
}
