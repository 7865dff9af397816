#include "base/rng.hpp"
#include "cluster/worker_link.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace brewery;
using namespace std::chrono_literals;
using health = worker_link::health;

namespace {

cluster_options options() {
  cluster_options out;
  out.lease = 10s;
  out.heartbeat = 2s;
  out.suspicion = 400ms;
  return out;
}

lease_key link_key(const std::string& job, std::uint64_t attempt = 1) {
  return {{"s"}, {job}, attempt, 7};
}

std::shared_ptr<const std::string> frame_of(const std::string& text) {
  return std::make_shared<const std::string>(text);
}

/// A link of session 5, and the worker's heartbeats in order.
struct pair_of_ends {
  worker_link link{options(), 5, 0s};
  microseconds now{0};
  std::uint64_t sequence = 0;

  worker_link::heartbeat_outcome
  beat(const std::vector<lease_key>& reported,
       std::optional<std::uint64_t> number = std::nullopt) {
    worker_heartbeat out;
    out.session = 5;
    out.sequence = number ? *number : ++sequence;
    for (const auto& key : reported)
      out.jobs.push_back({key, false, 1});
    return link.on(out, now);
  }
  std::string resent() {
    std::string out;
    for (const auto& frame : link.tick(now))
      out += *frame;
    return out;
  }
};

} // namespace

TEST_CASE("a lease that no heartbeat names is sent again and again") {
  pair_of_ends ends;
  ends.link.offer(link_key("a"), frame_of("A"), ends.now);
  ends.link.offer(link_key("b"), frame_of("B"), ends.now);
  for (int round = 0; round < 7; ++round) { // less than three lease times
    INFO("round " << round);
    ends.now += 4s - 1us;
    CHECK(ends.resent().empty());
    const auto seen = ends.beat({});
    CHECK(seen.returned.empty()); // not there yet: not lost
    CHECK(seen.reply->cancelled.empty());
    ends.now += 1us;
    CHECK(ends.resent() == "AB");
    CHECK(ends.resent().empty());
  }
}

TEST_CASE("a lease that a worker ignores for three lease times ends") {
  pair_of_ends ends;
  ends.link.offer(link_key("a"), frame_of("A"), ends.now);
  ends.link.offer(link_key("b"), frame_of("B"), ends.now);
  ends.beat({link_key("b")});
  ends.now = 30s - 1us;
  ends.link.offer(link_key("c"), frame_of("C"), ends.now);
  CHECK(ends.beat({link_key("b")}).ignored.empty());
  ends.now = 30s;
  const auto seen = ends.beat({link_key("b")});
  CHECK(seen.ignored == std::vector{link_key("a")});
  CHECK(seen.returned.empty());
  CHECK_FALSE(ends.link.has(link_key("a")));
  CHECK(ends.beat({link_key("b")}).ignored.empty());
  // Should it be taken after all, it is cancelled.
  CHECK(ends.beat({link_key("a"), link_key("b")}).reply->cancelled
        == std::vector{link_key("a")});
}

TEST_CASE("a lease that a heartbeat names is not sent again") {
  pair_of_ends ends;
  ends.link.offer(link_key("a"), frame_of("A"), ends.now);
  ends.link.offer(link_key("b"), frame_of("B"), ends.now);
  const auto seen = ends.beat({link_key("b")});
  REQUIRE(seen.reply);
  CHECK(seen.reply->session == 5);
  CHECK(seen.reply->sequence == 1);
  CHECK(seen.reply->cancelled.empty());
  ends.now = 60s;
  CHECK(ends.resent() == "A");
}

TEST_CASE("a lease that was held and is held no longer is lost, once") {
  pair_of_ends ends;
  ends.link.offer(link_key("a"), frame_of("A"), ends.now);
  ends.link.offer(link_key("b"), frame_of("B"), ends.now);
  ends.beat({link_key("a"), link_key("b")});
  CHECK(ends.beat({link_key("b")}).returned == std::vector{link_key("a")});
  CHECK_FALSE(ends.link.has(link_key("a")));
  CHECK(ends.link.has(link_key("b")));
  CHECK(ends.beat({link_key("b")}).returned.empty());
  // Should it turn up after all, it is not wanted any more.
  CHECK(ends.beat({link_key("a"), link_key("b")}).reply->cancelled
        == std::vector{link_key("a")});
}

TEST_CASE("an adopted lease counts as held from the start") {
  pair_of_ends ends;
  ends.link.adopted(link_key("a"), false, ends.now);
  ends.link.adopted(link_key("b"), true, ends.now);
  CHECK(ends.link.has(link_key("a")));
  ends.now = 60s;
  CHECK(ends.resent().empty());
  const auto seen = ends.beat({});
  CHECK(seen.returned == std::vector{link_key("a")});
  CHECK(ends.link.has(link_key("b"))); // its result is here: never lost
}

TEST_CASE("a job that is held without a lease is cancelled every time") {
  pair_of_ends ends;
  ends.link.offer(link_key("a", 2), frame_of("A"), ends.now);
  for (int round = 0; round < 3; ++round) {
    const auto seen = ends.beat({link_key("x"), link_key("a", 1)});
    CHECK(seen.reply->cancelled
          == std::vector{link_key("x"), link_key("a", 1)});
    CHECK(seen.returned.empty());
  }
  // Another attempt than the leased one is not taken for it.
  ends.now = 4s;
  CHECK(ends.resent() == "A");
}

