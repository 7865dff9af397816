#include "messages/wire/codec.hpp"
#include "tests/messages/samples.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <map>

using namespace brewery;

namespace {

/// What is written for samples::full<T>(), by name of message, and for
/// full_of<T, Alternative>(), by both names; from golden/*.hex: a name on a
/// line of its own, then indented lines of its bytes.
///
/// An entry may change only together with wire::schema_version or log_format,
/// or, while no log of that struct can exist outside this repository, with a
/// word in the commit message.
using golden_bytes = std::map<std::string, std::string>;

void read_golden(const std::string& file, golden_bytes& out) {
  std::ifstream in{BREWERY_SOURCE_DIR "/tests/messages/golden/" + file};
  REQUIRE(in);
  std::string name;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("  "))
      out[name] += line.substr(2);
    else if (!line.empty() && line[0] != '#')
      name = line;
  }
}

const golden_bytes& golden_hex() {
  static const golden_bytes all = [] {
    golden_bytes read;
    for (const auto* file : {"logs.hex", "cluster.hex", "models.hex"})
      read_golden(file, read);
    return read;
  }();
  return all;
}

std::string hex_in(const std::string& file, const std::string& message) {
  golden_bytes read;
  read_golden(file, read);
  REQUIRE(read.contains(message));
  return read.at(message);
}

/// As messages were written before they had all of today's fields.
std::string hex_before(const std::string& message) {
  return hex_in("before.hex", message);
}

std::string to_hex(std::string_view bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string hex;
  for (const char byte : bytes) {
    hex += digits[static_cast<unsigned char>(byte) >> 4];
    hex += digits[byte & 15];
  }
  return hex;
}

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(
        std::stoi(std::string{hex.substr(i, 2)}, nullptr, 16));
  return bytes;
}

} // namespace

TEST_CASE("every message is written as the stored bytes") {
  std::size_t messages = 0;
  samples::for_each_message([&]<class T>() {
    ++messages;
    INFO(T::type_name);
    REQUIRE(golden_hex().count(T::type_name) == 1);
    CHECK(to_hex(wire::encode(samples::full<T>()))
          == golden_hex().at(T::type_name));
  });
  CHECK(golden_hex().size() == messages);
}

TEST_CASE("the stored bytes are read as the message they were written from") {
  samples::for_each_message([&]<class T>() {
    INFO(T::type_name);
    const auto got = wire::decode<T>(from_hex(golden_hex().at(T::type_name)));
    REQUIRE(got);
    CHECK(*got == samples::full<T>());
  });
}

TEST_CASE("every alternative of a sum is written as the stored bytes") {
  const auto check = []<class T, class... Others>() {
    const auto one = []<class Other>() {
      const auto name = std::string{T::type_name} + ' ' + Other::type_name;
      INFO(name);
      const auto hex = hex_in("sums.hex", name);
      const auto value = samples::full_of<T, Other>();
      CHECK(to_hex(wire::encode(value)) == hex);
      const auto got = wire::decode<T>(from_hex(hex));
      REQUIRE(got);
      CHECK(*got == value);
    };
    (one.template operator()<Others>(), ...);
  };
  check.operator()<job, integrate_job, embed_job, grade_job, memory_job>();
  check.operator()<job_result, integrate_result, embed_result, grade_result,
                   memory_result>();
  check.operator()<model_call, embedding_request>();
  check.operator()<model_answer, embedding_reply>();
}

TEST_CASE("a result without output is written as the stored bytes") {
  const job_result nothing{{"s1"}, "s2", {}};
  const auto hex = hex_in("sums.hex", "job_result nothing");
  CHECK(to_hex(wire::encode(nothing)) == hex);
  const auto got = wire::decode<job_result>(from_hex(hex));
  REQUIRE(got);
  CHECK(*got == nothing);
}

TEST_CASE("a full barrier is written as before there was a quorum, and read") {
  const auto before = hex_before("gather_record");
  const auto got = wire::decode<gather_record>(from_hex(before));
  REQUIRE(got);
  CHECK(got->folded.empty());
  CHECK(got->late.empty());
  CHECK(to_hex(wire::encode(*got)) == before);
}

TEST_CASE("reports of before evaluations could stop are read and written") {
  const auto check = []<class T>(const T&) {
    INFO(T::type_name);
    const auto before = hex_before(T::type_name);
    const auto got = wire::decode<T>(from_hex(before));
    REQUIRE(got);
    CHECK(to_hex(wire::encode(*got)) == before);
    return *got;
  };
  CHECK(check(node_record{}).least.empty());
  CHECK(check(expand_report{}).counts.empty());
}

TEST_CASE("a version without races or challenges is written as before") {
  auto version = samples::full<node_record>();
  const auto check = [&](const std::string& name) {
    INFO(name);
    const auto before = hex_before(name);
    CHECK(to_hex(wire::encode(version)) == before);
    const auto got = wire::decode<node_record>(from_hex(before));
    REQUIRE(got);
    CHECK(*got == version);
  };
  REQUIRE_FALSE(version.raced.empty());
  version.raced.clear();
  check("node_record unraced");
  REQUIRE_FALSE(version.challenges.empty());
  version.challenges.clear();
  check("node_record unchallenged");
}

TEST_CASE("a rollout job is written as before there were methods, and read") {
  auto full = samples::full<rollout_job>();
  full.method.clear();
  const auto before = hex_before("rollout_job");
  CHECK(to_hex(wire::encode(full)) == before);
  const auto got = wire::decode<rollout_job>(from_hex(before));
  REQUIRE(got);
  CHECK(*got == full);
}

