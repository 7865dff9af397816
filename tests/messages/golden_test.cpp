#include "messages/wire/codec.hpp"
#include "tests/messages/samples.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <map>

using namespace brewery;

namespace {

/// What is written for samples::full<T>(), by name of message; from
/// golden/*.hex: a name on a line of its own, then indented lines of its bytes.
///
/// An entry may change only together with wire::schema_version, or, while no
/// log of that struct can exist outside this repository, with a word in the
/// commit message.
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

/// As messages were written before they had all of today's fields.
std::string hex_before(const std::string& message) {
  golden_bytes read;
  read_golden("before.hex", read);
  return read.at(message);
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

TEST_CASE("a full barrier is written as before there was a quorum, and read") {
  auto full = samples::full<gather_record>();
  full.folded.clear();
  full.late.clear();
  const auto before = hex_before("gather_record");
  CHECK(to_hex(wire::encode(full)) == before);
  const auto got = wire::decode<gather_record>(from_hex(before));
  REQUIRE(got);
  CHECK(*got == full);
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

TEST_CASE("what lacks the newest fields is read, and written as before") {
  const auto same = []<class T>(const T&) {
    INFO(T::type_name);
    const auto before = hex_before(T::type_name);
    const auto got = wire::decode<T>(from_hex(before));
    REQUIRE(got);
    CHECK(to_hex(wire::encode(*got)) == before);
    return *got;
  };
  CHECK(same(job{}).grade.empty());
  const auto answer = same(job_result{});
  CHECK(answer.grade.empty());
  CHECK(answer.rollout.front().answers.empty());
  CHECK(same(rollout_result{}).answers.empty());
  CHECK(same(evaluation_record{}).checks.empty());
  CHECK(same(search_setup{}).goldens.empty());
}