TEST_CASE("a heartbeat that still names an ended lease is told so") {
  pair_of_ends ends;
  ends.link.offer(link_key("a"), frame_of("A"), ends.now);
  ends.beat({link_key("a")});
  ends.link.end(link_key("a", 9)); // another attempt: nothing happens
  CHECK(ends.link.has(link_key("a")));
  ends.link.end(link_key("a"));
  CHECK_FALSE(ends.link.has(link_key("a")));
  const auto seen = ends.beat({link_key("a")});
  CHECK(seen.reply->cancelled == std::vector{link_key("a")});
  CHECK(seen.returned.empty());
}

TEST_CASE("an older or doubled heartbeat changes nothing and gets no reply") {
  pair_of_ends ends;
  ends.link.offer(link_key("a"), frame_of("A"), ends.now);
  CHECK(ends.beat({link_key("a")}, 4).reply);
  for (const std::uint64_t number : {0, 1, 3, 4}) {
    INFO("heartbeat " << number);
    const auto seen = ends.beat({}, number);
    CHECK_FALSE(seen.reply);
    CHECK(seen.returned.empty());
    CHECK(ends.link.has(link_key("a")));
    CHECK_FALSE(ends.beat({link_key("x")}, number).reply);
  }
  CHECK(ends.beat({}, 5).returned == std::vector{link_key("a")});
}

TEST_CASE("a delivered result is neither resent nor lost nor taken twice") {
  pair_of_ends ends;
  ends.link.offer(link_key("a"), frame_of("A"), ends.now);
  CHECK(ends.link.delivered(link_key("a")));
  CHECK_FALSE(ends.link.delivered(link_key("a")));
  CHECK_FALSE(ends.link.delivered(link_key("a")));
  ends.now = 60s;
  CHECK(ends.resent().empty());
  CHECK(ends.beat({}).returned.empty());
  // Named while the journal writes: it keeps it until it is acknowledged.
  CHECK(ends.beat({link_key("a")}).reply->cancelled.empty());
  CHECK(ends.beat({}).returned.empty());
  ends.link.end(link_key("a"));
  // What has no lease is passed on, to be refused as stale.
  CHECK(ends.link.delivered(link_key("a")));
  CHECK(ends.link.delivered(link_key("x")));
}

TEST_CASE("an adopted result that is in the log already is not taken again") {
  pair_of_ends ends;
  ends.link.adopted(link_key("a"), true, ends.now);
  CHECK_FALSE(ends.link.delivered(link_key("a")));
}

TEST_CASE("progress of all jobs is added up") {
  pair_of_ends ends;
  worker_heartbeat beat;
  beat.sequence = 1;
  beat.jobs = {{link_key("a"), false, 3}, {link_key("b"), true, 4}};
  CHECK(ends.link.on(beat, ends.now).steps == 7);
}

TEST_CASE("a worker that is not heard of for a lease has expired") {
  pair_of_ends ends;
  CHECK(ends.link.check(10s - 1us) == health::alive);
  CHECK(ends.link.check(10s) == health::expired);
  ends.link.heard(9s);
  CHECK(ends.link.check(19s - 1us) == health::alive);
  CHECK(ends.link.check(19s) == health::expired);
  ends.now = 15s;
  ends.beat({});
  CHECK(ends.link.check(25s - 1us) == health::alive);
  // Even what is too old to be acted on shows that it lives.
  ends.now = 20s;
  ends.beat({}, 0);
  CHECK(ends.link.check(30s - 1us) == health::alive);
  CHECK(ends.link.check(30s) == health::expired);
}

TEST_CASE("a broken connection is gone unless the worker is heard soon") {
  pair_of_ends ends;
  ends.link.disconnected(1s);
  CHECK(ends.link.check(1400ms - 1us) == health::alive);
  ends.link.disconnected(1300ms); // told twice: the first counts
  CHECK(ends.link.check(1400ms) == health::gone);
  ends.link.heard(1399ms);
  CHECK(ends.link.check(1400ms) == health::alive);
  CHECK(ends.link.check(5s) == health::alive);
  ends.link.disconnected(6s);
  CHECK(ends.link.check(6400ms) == health::gone);
}

TEST_CASE("whatever is dropped, both ends agree once messages arrive again") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    rng draw{rng_key(seed, "link")};
    pair_of_ends ends;
    std::map<std::string, lease_key> worker; // by frame
    std::set<std::string> wanted;            // what the owner thinks
    const auto get = [&](const std::string& frame) {
      worker[frame] = link_key(frame);
    };
    for (int round = 0; round < 60; ++round) {
      const bool calm = round >= 40;
      const auto arrives = [&] { return calm || draw.below(3) > 0; };
      if (!calm && draw.below(2) == 0) {
        const auto job = "j" + std::to_string(round);
        ends.link.offer(link_key(job), frame_of(job), ends.now);
        wanted.insert(job);
        if (arrives()) get(job);
      }
      if (!calm && draw.below(6) == 0 && !wanted.empty()) {
        ends.link.end(link_key(*wanted.begin())); // the cancel is dropped
        wanted.erase(wanted.begin());
      }
      if (!calm && draw.below(9) == 0 && !worker.empty())
        worker.erase(worker.begin()); // it forgets, say: restarted a slot
      ends.now += 1s;
      for (const auto& frame : ends.link.tick(ends.now))
        if (arrives()) get(*frame);
      std::vector<lease_key> reported;
      for (const auto& [frame, key] : worker)
        reported.push_back(key);
      if (!arrives()) {
        ++ends.sequence;
        continue;
      }
      const auto seen = ends.beat(reported);
      for (const auto* ended : {&seen.returned, &seen.ignored})
        for (const auto& key : *ended)
          wanted.erase(key.job.value);
      if (arrives())
        for (const auto& key : seen.reply->cancelled)
          worker.erase(key.job.value);
    }
    std::set<std::string> has;
    for (const auto& [frame, key] : worker)
      has.insert(frame);
    REQUIRE(has == wanted);
  }
}
