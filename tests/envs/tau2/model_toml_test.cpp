#include "tests/envs/tau2/small_store.hpp"

using namespace brewery;
using namespace brewery::tau2;
using namespace brewery::test;

namespace {

/// The error of the small desk's db.toml after one replacement.
error refused_db(const std::string& from, const std::string& to) {
  REQUIRE(small_db.find(from) != std::string::npos);
  auto text = small_db;
  text.replace(text.find(from), from.size(), to);
  const auto loaded = parse_telecom_db({"db.toml", text});
  REQUIRE_FALSE(loaded.has_value());
  return loaded.error();
}

} // namespace

TEST_CASE("a broken record is refused with file, line and key") {
  CHECK(refused_db("name = \"Small\"\n", "").message
        == "db.toml:1: plans[0].name is missing");
  CHECK(refused_db("data_limit_gb = 5\n", "data_limit_gb = \"5\"\n").message
        == "db.toml:4: plans[0].data_limit_gb must be a number");
  CHECK(refused_db("is_esim_capable = false", "is_esim_capable = 0").message
        == "db.toml:12: devices[0].is_esim_capable must be true or false");
  CHECK(refused_db("model = \"Brick\"", "model = 7").message
        == "db.toml:11: devices[0].model must be a string");
  CHECK(refused_db("\"2025-01-02T03:04:05\"", "\"yesterday\"").message
        == "db.toml:13: devices[0].activation_date must be a time "
           "YYYY-MM-DDTHH:MM:SS");
  CHECK(refused_db("contract_end_date = 2026-12-31",
                   "contract_end_date = \"2026-13-31\"")
            .message
        == "db.toml:22: lines[0].contract_end_date must be a date YYYY-MM-DD");
  CHECK(refused_db("status = \"Suspended\"", "status = \"Gone\"").message
        == "db.toml:27: lines[1].status has the unknown value \"Gone\" (one "
           "of: Active, Suspended, Pending Activation, Closed)");
  CHECK(refused_db("line_ids = [\"L1\"]", "line_ids = \"L1\"")
            .message.find("customers[0].line_ids expected an array")
        != std::string::npos);
  CHECK(refused_db("street = \"1 Hill\"\n", "")
            .message.find("customers[0].address.street is missing")
        != std::string::npos);
}

TEST_CASE("an unknown key tells of another version or of a misspelling") {
  const error other = refused_db("[[plans]]\n", "[phone_number_aliases]\n"
                                                "[[plans]]\n");
  CHECK(other.code == ec::version_mismatch);
  CHECK(other.message
        == "db.toml:1: phone_number_aliases is not a key of this version: the "
           "data is of another version of tau2-bench");
  const error slip = refused_db("model = ", "modle = ");
  CHECK(slip.code == ec::version_mismatch);
  CHECK(slip.message.find("devices[0].modle") != std::string::npos);
  CHECK(slip.message.find("did you mean model?") != std::string::npos);
}

TEST_CASE("text that is not TOML is refused with its line") {
  const error broken = refused_db("name = \"Small\"", "name = ");
  CHECK(broken.code == ec::malformed);
  CHECK(broken.message.rfind("db.toml:3: ", 0) == 0);
}

TEST_CASE("the phone's file has defaults for everything but app names") {
  const auto bare = parse_telecom_user_db({"user_db.toml", ""});
  REQUIRE(bare.has_value());
  CHECK(bare->device.battery_level == 80);
  CHECK(bare->device.app_statuses.size() == 2);
  const auto around = parse_telecom_user_db(
      {"user_db.toml", "[surroundings.signal_strength]\n5G = \"none\"\n"});
  REQUIRE(around.has_value());
  REQUIRE(around->surroundings.signal_strength.size() == 1);
  const auto unknown = parse_telecom_user_db(
      {"user_db.toml", "[surroundings.signal_strength]\n6G = \"none\"\n"});
  REQUIRE_FALSE(unknown.has_value());
  CHECK(unknown.error().message.find("surroundings.signal_strength.6G has the "
                                     "unknown value \"6G\"")
        != std::string::npos);
  const auto level = parse_telecom_user_db(
      {"user_db.toml", "[device]\nbattery_level = 80.5\n"});
  REQUIRE_FALSE(level.has_value());
  CHECK(level.error().message
        == "user_db.toml:2: device.battery_level must be a whole number");
}

TEST_CASE("whole numbers in float fields load as floats") {
  const auto state = small_state();
  CHECK(
      model_text(*state.accounts.plans->front()).find("\"data_limit_gb\": 5.0")
      != std::string::npos);
}
