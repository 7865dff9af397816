/// Pages on a thread of their own, and answers that go on.

#include "net/http_server.hpp"
#include "tests/net/http_client.hpp"

#include <catch2/catch.hpp>

#include <future>

using namespace brewery;
using namespace brewery::test;

namespace {

/// Holds whoever waits until it is opened.
struct barrier {
  std::promise<void> opened;
  std::shared_future<void> open{opened.get_future()};
};

/// Says what it is given, text by text, and then ends.
class said final : public http_feed {
public:
  explicit said(std::vector<std::string> texts) : texts_(std::move(texts)) {}
  std::optional<std::string> next() override {
    if (at_ == texts_.size()) return std::nullopt;
    return texts_[at_++];
  }

private:
  std::vector<std::string> texts_;
  std::size_t at_ = 0;
};

/// Goes on for ever; the last one that ends says so.
class endless final : public http_feed {
public:
  endless(std::string text, std::shared_ptr<std::promise<void>> ended)
      : text_(std::move(text)), ended_(std::move(ended)) {}
  ~endless() override {
    if (ended_) ended_->set_value();
  }
  std::optional<std::string> next() override { return text_; }

private:
  std::string text_;
  std::shared_ptr<std::promise<void>> ended_;
};

http_options quick() {
  http_options out;
  out.feed_interval = std::chrono::milliseconds{1};
  return out;
}

std::unique_ptr<http_server> serve(const http_options& options,
                                   http_handler page) {
  auto server =
      http_server::start(options,
                         {{"/healthz",
                           [](const http_request&) {
                             return http_response{200, "text/plain", "ok\n"};
                           }}},
                         {{"/*", std::move(page)}});
  REQUIRE(server);
  return std::move(*server);
}

std::string request(const std::string& path) {
  return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
}

http_response feed_of(std::shared_ptr<http_feed> feed) {
  http_response out{200, "text/event-stream", "begin|"};
  out.feed = std::move(feed);
  return out;
}

} // namespace

TEST_CASE("a page that takes long delays no health check") {
  barrier held;
  const auto server = serve(quick(), [&](const http_request&) {
    held.open.wait();
    return http_response{200, "text/plain", "page"};
  });
  client slow{server->port()};
  slow.send(request("/page"));
  CHECK(has(client{server->port()}.send(request("/healthz")).read_until("ok\n"),
            "200 OK"));
  held.opened.set_value();
  CHECK(has(slow.read_until("page"), "200 OK"));
}

TEST_CASE("pages never take the last connections") {
  barrier held;
  auto options = quick();
  options.connections_max = 4;
  options.pages_max = 100; // half of the connections at most
  const auto server = serve(options, [&](const http_request&) {
    held.open.wait();
    return http_response{200, "text/plain", "page"};
  });
  client first{server->port()}, second{server->port()};
  first.send(request("/1"));
  second.send(request("/2"));
  std::string third;
  // The first two may not have been heard yet.
  while (!has(third, "503"))
    third = client{server->port()}.send(request("/healthz")).read_until("ok\n"),
    third = client{server->port()}.send(request("/3")).read_until("\r\n\r\n");
  CHECK(has(third, "Retry-After"));
  CHECK(has(client{server->port()}.send(request("/healthz")).read_until("ok\n"),
            "200 OK"));
  held.opened.set_value();
  CHECK(has(first.read_until("page"), "200 OK"));
  CHECK(has(second.read_until("page"), "200 OK"));
}

TEST_CASE("an answer that goes on is sent part by part, to its end") {
  const auto server = serve(quick(), [](const http_request& asked) {
    return feed_of(std::make_shared<said>(
        std::vector<std::string>{"one|", "", "", "two|", asked.last_event_id}));
  });
  const auto all = client{server->port()}
                       .send("GET /x HTTP/1.1\r\nHost: x\r\n"
                             "Last-Event-ID: 7\r\n\r\n")
                       .read_all();
  CHECK(has(all, "Connection: close\r\n"));
  CHECK_FALSE(has(all, "Content-Length"));
  CHECK(has(all, "\r\n\r\nbegin|one|two|7"));
  const auto head =
      client{server->port()}
          .send("HEAD /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
          .read_all();
  CHECK(has(head, "200 OK"));
  CHECK_FALSE(has(head, "one|"));
}

TEST_CASE("a client that leaves, or takes nothing, ends its answer") {
  auto options = quick();
  options.feeds_max = 1;
  options.idle_timeout = std::chrono::seconds{2};
  auto ended = std::make_shared<std::promise<void>>();
  const auto server = serve(options, [&](const http_request& asked) {
    const bool large = asked.path == "/large";
    return feed_of(std::make_shared<endless>(
        large ? std::string(1 << 20, 'x') : "more|", std::exchange(ended, {})));
  });
  SECTION("leaves") {
    auto over = ended->get_future();
    {
      client leaves{server->port()};
      CHECK(has(leaves.send(request("/small")).read_until("more|more|"),
                "200 OK"));
      CHECK(has(client{server->port()}.send(request("/small")).read_all(),
                "503"));
    }
    CHECK(over.wait_for(std::chrono::seconds{20}) == std::future_status::ready);
  }
  SECTION("takes nothing") {
    auto over = ended->get_future();
    client stalled{server->port()};
    stalled.send(request("/large"));
    CHECK(over.wait_for(std::chrono::seconds{20}) == std::future_status::ready);
  }
  // Its place is free again.
  std::string next;
  while (!has(next, "200 OK"))
    next =
        client{server->port()}.send(request("/small")).read_until("\r\n\r\n");
}

TEST_CASE("a server ends while pages and answers go on") {
  auto ended = std::make_shared<std::promise<void>>();
  auto over = ended->get_future();
  auto server = serve(quick(), [&](const http_request&) {
    return feed_of(
        std::make_shared<endless>("more|", std::exchange(ended, {})));
  });
  client open{server->port()};
  CHECK(has(open.send(request("/")).read_until("more|"), "200 OK"));
  server.reset();
  CHECK(over.wait_for(std::chrono::seconds{0}) == std::future_status::ready);
}
