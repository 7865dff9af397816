#include "messages/read_ahead.hpp"

#include <catch2/catch.hpp>

#include <numeric>
#include <vector>

using namespace brewery;

TEST_CASE("each insight is read once, in order, and asked for before it") {
  for (const std::size_t count : {0U, 1U, 8U, 9U, 16U, 17U, 24U, 25U, 100U}) {
    CAPTURE(count);
    std::vector<insight> items(count);
    std::vector<std::size_t> read, wanted(count);
    std::iota(wanted.begin(), wanted.end(), 0U);
    std::vector<int> asked(count);
    read_ahead(
        count, [&](std::size_t i) -> const insight& { return items.at(i); },
        [&](const insight& item) -> const shared_text& {
          const auto at = static_cast<std::size_t>(&item - items.data());
          CHECK(at - read.size() == (at < 16 || asked.at(at) > 0 ? 8 : 16));
          ++asked.at(at);
          return item.sentence;
        },
        [&](std::size_t i) {
          read.push_back(i);
          CHECK(asked.at(i) == (i < 8 ? 0 : i < 16 ? 1 : 2));
        });
    CHECK(read == wanted);
  }
}
