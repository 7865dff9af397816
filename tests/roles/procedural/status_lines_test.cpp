#include "roles/procedural/status_lines.hpp"
#include "roles/procedural/words.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using lines = std::vector<std::string>;
using words_set = std::set<std::string>;

TEST_CASE("a report is read as its lines, trimmed, once each") {
  CHECK(status_lines("Airplane Mode: ON\nSignal: good")
        == lines{"Airplane Mode: ON", "Signal: good"});
  CHECK(status_lines("  a: 1 \r\n\n- b: 2\n- - c\na: 1\n")
        == lines{"a: 1", "b: 2", "c"});
  CHECK(status_lines("The SIM card is missing.")
        == lines{"The SIM card is missing."});
  CHECK(status_lines("").empty());
  CHECK(status_lines(" \n \n").empty());
}

TEST_CASE("a record is read as one line per member, by its path") {
  CHECK(status_lines(R"({"line_id": "L1", "used_gb": 3.5, "on": true})")
        == lines{"line_id: L1", "used_gb: 3.5", "on: true"});
  CHECK(status_lines(R"({"address": {"city": "Bath", "no": null}})")
        == lines{"address.city: Bath", "address.no: null"});
  CHECK(status_lines(R"({"tags": ["a", "b"]})") == lines{"tags[]: a, b"});
}

TEST_CASE("a list of records is read as one line per key and value") {
  CHECK(status_lines(R"([{"status": "Paid"}, {"status": "Draft", "n": 1},
                         {"status": "Paid"}])")
        == lines{"one has status: Paid", "one has status: Draft",
                 "one has n: 1"});
  CHECK(is_state("one has status: Paid"));
  CHECK_FALSE(is_state("one has n: 1"));
  CHECK_FALSE(is_state("tags[]: a, b"));
  CHECK(is_state("n: 1"));
  CHECK(status_lines("[]").empty());
  CHECK(status_lines("{}").empty());
}

TEST_CASE("two numbers of a record with the same unit are compared") {
  CHECK(status_lines(R"({"used_gb": "4.3", "limit_gb": 4.0, "price": 4})")
        == lines{"used_gb: 4.3", "limit_gb: 4.0", "price: 4",
                 "limit_gb compared with used_gb: below"});
  CHECK(status_lines(R"({"a_gb": 1, "b_gb": 1})").back()
        == "b_gb compared with a_gb: equal");
  CHECK(status_lines(R"({"a_gb": 1, "b_mb": 1})").size() == 2);
}

TEST_CASE("what looks like JSON but is not is read as text") {
  CHECK(status_lines("{broken: 1") == lines{"{broken: 1"});
  CHECK_FALSE(observation_cache{}.of("{broken: 1")->value);
  CHECK_FALSE(observation_cache{}.of("12")->value);
  CHECK_FALSE(observation_cache{}.of("")->value);
  CHECK(observation_cache{}.of(" {\"a\": 1} ")->value);
}

TEST_CASE("a report nested beyond all measure is text, not a crash") {
  const std::string deep =
      std::string(200'000, '[') + std::string(200'000, ']');
  CHECK(status_lines(deep) == lines{deep});
}

TEST_CASE("the key of a line is what stands before the first colon") {
  CHECK(line_key("Signal: good") == "Signal");
  CHECK(line_key("a: b: c") == "a");
  CHECK(line_key("No colon here") == "");
  CHECK(line_key("10:30") == "");
}

TEST_CASE("a statement with details has no key") {
  CHECK(line_key("The link is up. Details: {'speed': 'low'}").empty());
  CHECK(line_key("App v2.0 state: on") == "App v2.0 state");
}

TEST_CASE("names are compared by their words without plural") {
  CHECK(name_words("line_ids") == words_set{"line", "id"});
  CHECK(name_words("Phone Number!") == words_set{"phone", "number"});
  CHECK(name_words("").empty());
  CHECK(singular("lines") == "line");
  CHECK(singular("status") == "status");
  CHECK(singular("address") == "address");
  CHECK(singular("ids") == "id");
  CHECK(singular("is") == "is");
  CHECK(names_match("line_id", "line_ids"));
  CHECK(names_match("phone_number", "phone number"));
  CHECK(names_match("id", "customer_id"));
  CHECK_FALSE(names_match("line_id", "customer_id"));
  CHECK_FALSE(names_match("", "a"));
}

TEST_CASE("words that any name may have do not tell, unless they are all") {
  CHECK(telling_words("app_name") == words_set{"app"});
  CHECK(telling_words("line_id") == words_set{"line"});
  CHECK(telling_words("name") == words_set{"name"});
}

TEST_CASE("a text is a number only if all of it is") {
  CHECK(number_in_text("3.5") == 3.5);
  CHECK(number_in_text(" -2e1\n") == -20.0);
  for (const auto* text : {"", " ", "-", "5 GB", "on", "\"5\"", "[5]", "0x5",
                           "+5", "5.", "null", "true"})
    CHECK(number_in_text(text).is_null());
}

TEST_CASE("a parsed answer is the same whether it is known or not") {
  // So small that most are forgotten before they come again.
  const observation_cache tiny{40}, large;
  for (int round = 0; round < 3; ++round)
    for (const auto* text :
         {"Airplane Mode: ON\nSignal: good", R"({"used_gb": 3, "limit_gb": 2})",
          R"([{"status": "Paid"}])", "[1, 2", "The SIM card is missing.", ""}) {
      INFO(text);
      const auto one = tiny.of(text), other = large.of(text);
      CHECK(one->lines == status_lines(text));
      CHECK(other->lines == one->lines);
      CHECK(other->value == one->value);
      CHECK(one->value.has_value()
            == (text[0] == '{'
                || text == std::string{R"([{"status": "Paid"}])"}));
      CHECK(large.of(text) == other);
    }
}
