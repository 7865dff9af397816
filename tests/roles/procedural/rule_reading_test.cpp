/// What the procedural agent reads of documents, and that it does nothing else
/// with them: equal readings, equal attempts.

#include "roles/make_reader.hpp"
#include "roles/procedural/procedural_agent.hpp"
#include "roles/procedural/rule_reading.hpp"
#include "tests/roles/support.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

const std::string fan =
    "When `check_board()` shows \"Fan: off\": call `toggle_fan()`.";
const std::string lamp =
    "When `check_board()` shows \"Lamp: off\": call `toggle_lamp()`.";
const std::string finish = "Done when `check_board()` shows \"Fan: on\".";

std::string read_by(const reader& how, const std::vector<std::string>& bodies) {
  const auto eyes = how.begin();
  std::vector<document> held;
  for (const auto& body : bodies)
    held.push_back(make_document(body));
  std::vector<const document*> shown;
  for (const auto& doc : held)
    shown.push_back(&doc);
  return eyes->next(shown);
}

} // namespace

TEST_CASE("rules and goals are read, other words are not") {
  const auto how = rule_lines();
  const auto plain = read_by(*how, {fan + "\n" + finish});
  CHECK_FALSE(plain.empty());
  CHECK(read_by(*how, {"# Title\n\n1. " + fan + "\nWhy.\n- " + finish})
        == plain);
  CHECK(read_by(*how, {"words only", fan + "\n" + finish}) == plain);
  CHECK(read_by(*how, {"words only"}).empty());
  CHECK(read_by(*how, {fan}) != plain);
  CHECK(read_by(*how, {lamp + "\n" + finish}) != plain);
}

TEST_CASE("the order of rules is read, within a document and between them") {
  const auto how = rule_lines();
  CHECK(read_by(*how, {fan + "\n" + lamp})
        != read_by(*how, {lamp + "\n" + fan}));
  CHECK(read_by(*how, {fan, lamp}) != read_by(*how, {lamp, fan}));
}

TEST_CASE("a document is read once, and documents of equal rules are two") {
  const auto how = rule_lines();
  const auto eyes = how->begin();
  const auto doc = make_document(fan), twin = make_document(fan + " \nx");
  const auto first = eyes->next({&doc});
  CHECK_FALSE(first.empty());
  CHECK(eyes->next({&doc}).empty());
  CHECK(eyes->next({&twin}) == first); // the agent has the rule twice
}

TEST_CASE("the agent plays alike where it reads alike") {
  const auto toy = make_toy_benchmark({});
  const auto how = rule_lines();
  const auto played = [&](const task_info& task, const lines& documents,
                          std::vector<retrieval_record>& asked) {
    auto env = toy->make(task.id);
    REQUIRE(env);
    retrieval_session retrieval{library_of(documents), 3};
    auto tried =
        procedural_agent{{}, {}}.attempt(task, **env, retrieval, 1, any_job());
    REQUIRE(tried);
    asked = retrieval.take_records();
    return tried->steps;
  };
  for (const auto& task : toy->tasks()) {
    std::vector<retrieval_record> one, other;
    const auto steps = played(task, {fan, lamp}, one);
    CHECK(played(task, {fan + "\nxyzzy", lamp + "\nxyzzy"}, other) == steps);
    CHECK(one.size() == other.size());
  }
}

TEST_CASE("who repeats itself has a reader") {
  role_options options;
  const auto procedural = make_reader(options);
  REQUIRE(procedural);
  CHECK((*procedural)->knows_draws());
  for (auto* other : {&options.user.kind, &options.statement_judge.kind}) {
    *other = "llm"; // a server does not repeat itself quite
    options.user.llm.temperature = options.statement_judge.llm.temperature = 0;
    const auto beside = make_reader(options);
    REQUIRE(beside);
    CHECK_FALSE((*beside)->knows_draws());
    options = {};
  }
  options.agent.kind = "llm";
  CHECK(make_reader(options).error().code == ec::invalid_config);
  options.agent.llm.temperature = std::nullopt; // the server's
  CHECK_FALSE(make_reader(options));
  options.agent.llm.temperature = 0;
  const auto whole = make_reader(options);
  REQUIRE(whole);
  CHECK(read_by(**whole, {"a", "b"}) != read_by(**whole, {"b", "a"}));
  CHECK(read_by(**whole, {"a"}) != read_by(**whole, {"a "}));
  options.user.kind = "llm"; // draws
  CHECK_FALSE(make_reader(options));
  options.user.llm.temperature = 0;
  CHECK(make_reader(options));
  options.statement_judge.kind = "llm";
  CHECK_FALSE(make_reader(options));
  options = {};
  options.agent.kind = "scripted";
  const auto nothing = make_reader(options);
  REQUIRE(nothing);
  CHECK(read_by(**nothing, {"a"}).empty());
}
