#include "base/rng.hpp"
#include "base/text.hpp"
#include "kb/tokenizer.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

std::string terms(std::string_view text) {
  return join(tokenize(text), " ");
}

} // namespace

TEST_CASE("plain words are lower-cased and stemmed") {
  CHECK(terms("Checking the Networks") == "check the network");
  CHECK(terms("connection connected connects") == "connect connect connect");
  CHECK(terms("") == "");
  CHECK(terms(" \t\n.,;!?()") == "");
}

TEST_CASE("nothing is dropped as a stop word") {
  CHECK(terms("do not turn it off") == "do not turn it off");
}

TEST_CASE("identifiers are kept whole and split into stemmed parts") {
  CHECK(terms("check_network_status()")
        == "check_network_status check network status");
  CHECK(terms("toggle_roaming") == "toggle_roaming toggl roam");
  CHECK(terms("4g_5g_preferred") == "4g_5g_preferred 4g 5g prefer");
  CHECK(terms("ABORTED_BY_USER") == "aborted_by_user abort by user");
}

TEST_CASE("camelCase is an identifier, capitals and plurals are not") {
  CHECK(terms("dataEnabled") == "dataenabled data enabl");
  CHECK(terms("XMLHttpRequest") == "xmlhttprequest xml http request");
  CHECK(terms("SIM APN") == "sim apn");
  CHECK(terms("two SIMs") == "two sim");
  CHECK(terms("Network") == "network");
}

TEST_CASE("a query in words finds the parts of an identifier") {
  const auto identifier = tokenize("run_speed_test");
  for (const auto& term : tokenize("running speed tests"))
    CHECK(std::count(identifier.begin(), identifier.end(), term) == 1);
}

TEST_CASE("numbers, versions, units, phone numbers and times stay whole") {
  CHECK(terms("2.0 GB") == "2.0 gb");
  CHECK(terms("version 1.2.3.") == "version 1.2.3");
  CHECK(terms("5GB of 4G") == "5gb of 4g");
  CHECK(terms("call 555-123-2002 at 10:30") == "call 555-123-2002 at 10:30");
  CHECK(terms("1,024 rows") == "1,024 row");
  CHECK(terms("C1001, L1002") == "c1001 l1002");
}

TEST_CASE("dots inside names join, at the end of sentences do not") {
  CHECK(terms("report.xlsx") == "report.xlsx report xlsx");
  CHECK(terms("Done. Next") == "done next");
  CHECK(terms("e.g. this") == "e.g e g this");
}

TEST_CASE("signs join digits only, and only between two of them") {
  CHECK(terms("1-a a-1 1:a a:1 1,a a,1") == "1 a a 1 1 a a 1 1 a a 1");
  CHECK(terms("1- 1: 1,") == "1 1 1");
  CHECK(terms("1--2") == "1 2");
  CHECK(terms("a.1 1.a") == "a.1 a 1 1.a 1 a");
  CHECK(terms("it's 1's s'1") == "it 1 s s 1");
}

TEST_CASE("a run of capitals is cut before the last that begins a word") {
  CHECK(terms("XMLSoup") == "xmlsoup xml soup");
  CHECK(terms("aXY") == "axy a xy");
  CHECK(terms("XYs") == "xys");
  CHECK(terms("XYst") == "xyst x yst");
  CHECK(terms("AB_c") == "ab_c ab c");
  CHECK(terms("a1B") == "a1b");
  CHECK(terms("name_") == "name");
}

TEST_CASE("hyphens and slashes separate words") {
  CHECK(terms("roaming-enabled 4G/5G") == "roam enabl 4g 5g");
}

TEST_CASE("apostrophes belong to words, straight or typographic") {
  CHECK(terms("customer's phone") == "custom phone");
  CHECK(terms("customer\u2019s phone") == "custom phone");
  CHECK(terms("'quoted'") == "quot");
}

TEST_CASE("emoji are terms, selectors and skin tones are not") {
  CHECK(terms("📶 Signal: 📵") == "📶 signal 📵");
  CHECK(terms("✈️ on") == "✈ on");
  CHECK(terms("ok👍🏽") == "ok 👍");
}

TEST_CASE("letters of other scripts are kept and lower-cased") {
  CHECK(terms("ÉCOLE Ñandú") == "école ñandú");
  CHECK(terms("ТЕСТ Ελλάδα") == "тест ελλάδα");
  CHECK(terms("ΆΛΦΑ Ạ ԱԲ") == "άλφα ạ աբ");
  CHECK(terms("网络 ok") == "网 络 ok");
}

TEST_CASE("underscores alone are no term, a leading one does not hide") {
  CHECK(terms("___") == "");
  CHECK(terms("_name") == "name");
}

TEST_CASE("malformed UTF-8 separates and never fails") {
  CHECK(terms("good\xffword") == "good word");
  CHECK(terms("cut\xe2\x82") == "cut");
}

TEST_CASE("any bytes tokenise, and the words alone give the same terms") {
  const auto seed = GENERATE(range(1, 51));
  INFO("seed " << seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "bytes")};
  static const std::vector<std::string> pieces{
      "a", "Z", "_",    ".",    "9",  "-", " ",     "'",
      "é", "📶", "\xff", "\xe2", "\n", ",", "\u200d"};
  std::string text;
  for (int i = 0; i < 200; ++i)
    text += pieces[draw.below(pieces.size())];
  std::vector<std::string> by_word;
  std::size_t at = 0;
  for (auto word = next_word(text, at); !word.empty();
       word = next_word(text, at))
    append_terms(word, by_word);
  const auto all = tokenize(text);
  CHECK(all == by_word);
  for (const auto& term : all) {
    CHECK_FALSE(term.empty());
    CHECK(term.find_first_of(" \n\xff") == std::string::npos);
  }
}
