#include "base/shared_list.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace brewery;

TEST_CASE("copies of a shared list share their items") {
  const shared_list<std::string> one{"a", "b"};
  const auto two = one;
  CHECK(&one.items() == &two.items());
  CHECK(one == two);
  CHECK(one == shared_list<std::string>{"a", "b"});
  CHECK_FALSE(one == shared_list<std::string>{"a"});
  CHECK(one[1] == "b");
}

TEST_CASE("a shared list without items is empty") {
  const shared_list<std::string> none;
  CHECK(none.empty());
  CHECK(none == shared_list<std::string>{std::vector<std::string>{}});
  CHECK(none.begin() == none.end());
}

TEST_CASE("a witness knows the list it saw from an equal one, and keeps none") {
  shared_list<std::string> one{"a"};
  const auto copy = one;
  const auto witness = one.seen();
  CHECK(witness.saw(one));
  CHECK(witness.saw(copy));
  CHECK_FALSE(witness.saw({"a"}));
  CHECK(one.held_by() == 2);
  shared_list<std::string>::witness late;
  {
    const shared_list<std::string> brief{"b"};
    late = brief.seen();
  }
  CHECK_FALSE(late.saw({"b"}));
  CHECK_FALSE(late.saw({}));
  CHECK_FALSE(shared_list<std::string>::witness{}.saw({}));
}
