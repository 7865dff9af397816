#pragma once
/// msgpack without its headers: a writer that appends one value after another
/// and a parsed tree to read from. Only format.cpp sees the library, so a file
/// that encodes messages compiles fast. Used through messages/wire/codec.hpp.

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace brewery::wire {

// Limits of one message. A frame from outside may claim any length in five
// bytes, and a parsed value takes 24 bytes for one byte of input.

/// A rollout of the longest trajectories is below 1 MiB; 64 times that is no
/// message of ours.
inline constexpr std::size_t max_message_bytes = std::size_t{64} << 20;
/// Elements of one list, entries of one map. Also never more than the frame has
/// bytes, since an element takes at least one.
inline constexpr std::size_t max_elements = std::size_t{1} << 20;
/// Our deepest message (search_outcome.documents[].cited[].item.fact.actions[])
/// takes 8; the rest is room for unknown fields of a later version.
inline constexpr std::size_t max_depth = 16;

/// Appends msgpack values to a string in their shortest form; doubles are
/// always float 64.
class writer {
public:
  void map(std::size_t entries);
  void list(std::size_t items);
  void text(std::string_view value);
  void boolean(bool value);
  void unsigned_integer(std::uint64_t value);
  void signed_integer(std::int64_t value);
  void real(double value);
  /// Bytes as they are, before the first value: a frame's header.
  void raw(std::initializer_list<char> bytes) { bytes_ += bytes; }

  [[nodiscard]] std::string take() { return std::move(bytes_); }

private:
  std::string bytes_;
};

/// A value inside a parsed `document`, which must outlive it. The optional
/// getters are empty when the value is of another kind.
class value {
public:
  [[nodiscard]] std::optional<std::size_t> list_size() const;
  [[nodiscard]] std::optional<std::size_t> map_size() const;
  [[nodiscard]] value item(std::size_t index) const;  ///< of a list
  [[nodiscard]] value key(std::size_t index) const;   ///< of a map
  [[nodiscard]] value entry(std::size_t index) const; ///< of a map

  /// Bytes as they were sent: not checked to be UTF-8 (see codec.hpp).
  [[nodiscard]] std::optional<std::string_view> text() const;
  [[nodiscard]] std::optional<bool> boolean() const;
  [[nodiscard]] std::optional<std::uint64_t> unsigned_integer() const;
  [[nodiscard]] std::optional<std::int64_t> signed_integer() const;
  [[nodiscard]] std::optional<double> real() const;

  /// For error messages: "the integer 7", "a list of 3", "nothing".
  [[nodiscard]] std::string description() const;

private:
  friend class document;
  explicit value(const void* object) : object_(object) {}
  const void* object_;
};

/// Owns the values of one parsed message, but not its bytes: texts are views of
/// them.
class document {
public:
  /// Exactly one value within the limits; else ec::malformed with the offset.
  /// `bytes` must outlive the document.
  static result<document> parse(std::string_view bytes);

  document(document&&) noexcept;
  document& operator=(document&&) noexcept;
  ~document();

  [[nodiscard]] value root() const;

private:
  struct state;
  explicit document(std::unique_ptr<state> parsed);
  std::unique_ptr<state> state_;
};

/// A name from outside, short and safe to show inside a one-line message.
std::string printable(std::string_view text);

} // namespace brewery::wire
