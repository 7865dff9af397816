#include "llm/accounts/known_models.hpp"
#include "llm/accounts/model_catalog.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>
#include <string>

using namespace brewery;

namespace {

loaded_catalog read(const std::string& text,
                    catalog_use use = catalog_use::asking) {
  const scratch folder;
  const auto file = folder.path() / "models.toml";
  std::ofstream{file} << text;
  auto out = load_model_catalog(file, use);
  for (auto& problem : out.problems) {
    const auto at = problem.message.find("models.toml");
    if (at != std::string::npos) problem.message.erase(0, at);
  }
  return out;
}

std::string only_problem(const std::string& text) {
  const auto found = read(text);
  REQUIRE(found.problems.size() == 1);
  return found.problems.front().message;
}

const std::string server = "[server.s]\nbase_url = \"http://127.0.0.1:1/v1\"\n";

} // namespace

TEST_CASE("a model has its server, its name there and its price") {
  const auto found = read(server
                          + "[model.m]\nserver = \"s\"\nname = \"gpt-4.1\"\n"
                            "[model.own]\nserver = \"s\"\n"
                            "usd_per_million_prompt = 1\n"
                            "usd_per_million_completion = 2.5\n"
                            "reply_tokens = 10\n"
                            "[model.unknown]\nserver = \"s\"\n");
  REQUIRE(found.problems.empty());
  const auto& models = found.value.models;
  CHECK(models.at("m").name == "gpt-4.1");
  CHECK(models.at("m").price->completion == per_token(8));
  CHECK(models.at("own").name == "own");
  CHECK(models.at("own").price
        == token_price{per_token(1), per_token(1), per_token(2.5)});
  CHECK(models.at("own").reply_tokens == 10);
  CHECK_FALSE(models.at("unknown").price);
}

TEST_CASE("a part of a price that is not stated is the known one, or unknown") {
  const auto model = [](const std::string& lines) {
    const auto found = read(server + "[model.m]\nserver = \"s\"\n" + lines);
    REQUIRE(found.problems.empty());
    return found.value.models.at("m");
  };
  const std::string known = "name = \"gpt-4.1\"\n";
  CHECK(model(known + "usd_per_million_cached = 0.25\n").price
        == token_price{per_token(2), per_token(0.25), per_token(8)});
  CHECK(model(known + "usd_per_million_completion = 4\n").price
        == token_price{per_token(2), per_token(0.5), per_token(4)});
  // The known discount is one on the known price.
  CHECK(model(known + "usd_per_million_prompt = 0\n").price
        == token_price{0, 0, per_token(8)});
  CHECK_FALSE(model("usd_per_million_cached = 1\n").price);
  CHECK_FALSE(model("usd_per_million_completion = 1\n").price);
  const auto half = model("usd_per_million_prompt = 1\n");
  CHECK(half.price == token_price{per_token(1), per_token(1), 0});
  CHECK(known_price(half, false) == half.price);
  CHECK_FALSE(known_price(half, true));
  CHECK(known_price(model(known), true) == model(known).price);
}

TEST_CASE("a server with a lower limit of calls begins at that limit") {
  const auto one = [](const std::string& lines) {
    const auto found = read(server + lines);
    REQUIRE(found.problems.empty());
    return found.value.servers.at("s");
  };
  CHECK(one("max_concurrency = 4\n").initial_concurrency == 4);
  CHECK(one("max_concurrency = 400\n").initial_concurrency == 32);
  CHECK(only_problem(server + "initial_concurrency = 5\nmax_concurrency = 4\n")
            .find("initial_concurrency is 5; it must be from 1 to "
                  "max_concurrency (4)")
        != std::string::npos);
}

TEST_CASE("a server is sent whole schemas, plain ones or none") {
  const auto form = [](const std::string& line) {
    return read(server + line).value.servers.at("s").schemas;
  };
  CHECK(form("") == schema_form::full);
  CHECK(form("json_schema = true\n") == schema_form::full);
  CHECK(form("json_schema = \"plain\"\n") == schema_form::plain);
  CHECK(form("json_schema = false\n") == schema_form::none);
}

TEST_CASE("a temperature is sent unless the model refuses it") {
  const auto found = read(server
                          + "[model.plain]\nserver = \"s\"\n"
                            "[model.o3]\nserver = \"s\"\n"
                            "[model.kept]\nserver = \"s\"\nname = \"o3\"\n"
                            "temperature = true\n"
                            "[model.mine]\nserver = \"s\"\n"
                            "temperature = false\n");
  REQUIRE(found.problems.empty());
  const auto& models = found.value.models;
  CHECK(models.at("plain").temperature == true);
  CHECK(models.at("o3").temperature == false);
  CHECK(models.at("kept").temperature == true);
  CHECK(models.at("mine").temperature == false);
}

