#include "server/page_orders.hpp"

#include <catch2/catch.hpp>

#include <future>
#include <vector>

using namespace brewery;

TEST_CASE("a page that its asker repeats while it is made is made once") {
  std::promise<void> begun;
  std::promise<void> may_end;
  std::vector<std::string> made;
  std::vector<std::uint64_t> answered;
  std::promise<void> last;
  page_orders pages{[&](const http_request& asked) {
    made.push_back(asked.path);
    if (made.size() == 1) {
      begun.set_value();
      may_end.get_future().wait();
    }
    return http_response{};
  }};
  const auto ask = [&](std::uint64_t number) {
    pages.take("asker",
               {number, "page", {{"path", "/" + std::to_string(number)}}},
               [&, number](const operator_reply&) {
                 answered.push_back(number);
                 if (number == 2) last.set_value();
               });
  };
  ask(1);
  begun.get_future().wait();
  for (int i = 0; i < 3; ++i)
    ask(1);
  // Pages are made in order: with the answer to this one, all were.
  ask(2);
  may_end.set_value();
  last.get_future().wait();
  pages.end();
  CHECK(made == std::vector<std::string>{"/1", "/2"});
  CHECK(answered == std::vector<std::uint64_t>{1, 2});
}

TEST_CASE("a page that was answered is made anew for who asks again") {
  std::vector<std::string> made;
  page_orders pages{[&](const http_request& asked) {
    made.push_back(asked.path);
    return http_response{};
  }};
  // The same number again: an asker that began anew counts from 1.
  for (int i = 0; i < 2; ++i) {
    std::promise<void> answered;
    pages.take("asker", {1, "page", {{"path", "/a"}}},
               [&](const operator_reply&) { answered.set_value(); });
    answered.get_future().wait();
  }
  pages.end();
  CHECK(made.size() == 2);
}
