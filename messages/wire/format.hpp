#pragma once
/// msgpack without its headers: a writer that appends values, and a parsed tree
/// to read from. Only format.cpp includes the library, so files that encode
/// messages compile fast. Used through messages/wire/codec.hpp.

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace brewery::wire {

// Limits of one message. A frame from outside can claim any length with five
// bytes, and a parsed value takes 24 bytes per byte of input.

/// A rollout with the longest trajectories is below 1 MiB. No valid message is
/// 64 times that size.
inline constexpr std::size_t max_message_bytes = std::size_t{64} << 20;
/// For the elements of a list and the entries of a map. They are also limited
/// by the bytes of the frame, since each takes at least one.
inline constexpr std::size_t max_elements = std::size_t{1} << 20;
/// In all of a message, so that short values cannot take many times the memory
/// of its bytes: 100 MB at most. An embedding of 2,700 sentences has as many.
inline constexpr std::size_t max_values = std::size_t{1} << 22;
/// The deepest message (search_outcome.documents[].cited[].item.fact.actions[])
/// needs 8; the rest is room for unknown fields of a later version.
inline constexpr std::size_t max_depth = 16;

/// Appends msgpack values to a string, in their shortest form. Doubles are
/// always float 64.
class writer {
public:
  /// What a peer can read: `packed` of protocol 5, which knows no names of
  /// pools, `plain` of older ones, which know no `sent_as`.
  enum class form : std::uint8_t { newest, packed, plain };

  explicit writer(form how = form::newest) : form_(how) {}

  void map(std::size_t entries);
  void list(std::size_t items);
  void text(std::string_view value);
  void boolean(bool value);
  void unsigned_integer(std::uint64_t value);
  void signed_integer(std::int64_t value);
  void real(double value);
  /// Appends bytes unchanged, before the first value: a frame's header.
  void raw(std::initializer_list<char> bytes) { bytes_ += bytes; }

  [[nodiscard]] form shape() const { return form_; }
  [[nodiscard]] bool plain() const { return form_ == form::plain; }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

private:
  form form_;
  std::string bytes_;
};

/// A value inside a parsed `document`, which must outlive it. The getters that
/// return an optional are empty if the value is of another kind.
class value {
public:
  [[nodiscard]] std::optional<std::size_t> list_size() const;
  [[nodiscard]] std::optional<std::size_t> map_size() const;
  [[nodiscard]] value item(std::size_t index) const;  ///< of a list
  [[nodiscard]] value key(std::size_t index) const;   ///< of a map
  [[nodiscard]] value entry(std::size_t index) const; ///< of a map

  /// The bytes as sent: not checked to be UTF-8 (see codec.hpp).
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

/// Owns the values of one parsed message, but not its bytes: texts are views
/// into them.
class document {
public:
  /// Parses exactly one value within the limits. Error ec::malformed gives the
  /// offset. `bytes` must outlive the document.
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

} // namespace brewery::wire