TEST_CASE("OpenAI's reasoning models are known by name") {
  for (const auto* name : {"o1", "o3", "o3-mini", "o4-mini-2025-04-16", "gpt-5",
                           "gpt-5-mini", "gpt-5.1", "GPT-5", "openai/o3"})
    CHECK(is_reasoning_model(name));
  for (const auto* name :
       {"", "o", "o3x", "gpt-4o", "gpt-4.1", "gpt-50", "gpt-5-chat-latest",
        "foo1", "o1/llama", "Qwen/Qwen3-32B"})
    CHECK_FALSE(is_reasoning_model(name));
}

TEST_CASE("a key comes from the environment and is never in a message") {
  ::setenv("CATALOG_TEST_KEY", "sk-secret", 1);
  const auto found = read(server + "key_env = \"CATALOG_TEST_KEY\"\n");
  REQUIRE(found.problems.empty());
  CHECK(found.value.servers.at("s").api_key.reveal() == "sk-secret");
  ::unsetenv("CATALOG_TEST_KEY");
}

TEST_CASE("a server that lacks its key or file is no problem of the others") {
  ::unsetenv("CATALOG_TEST_KEY");
  for (const std::string line :
       {"key_env = \"CATALOG_TEST_KEY\"", "key_file = \"not/there\"",
        "headers_env = [\"X-Team: CATALOG_TEST_KEY\"]",
        "ca_file = \"not/there\""}) {
    INFO(line);
    const auto found = read(server + line
                            + "\n[server.t]\nbase_url = "
                              "\"http://127.0.0.1:2/v1\"\n");
    CHECK(found.problems.empty());
    REQUIRE(found.value.unready.size() == 1);
    const auto& why = found.value.unready.at("s");
    INFO(why.message);
    CHECK(why.code == ec::invalid_config);
    const auto key = line.substr(0, line.find(' '));
    CHECK(why.message.find("models.toml:3: server.s." + key + ": ")
          != std::string::npos);
    const auto& named = key == "key_file" || key == "ca_file"
                            ? "not/there"
                            : "CATALOG_TEST_KEY";
    CHECK(why.message.find(named) != std::string::npos);
  }
}

TEST_CASE("who asks no server needs no key") {
  ::unsetenv("CATALOG_TEST_KEY");
  const auto text = server
                    + "key_env = \"CATALOG_TEST_KEY\"\n"
                      "proxy_file = \"not/there\"\n"
                      "headers_env = [\"X-Team: CATALOG_TEST_KEY\"]\n"
                      "ca_file = \"not/there\"\n";
  CHECK(read(text).value.unready.contains("s"));
  const auto found = read(text, catalog_use::reading);
  CHECK(found.problems.empty());
  CHECK(found.value.unready.empty());
  CHECK(found.value.servers.at("s").api_key.reveal().empty());
}

TEST_CASE("a wrong catalog is told with its line and key") {
  const auto says = [](const std::string& text, const std::string& part) {
    const auto message = only_problem(text);
    INFO(message);
    CHECK(message.find(part) != std::string::npos);
  };
  says(server + "key_evn = \"X\"\n", "models.toml:3: server.s.key_evn");
  says(server + "max_retries = \"x\"\n",
       "models.toml:3: server.s.max_retries: expected an integer");
  says(server + "max_retries = -1\n", "-1 is not an integer from 0 to 1000");
  says(server + "seed = 1\n", "expected true or false");
  says(server + "json_schema = \"strict\"\n",
       "models.toml:3: server.s.json_schema: expected true, false or "
       "\"plain\", found \"strict\"");
  says(server + "json_schema = 1\n",
       "expected true, false or \"plain\", found an integer");
  says("[server.s]\nbase_url = \"ftp://x\"\n", "models.toml:1:");
  says("[server.s]\n", "server.s has no base_url");
  says(server + "[model.m]\n", "model.m names no server");
  says(server + "[model.m]\nserver = \"t\"\n", "no [server.t]");
  says(server + "[model.m]\nserver = \"s\"\nusd_per_million_prompt = -1\n",
       "is not a price");
  says("[other.s]\n", "expected [server.NAME] or [model.NAME]");
  says("x = 1\n", "expected [server.NAME] or [model.NAME]");
  says("[server.s\n", "not valid TOML");
}
