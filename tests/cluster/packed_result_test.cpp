#include "base/compression.hpp"
#include "cluster/packed_result.hpp"
#include "messages/wire/codec.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

job_result long_result() {
  rollout_result out;
  out.id = {"a"};
  out.grade.reward = 1;
  for (int i = 0; i < 50; ++i)
    out.steps.push_back({"assistant", "look", "{}",
                         "observation " + std::to_string(i), false, false,
                         "explore"});
  out.retrievals.push_back({3, "query", {{"hash"}}});
  out.answers.push_back({1, true, {}, "workbook"});
  std::vector<shared_value<insight>> insights(1);
  out.insights = std::move(insights);
  return make_result(std::move(out));
}

/// What is wrong with the bytes.
std::string refusal(std::string bytes) {
  const auto got = unpack_result(std::move(bytes));
  if (got) return "accepted";
  CHECK(got.error().code == ec::malformed);
  CHECK(got.error().message.find('\n') == std::string::npos);
  return got.error().message;
}

} // namespace

TEST_CASE(
    "a result is unpacked without its trajectory, and its bytes are kept") {
  const auto packed = pack(long_result());
  CHECK(is_compressed(packed.bytes));
  CHECK(packed.brief == without_trajectory(long_result()));
  const auto got = unpack_result(packed.bytes);
  REQUIRE(got);
  CHECK(got->brief == packed.brief);
  CHECK(got->bytes == packed.bytes);
  // Of a worker that does not compress yet.
  const auto plain = unpack_result(wire::encode(long_result()));
  REQUIRE(plain);
  CHECK(plain->brief == packed.brief);
  CHECK(plain->bytes == wire::encode(long_result()));
}

TEST_CASE("a short result is packed as its bytes are") {
  const job_result nothing{{"a"}, "why", {}};
  CHECK(pack(nothing).bytes == wire::encode(nothing));
  CHECK(unpack_result(pack(nothing).bytes)->brief == nothing);
}

TEST_CASE("a result that hides damage where nobody looks is refused") {
  auto whole = wire::encode(long_result());
  const auto damage = [&](const std::string& part, char byte) {
    auto bytes = whole;
    bytes[bytes.find(part)] = byte;
    return refusal(compress(bytes));
  };
  CHECK(refusal(compress(whole)) == "accepted");
  // The length of the first observation, of 13 bytes, as a number.
  CHECK(damage("\xad"
               "observation 0",
               '\x0d')
        != "accepted");
  // The first step's list of members, as a list.
  CHECK(damage("\x87\xa9requestor", '\x97') != "accepted");
  CHECK(damage("requestor", 'R').find("rollout[0].steps[0]")
        != std::string::npos);
  CHECK(damage("\x03\xa5query", '\xc0').find("rollout[0].retrievals[0]")
        != std::string::npos);
}

TEST_CASE("a packed result is one whole result and nothing else") {
  const auto whole = wire::encode(long_result());
  const auto frame = compress(whole);
  CHECK(refusal("") != "accepted");
  CHECK(refusal(frame.substr(0, frame.size() / 2)) != "accepted");
  CHECK(refusal(frame + "x") != "accepted");
  CHECK(refusal(frame + frame) != "accepted");
  CHECK(refusal(compress(whole.substr(0, whole.size() - 1))).find("ends early")
        != std::string::npos);
  CHECK(refusal(compress(whole + '\xc0')).find("follow its end")
        != std::string::npos);
  CHECK(refusal(compress(frame + std::string(1000, 'x'))) != "accepted");
  CHECK(refusal(std::string(5000, '\x91')).find("nested deeper")
        != std::string::npos);
  CHECK(refusal(compress(std::string((std::size_t{64} << 20) + 1, '\0')))
            .find("more than")
        != std::string::npos);
}
