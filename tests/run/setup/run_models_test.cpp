#include "run/setup/run_models.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

config with_agent_on(const std::string& model, double max_cost_usd) {
  config out;
  out.agent.kind = "llm";
  out.agent.llm.model = model;
  out.budget.max_cost_usd = max_cost_usd;
  return out;
}

model_catalog with_model(const std::string& name, catalog_model model) {
  model_catalog out;
  out.models[name] = std::move(model);
  return out;
}

} // namespace

TEST_CASE("a budget in USD needs the price of replies, but not an embedder's") {
  catalog_model half{"s", "half", token_price{1, 1, 0}};
  half.prices_replies = false;
  auto catalog = with_model("m", half);
  CHECK(check_models(with_agent_on("m", 0), catalog, "f.toml"));
  const auto refused = check_models(with_agent_on("m", 1), catalog, "f.toml");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.starts_with(
      "f.toml: the price of replies of [model.m] (half) is not known"));
  auto embeds = with_agent_on("whole", 1);
  embeds.embedder.kind = "llm";
  embeds.embedder.model = "m";
  catalog.models["whole"] = {"s", "whole", token_price{1, 1, 1}};
  CHECK(check_models(embeds, catalog, "f.toml"));
}

TEST_CASE("a server that cannot be asked matters to the runs that ask it") {
  auto catalog = with_model("m", {"ready", "m"});
  catalog.models["other"] = {"keyless", "other"};
  catalog.unready["keyless"] = {ec::invalid_config, "it has no key"};
  CHECK(check_models(with_agent_on("m", 0), catalog, "f.toml"));
  const auto refused = check_models(with_agent_on("other", 0), catalog, "f");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == "it has no key");
}

TEST_CASE("a run that its budget stopped goes on with more of what it lacked") {
  const auto more = [](const char* why) {
    return larger_budget({ec::over_budget, why}, "brewery resume r");
  };
  CHECK(more("budget.max_hours = 1 is used up; spent $1.00")
        == "brewery resume r");
  CHECK(more("the next call of the agent could take the search to 3 of 2 calls "
             "(budget.max_calls); spent")
        == "brewery resume r --set budget.max_calls=AMOUNT");
  CHECK(more("could take its role to 3 of 2 calls (budget.roles); spent")
        == "brewery resume r --set budget.roles='[LIMITS]'");
}

TEST_CASE("a run that its models stopped says how it goes on") {
  const auto advice = [](ec code) {
    return go_on_advice({code, "why"}, "brewery resume r");
  };
  CHECK(advice(ec::exhausted)
        == "; nothing that was paid is lost; when it answers again, go on with "
           "`brewery resume r`");
  CHECK(advice(ec::unauthorized)
        == "; nothing that was paid is lost; then go on with `brewery resume "
           "r`");
  CHECK(advice(ec::environment).empty());
  for (const auto code : {ec::over_budget, ec::exhausted, ec::unauthorized})
    CHECK(may_go_on({code, "why"}));
  // Neither time nor a key mends these.
  for (const auto code : {ec::not_found, ec::environment, ec::corrupt})
    CHECK_FALSE(may_go_on({code, "why"}));
}
