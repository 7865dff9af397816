#pragma once
/// What is done with bytes from outside when they are fuzzed: each function
/// takes any bytes and says what is wrong, or "" when all held. The fuzzers
/// (*_fuzz.cpp) call them with bytes that libFuzzer makes up, and
/// tests/messages/corpus_test.cpp with the files below corpus/, so that what
/// was once found is tried by every `make test`.
///
/// A refusal is fine, whatever the bytes; it must be one line that can be
/// shown. What is taken must be a value: written and read again it is the same.

#include "base/compression.hpp"
#include "base/printable.hpp"
#include "cluster/packed_result.hpp"
#include "cluster/worker_session.hpp"
#include "messages/wire/frame.hpp"
#include "net/curve_keys.hpp"
#include "tests/fuzz/session_target.hpp"
#include "tests/messages/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <zmq.h>

namespace brewery::fuzz {

/// Messages end in logs and on terminals, where a control character from
/// outside has no business.
inline std::string check_refusal(const error& refusal) {
  const auto shows = [](char c) {
    return static_cast<unsigned char>(c) >= ' ' && c != '\x7f';
  };
  if (refusal.message.empty()) return "refused without a word";
  if (!std::all_of(refusal.message.begin(), refusal.message.end(), shows))
    return "a refusal with control characters: " + refusal.message;
  return {};
}

// -- frames ------------------------------------------------------------------

inline std::string frame(std::string_view bytes) {
  const auto got = wire::unframe(bytes);
  if (!got) return check_refusal(got.error());
  const auto again = wire::frame(*got);
  if (wire::kind_name(again) != wire::kind_name(bytes))
    return "the kind changes when it is framed again";
  const auto twice = wire::unframe(again);
  if (!twice) return "it refuses its own frame: " + twice.error().message;
  // Not by ==: a reward that is no number (NaN) does not equal itself.
  if (wire::frame(*twice) != again)
    return "another message after framing it again";
  return {};
}

// -- structs -----------------------------------------------------------------

/// Everything that is ever read from bytes: from peers, from the event log,
/// from a spool.
using all_structs = decltype(std::tuple_cat(
    samples::all_messages{}, samples::cluster_messages{},
    std::tuple<run_record, spooled_result>{}, samples::model_messages{}));
inline constexpr auto struct_count = std::tuple_size_v<all_structs>;

template <class T>
std::string check_struct(std::string_view bytes) {
  const auto got = wire::decode<T>(bytes);
  if (!got) return check_refusal(got.error());
  const auto again = wire::encode(*got);
  const auto twice = wire::decode<T>(again);
  if (!twice) return "it refuses its own bytes: " + twice.error().message;
  // Not by ==: a reward that is no number (NaN) does not equal itself.
  if (wire::encode(*twice) != again)
    return std::string{"another "} + T::type_name + " after writing it again";
  return {};
}

/// The first byte says which struct the rest is read as.
template <std::size_t... I>
std::string one_struct(std::string_view bytes, std::index_sequence<I...>) {
  using check = std::string (*)(std::string_view);
  constexpr std::array<check, struct_count> checks{
      check_struct<std::tuple_element_t<I, all_structs>>...};
  const auto which = static_cast<unsigned char>(bytes.front());
  return checks[which % struct_count](bytes.substr(1));
}

inline std::string job(std::string_view bytes) {
  if (bytes.empty()) return {};
  return one_struct(bytes, std::make_index_sequence<struct_count>{});
}

/// The byte that makes `job` read a T.
template <class T, std::size_t I = 0>
constexpr char selector_of() {
  if constexpr (std::is_same_v<std::tuple_element_t<I, all_structs>, T>)
    return static_cast<char>(I);
  else
    return selector_of<T, I + 1>();
}

// -- results -----------------------------------------------------------------

/// What a worker sends as a result. After an odd first byte it is compressed
/// here: a fuzzer hardly makes up a frame of zstd that holds anything.
inline std::string packed(std::string_view bytes) {
  if (bytes.empty()) return {};
  std::string sent{bytes.substr(1)};
  if (bytes.front() % 2 != 0) sent = compress(std::move(sent));
  const auto got = unpack_result(sent);
  if (!got) return check_refusal(got.error());
  if (got->bytes != sent) return "other bytes than those that came";
  if (is_compressed(sent)) sent = *decompress(sent, wire::max_frame_bytes);
  const auto whole = wire::decode<job_result>(sent);
  if (!whole) return "it cannot be read back: " + whole.error().message;
  if (wire::encode(without_trajectory(*whole)) != wire::encode(got->brief))
    return "another result than the whole one";
  return {};
}

// -- files of public keys ----------------------------------------------------

/// A file that no disk sees: fuzzing writes thousands a second, and one that
/// is killed leaves nothing behind.
class memory_file {
public:
  memory_file() : fd_(::memfd_create("keys", MFD_CLOEXEC)) {
    BREWERY_ASSERT(fd_ >= 0);
  }
  ~memory_file() { ::close(fd_); }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;

  void write(std::string_view text) const {
    BREWERY_ASSERT(::ftruncate(fd_, 0) == 0);
    const auto written = ::pwrite(fd_, text.data(), text.size(), 0);
    BREWERY_ASSERT(written == static_cast<ssize_t>(text.size()));
  }
  [[nodiscard]] std::string path() const {
    return fmt::format("/proc/self/fd/{}", fd_);
  }

private:
  int fd_;
};

inline std::string keys(std::string_view text) {
  static const memory_file file;
  file.write(text);
  const auto got = read_public_keys(file.path());
  if (!got) return check_refusal(got.error());
  if (got->empty()) return "a file with keys, but without any";
  for (const auto& key : *got) {
    std::array<std::uint8_t, 32> bytes{};
    std::array<char, 41> back{};
    if (key.size() != 40 || !zmq_z85_decode(bytes.data(), key.c_str())
        || !zmq_z85_encode(back.data(), bytes.data(), bytes.size())
        || key != back.data())
      return "taken for a key: " + ascii_line(key, 40);
  }
  return {};
}

// -- both ends of a session --------------------------------------------------

inline std::string session(std::string_view bytes) {
  return session_run{}.play(bytes);
}

} // namespace brewery::fuzz
