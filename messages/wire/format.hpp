#pragma once
/// msgpack without its headers: a writer that appends values, and a parsed tree
/// to read from. Only format.cpp includes the library, so files that encode
/// messages compile fast. Used through messages/wire/codec.hpp.

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brewery::wire {

// Limits of one message. A frame from outside can claim any length with five
// bytes, and a parsed value takes 16 bytes per byte of input.

/// A rollout with the longest trajectories is below 1 MiB. No valid message is
/// 64 times that size.
inline constexpr std::size_t max_message_bytes = std::size_t{64} << 20;
/// For the elements of a list and the entries of a map. They are also limited
/// by the bytes of the frame, since each takes at least one.
inline constexpr std::size_t max_elements = std::size_t{1} << 20;
/// In all of a message, so that short values cannot take many times the memory
/// of its bytes: 64 MiB at most, and as much again while it grows. An embedding
/// of 2,700 sentences has as many.
inline constexpr std::size_t max_values = std::size_t{1} << 22;
/// The deepest message (search_outcome.documents[].cited[].item.fact.actions[])
/// needs 8; the rest is room for unknown fields of a later version.
inline constexpr std::size_t max_depth = 16;

/// Appends msgpack values to a string, in their shortest form. Doubles are
/// always float 64.
class writer {
public:
  /// What a peer can read: `packed` of protocols 5 and 6, which know no names
  /// of our pools, `plain` of older ones, which know no `sent_as`.
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

namespace detail {

/// What a document is made of. The items of a list lie one after the other, as
/// do the keys and entries of a map, in turn.
struct node {
  enum class kind : std::uint8_t {
    nil,
    boolean,
    positive, ///< an integer of at least 0
    negative,
    real,
    text,
    list,
    map,
    binary
  };
  kind what = kind::nil;
  std::uint32_t size = 0; ///< bytes of a text, items, entries
  union {
    std::uint64_t positive = 0;
    std::int64_t negative;
    double real;
    const char* text;
    std::size_t first; ///< of a list or map: the number of its first node
    bool boolean;
  };
};

} // namespace detail

/// A value inside a parsed `document`, which must outlive it. The getters that
/// return an optional are empty if the value is of another kind. Inline: a
/// rollout has thousands of values.
class value {
public:
  [[nodiscard]] std::optional<std::size_t> list_size() const {
    return size_if(kind::list);
  }
  [[nodiscard]] std::optional<std::size_t> map_size() const {
    return size_if(kind::map);
  }
  /// Of a list.
  [[nodiscard]] value item(std::size_t index) const {
    return below(kind::list, index, index);
  }
  /// Of a map.
  [[nodiscard]] value key(std::size_t index) const {
    return below(kind::map, index, 2 * index);
  }
  [[nodiscard]] value entry(std::size_t index) const {
    return below(kind::map, index, 2 * index + 1);
  }

  /// The bytes as sent: not checked to be UTF-8 (see codec.hpp).
  [[nodiscard]] std::optional<std::string_view> text() const {
    if (at_->what != kind::text) return std::nullopt;
    return std::string_view{at_->text, at_->size};
  }
  [[nodiscard]] std::optional<bool> boolean() const {
    if (at_->what != kind::boolean) return std::nullopt;
    return at_->boolean;
  }
  [[nodiscard]] std::optional<std::uint64_t> unsigned_integer() const {
    if (at_->what != kind::positive) return std::nullopt;
    return at_->positive;
  }
  [[nodiscard]] std::optional<std::int64_t> signed_integer() const {
    if (at_->what == kind::negative) return at_->negative;
    if (at_->what != kind::positive || at_->positive > INT64_MAX)
      return std::nullopt;
    return static_cast<std::int64_t>(at_->positive);
  }
  [[nodiscard]] std::optional<double> real() const {
    if (at_->what != kind::real) return std::nullopt;
    return at_->real;
  }

  /// For error messages: "the integer 7", "a list of 3", "nothing".
  [[nodiscard]] std::string description() const;

private:
  friend class document;
  using kind = detail::node::kind;

  value(const detail::node* all, const detail::node* at) : all_(all), at_(at) {}
  [[nodiscard]] std::optional<std::size_t> size_if(kind what) const {
    if (at_->what != what) return std::nullopt;
    return at_->size;
  }
  [[nodiscard]] value below(kind what, std::size_t index,
                            std::size_t place) const {
    BREWERY_ASSERT(at_->what == what && index < at_->size);
    return {all_, all_ + at_->first + place};
  }

  const detail::node* all_; ///< of the document
  const detail::node* at_;
};

/// Owns the values of one parsed message, but not its bytes: texts are views
/// into them. A thread that parses one message after the other does so in the
/// same memory, of which it keeps 1 MiB at most.
class document {
public:
  /// Parses exactly one value within the limits. Error ec::malformed gives the
  /// offset. `bytes` must outlive the document.
  static result<document> parse(std::string_view bytes);

  document(document&&) noexcept = default;
  document& operator=(document&&) noexcept = default;
  document(const document&) = delete;
  document& operator=(const document&) = delete;
  ~document();

  [[nodiscard]] value root() const { return {nodes_.data(), nodes_.data()}; }

private:
  document() = default;
  std::vector<detail::node> nodes_; ///< the first is the root
};

} // namespace brewery::wire
