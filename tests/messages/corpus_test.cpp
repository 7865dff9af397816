#include "base/file.hpp"
#include "tests/fuzz/targets.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>

using namespace brewery;

namespace {

const std::filesystem::path corpus =
    std::filesystem::path{BREWERY_SOURCE_DIR} / "tests/fuzz/corpus";

std::string read(const std::filesystem::path& file) {
  const auto text = read_file(file);
  INFO((text ? "" : text.error().message)
       << "; if a message is new or changed: scripts/fuzz.sh 0 && "
          "build/fuzz/make_corpus tests/fuzz/corpus");
  REQUIRE(text);
  return *text;
}

std::vector<std::filesystem::path> inputs(const std::string& target) {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::directory_iterator{corpus / target})
    out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  REQUIRE_FALSE(out.empty());
  return out;
}

void replay(const std::string& target, std::string (*run)(std::string_view)) {
  for (const auto& file : inputs(target)) {
    INFO(file.string());
    const auto bytes = read(file);
    // Of exact size, so that a sanitizer sees a read past its end.
    const std::vector<char> exact(bytes.begin(), bytes.end());
    CHECK(run({exact.data(), exact.size()}) == "");
  }
}

} // namespace

TEST_CASE("the fuzzers' inputs: frames") {
  replay("frame", fuzz::frame);
}

TEST_CASE("the fuzzers' inputs: structs") {
  replay("job", fuzz::job);
}

TEST_CASE("the fuzzers' inputs: both ends of a session") {
  replay("session", fuzz::session);
}

TEST_CASE("the fuzzers' inputs: files of public keys") {
  replay("keys", fuzz::keys);
}

TEST_CASE("every kind of frame is a seed of the fuzzers, as it is today") {
  const auto check = []<class T>(std::type_identity<T>) {
    const auto seed = read(corpus / "frame" / T::type_name);
    INFO(T::type_name << " changed: scripts/fuzz.sh 0 && "
                         "build/fuzz/make_corpus tests/fuzz/corpus");
    CHECK(seed == wire::frame(samples::full<T>()));
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (check(std::type_identity<std::variant_alternative_t<I, wire::message>>{}),
     ...);
  }
  (std::make_index_sequence<std::variant_size_v<wire::message>>{});
}
