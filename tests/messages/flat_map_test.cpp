#include "messages/flat_map.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace brewery;

TEST_CASE("a flat map has what a map has") {
  flat_map<int> flat;
  std::map<std::uint64_t, int> map;
  std::mt19937_64 draw{7};
  CHECK(flat.find(1) == nullptr);
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 3000; ++i) {
      const auto key = 1 + draw() % 4000; // neighbours, some repeated
      const auto [value, added] = flat.try_emplace(key);
      CHECK(added == !map.contains(key));
      if (added) *value = map[key] = static_cast<int>(draw() % 1000);
    }
    std::multiset<int> asked, looked_at;
    flat.erase_if([&](int value) { asked.insert(value); },
                  [&](int value) {
                    looked_at.insert(value);
                    return value % 3 == 0;
                  });
    CHECK(looked_at.size() == map.size());
    CHECK(asked.size() + 16 >= looked_at.size());
    CHECK(std::includes(looked_at.begin(), looked_at.end(), asked.begin(),
                        asked.end()));
    std::erase_if(map, [](const auto& one) { return one.second % 3 == 0; });
    CHECK(flat.size() == map.size());
    for (std::uint64_t key = 1; key <= 4001; ++key) {
      flat.prefetch(key);
      const auto* found = flat.find(key);
      const auto wanted = map.find(key);
      REQUIRE((found != nullptr) == (wanted != map.end()));
      if (found) CHECK(*found == wanted->second);
    }
  }
}

TEST_CASE("a flat map of which nothing is erased stays as it is") {
  flat_map<int> flat;
  *flat.try_emplace(7).first = 1;
  const auto* before = flat.find(7);
  flat.erase_if([](int) {}, [](int) { return false; });
  CHECK(flat.find(7) == before);
  CHECK(flat.size() == 1);
  flat.erase_if([](int) {}, [](int) { return true; });
  CHECK(flat.find(7) == nullptr);
  CHECK(flat.size() == 0);
}

TEST_CASE("keys that a hash does not spread are still told apart") {
  flat_map<std::uint64_t> flat;
  for (std::uint64_t key = 1; key <= 1000; ++key)
    *flat.try_emplace(key << 40U).first = key;
  for (std::uint64_t key = 1; key <= 1000; ++key)
    CHECK(*flat.find(key << 40U) == key);
  CHECK(flat.find(1) == nullptr);
}