TEST_CASE("messages without their newest fields are written as before") {
  const auto check = []<class T>(const T& without) {
    INFO(T::type_name);
    const auto before = hex_before(T::type_name);
    CHECK(to_hex(wire::encode(without)) == before);
    const auto got = wire::decode<T>(from_hex(before));
    REQUIRE(got);
    CHECK(*got == without);
  };
  auto hello = samples::full<worker_hello>();
  hello.tags.clear();
  hello.slots_for.clear();
  check(hello);
  auto beat = samples::full<worker_heartbeat>();
  beat.log.clear();
  check(beat);
  auto welcome = samples::full<worker_welcome>();
  welcome.cluster.clear();
  check(welcome);
  auto reply = samples::full<operator_reply>();
  reply.content.clear();
  reply.code = 0;
  check(reply);
  auto report = samples::full<result_report>();
  report.played_us = 0;
  check(report);
}

TEST_CASE("results of before their insights were packed are written and read") {
  const auto check = []<class T>(const T& full) {
    INFO(T::type_name);
    const auto before = hex_before(std::string{T::type_name} + " unpacked");
    CHECK(to_hex(wire::encode(full, wire::writer::form::plain)) == before);
    const auto got = wire::decode<T>(from_hex(before));
    REQUIRE(got);
    CHECK(*got == full);
  };
  auto rollout = samples::full<rollout_result>();
  rollout.asked.clear(); // these are newer
  rollout.muse.clear();
  rollout.ranking.clear();
  rollout.reused_from.clear();
  rollout.before_draw = 0;
  check(rollout);
  auto answer = samples::full<job_result>();
  if (auto* of = std::get_if<rollout_result>(&answer.output)) {
    of->asked.clear();
    of->muse.clear();
    of->ranking.clear();
    of->reused_from.clear();
    of->before_draw = 0;
  }
  check(answer);
}

TEST_CASE("insights and integrations of older logs are read") {
  const auto old = [&]<class T>(const T&) {
    INFO(T::type_name);
    const auto got = wire::decode<T>(from_hex(hex_before(T::type_name)));
    REQUIRE(got);
    return *got;
  };
  auto counted = samples::full<counted_insight>();
  counted.succeeded = 0;
  counted.reward = 0;
  counted.fresh = false;
  CHECK(old(counted_insight{}) == counted);
  const auto work = old(integrate_job{});
  CHECK(work.insights.size() == 2);
  CHECK(work.parent_score.evaluated == 0);
  CHECK(work.neighbours.empty());
  CHECK(old(document_outcome{}).cited.size() == 2);
}

TEST_CASE("an integration that tells nothing new keeps the id it had") {
  integrate_job plain;
  plain.title = "Fan";
  plain.insights = std::vector<counted_insight>(1);
  const auto before = identity(plain, "");
  CHECK(before.value == "1597eb9a7c1da8c280cd8e9f0e62e290");
  const auto differs = [&](auto change) {
    auto other = plain;
    change(other);
    return identity(other, "") != before;
  };
  counted_insight good;
  good.reward = 0.5;
  counted_insight fresh;
  fresh.fresh = true;
  CHECK(differs([&](auto& job) { job.insights = {good}; }));
  CHECK(differs([&](auto& job) { job.insights = {fresh}; }));
  CHECK(differs([](auto& job) { job.neighbours = {"Bill"}; }));
  CHECK(differs([](auto& job) { job.missed = {{"on", 1, 2}}; }));
  CHECK(differs([](auto& job) { job.parent_score.evaluated = 1; }));
  CHECK(differs([](auto& job) { job.parent_evidence = {{1, {}}}; }));
  CHECK(identity(plain, "rules=1") != before);
  CHECK(identity(plain, "rules=1") != identity(plain, "rules=2"));
}

TEST_CASE("what lacks the newest fields is read, and written as before") {
  const auto same = []<class T>(const T&) {
    INFO(T::type_name);
    const auto before = hex_before(T::type_name);
    const auto got = wire::decode<T>(from_hex(before));
    REQUIRE(got);
    // What was a list is one for peers of before.
    CHECK(to_hex(wire::encode(*got, wire::writer::form::plain)) == before);
    return *got;
  };
  CHECK(std::holds_alternative<rollout_job>(same(job{}).input));
  const auto answer = same(job_result{});
  CHECK(std::get<rollout_result>(answer.output).answers.empty());
  CHECK(same(rollout_result{}).answers.empty());
  CHECK(same(rollout_result{}).notes.empty());
  CHECK(same(integrate_result{}).notes.empty());
  // What it cites has a newer field for each insight.
  const auto found = wire::decode<search_outcome>(
      from_hex(hex_before(search_outcome::type_name)));
  REQUIRE(found);
  CHECK(found->dropped.empty());
  CHECK(same(evaluation_record{}).checks.empty());
  CHECK(same(run_record{}).integrating.empty());
  CHECK(same(run_setup{}).goldens.empty());
  CHECK(same(model_call{}).verdict.empty());
}

TEST_CASE("a recorded call of an older release is read, without its model") {
  const auto got =
      wire::decode<model_record>(from_hex(hex_before(model_record::type_name)));
  REQUIRE(got);
  auto full = samples::full<model_record>();
  full.model.clear();
  full.asked_ms = 0;
  CHECK(*got == full);
}
