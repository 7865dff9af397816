#include "tests/fuzz/corpus_replay.hpp"
#include "tests/fuzz/targets.hpp"

using namespace brewery;

namespace {

std::string read(const std::filesystem::path& file) {
  const auto text = read_file(file);
  INFO((text ? "" : text.error().message)
       << "; if a message is new or changed: scripts/fuzz.sh 0 && "
          "build/fuzz/make_corpus tests/fuzz/corpus");
  REQUIRE(text);
  return *text;
}

} // namespace

TEST_CASE("the fuzzers' inputs: frames") {
  fuzz::replay("frame", fuzz::frame);
}

TEST_CASE("the fuzzers' inputs: structs") {
  fuzz::replay("job", fuzz::job);
}

TEST_CASE("the fuzzers' inputs: results") {
  fuzz::replay("packed", fuzz::packed);
}

TEST_CASE("the fuzzers' inputs: both ends of a session") {
  fuzz::replay("session", fuzz::session);
}

TEST_CASE("the fuzzers' inputs: files of public keys") {
  fuzz::replay("keys", fuzz::keys);
}

TEST_CASE("every kind of frame is a seed of the fuzzers, as it is today") {
  const auto check = []<class T>(std::type_identity<T>) {
    const auto seed = read(fuzz::corpus / "frame" / T::type_name);
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
