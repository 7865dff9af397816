#include "base/hash.hpp"
#include "base/rng.hpp"
#include "envs/tau2/data/records.hpp"

#include <catch2/catch.hpp>

#include <thread>

using namespace brewery;
using namespace brewery::tau2;

namespace {

result<json> as_given(const json& record) {
  if (!record.is_object())
    return error{ec::malformed, "must be an object, not " + record.dump()};
  return record;
}

constexpr auto two_tables = R"({
  "users": {
    "zoe": {"name": "Zoé", "balance": 2.0},
    "amy": {"balance": 1, "name": "Amy"}
  },
  "orders": {}
})";

record_db parse(const std::string& text) {
  auto db = parse_records({"db.json", text},
                          {{"users", as_given}, {"orders", as_given}});
  REQUIRE(db);
  return std::move(*db);
}

std::string refusal_of(const std::string& text) {
  const auto db = parse_records({"db.json", text}, {{"users", as_given}});
  return db ? "taken" : db.error().message;
}

} // namespace

TEST_CASE("a database is hashed as Python dumps it with sorted keys") {
  // hashlib.sha256(json.dumps(db, sort_keys=True).encode()).hexdigest()
  auto db = parse(two_tables);
  CHECK(database_hash(db)
        == sha256_hex(R"({"orders": {}, "users": {"amy": {"balance": 1, )"
                      R"("name": "Amy"}, "zoe": {"balance": 2.0, )"
                      R"("name": "Zo\u00e9"}}})"));
  (*db.table("users").edit("zoe"))["balance"] = 2;
  db.table("users").add("bob", {{"balance", nullptr}});
  db.table("orders").add("#1", {{"paid", true}});
  CHECK(database_hash(db)
        == sha256_hex(R"({"orders": {"#1": {"paid": true}}, "users": {"amy": )"
                      R"({"balance": 1, "name": "Amy"}, "bob": {"balance": )"
                      R"(null}, "zoe": {"balance": 2, "name": "Zo\u00e9"}}})"));
}

TEST_CASE("rows keep file order and added ones come last") {
  auto db = parse(two_tables);
  auto& users = db.table("users");
  users.add("bob", json::object());
  std::string order;
  for (const auto& [id, record] : users.rows())
    order += id + ' ';
  CHECK(order == "zoe amy bob ");
  CHECK(users.find("bob") != nullptr);
  CHECK(users.find("b") == nullptr);
  CHECK(users.edit("nobody") == nullptr);
}

TEST_CASE("an edit is seen by the copy that made it alone") {
  const auto base = parse(two_tables);
  const auto before = database_hash(base);
  auto one = base, other = base;
  (*one.table("users").edit("amy"))["balance"] = 7;
  CHECK(same_database(base, other));
  CHECK_FALSE(same_database(base, one));
  CHECK((*base.table("users").find("amy"))["balance"] == 1);
  const auto snapshot = one;
  (*one.table("users").edit("amy"))["balance"] = 8;
  CHECK((*snapshot.table("users").find("amy"))["balance"] == 7);
  CHECK(database_hash(base) == before);
  // Records nobody wrote to are not copied.
  CHECK(one.table("users").find("zoe") == base.table("users").find("zoe"));
}

TEST_CASE("databases are equal exactly if their hashes are") {
  const std::uint64_t seed = 20;
  INFO("seed " << seed);
  rng draw{rng_key(seed, "records")};
  const std::vector<json> values{1,
                                 1.0,
                                 true,
                                 0.0,
                                 -0.0,
                                 "1",
                                 nullptr,
                                 json::array(),
                                 json::object(),
                                 json{{"a", 1}, {"b", 2}},
                                 json{{"b", 2}, {"a", 1}},
                                 json::array({1, 2}),
                                 json::array({2, 1})};
  const auto base = parse(two_tables);
  for (int round = 0; round < 300; ++round) {
    record_db dbs[2] = {base, base};
    for (auto& db : dbs) {
      for (int i = 0; i < 2; ++i) {
        const auto& value = values[draw.below(values.size())];
        switch (draw.below(4)) {
        case 0:
          (*db.table("users").edit("amy"))["balance"] = value;
          break;
        case 1:
          (void)db.table("users").edit("zoe");
          break;
        case 2:
          if (db.table("orders").find("#1") == nullptr)
            db.table("orders").add("#1", value);
          break;
        default:
          if (db.table("orders").find("#2") == nullptr)
            db.table("orders").add("#2", value);
        }
      }
    }
    INFO("round " << round);
    CHECK(same_database(dbs[0], dbs[1])
          == (database_hash(dbs[0]) == database_hash(dbs[1])));
    CHECK(same_database(dbs[1], dbs[0]) == same_database(dbs[0], dbs[1]));
  }
}

TEST_CASE("threads may hash and edit copies of one base at the same time") {
  const auto base = parse(two_tables);
  std::string hashes[2];
  std::vector<std::thread> threads;
  for (auto& hash : hashes) {
    threads.emplace_back([&hash, copy = base]() mutable {
      (*copy.table("users").edit("amy"))["balance"] = 3;
      hash = database_hash(copy);
    });
  }
  for (auto& thread : threads)
    thread.join();
  CHECK(hashes[0] == hashes[1]);
}

TEST_CASE("a refused database names file, table, record and reason") {
  CHECK(refusal_of(R"({"users": {"amy": {}}})") == "taken");
  CHECK(refusal_of("[]") == "db.json: must be an object of tables");
  CHECK(refusal_of("{}")
        == "db.json: \"users\" is missing or not an object of records");
  CHECK(refusal_of("{\"users\": {\n\"amy\": 3}}")
        == "db.json: users \"amy\": must be an object, not 3");
  CHECK(refusal_of("{\"users\":\n{\n").find("db.json:3:1: is not JSON: ") == 0);
  CHECK(refusal_of("{\"users\": {\"amy\": 1e999}}").find("db.json: ") == 0);
}
