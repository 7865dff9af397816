#include "base/shared_value.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace brewery;

TEST_CASE("copies of a shared value are one value, which goes with the last") {
  const shared_value<std::vector<int>> one{{1, 2}};
  CHECK(one.alone());
  {
    const auto two = one;
    CHECK(two.same(one));
    CHECK_FALSE(one.alone());
  }
  CHECK(one.alone());
  const shared_value<std::vector<int>> equal{{1, 2}};
  CHECK(one == equal);
  CHECK_FALSE(one.same(equal));
  CHECK_FALSE(one == shared_value<std::vector<int>>{{3}});
}

TEST_CASE("a shared value may be made where it stays") {
  const auto made = shared_value<std::vector<int>>::made_by(
      [](std::vector<int>& out) { out.push_back(4); });
  CHECK(*made == std::vector<int>{4});
  CHECK(made.alone());
}

TEST_CASE("no shared value is one that is empty") {
  const shared_value<std::vector<int>> none;
  CHECK(none->empty());
  CHECK(none.alone());
  CHECK(none == shared_value<std::vector<int>>{std::vector<int>{}});
}

TEST_CASE("a shared text is read like a text") {
  const shared_text text = "fan";
  CHECK(text == "fan");
  CHECK(text == std::string{"fan"});
  CHECK(text == std::string_view{"fan"});
  CHECK(text == shared_text{std::string{"fan"}});
  CHECK_FALSE(text == "lamp");
  CHECK(text.size() == 3);
  const std::string& plain = text;
  CHECK(plain == "fan");
  const auto copy = text;
  CHECK(copy.same(text));
}

TEST_CASE("an empty shared text takes no memory, however it was made") {
  for (const auto& text :
       {shared_text{}, shared_text{""}, shared_text{std::string{}},
        shared_text{std::string_view{}}}) {
    CHECK(text.empty());
    CHECK(text.same(shared_text{}));
  }
}
