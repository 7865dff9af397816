#pragma once
/// Encodes described structs as msgpack maps from field name to value, in field
/// order. Nested structs are maps, vectors are lists, an optional value is a
/// list of at most one, strong ids and enums are their values. The bytes are
/// the same on every machine and build, so they can be hashed.
///
///   std::string bytes = wire::encode(job);
///   result<rollout_job> back = wire::decode<rollout_job>(bytes);
///
/// `decode_brief` checks all of the bytes in the same way, but leaves the
/// members empty that a struct calls `bulky_field(name)`.
///
/// Between versions: unknown fields are ignored, so fields may be added. Every
/// field is required unless the struct says `optional_field(name)`. A missing
/// optional field keeps its default; so data of older peers and logs stays
/// readable. With `omit_if_empty`, optional fields that are empty or 0 are
/// omitted, so old encodings stay byte-identical. The order of fields does not
/// matter.
///
/// These are refused with ec::malformed, struct and path
/// ("rollout_result.steps[3].tool: ..."): a missing field, a wrong type, an
/// integer or enum out of range, a repeated field, a sum with two alternatives
/// or, where one is required, none, bytes after the end, and anything beyond
/// the limits in format.hpp.
///
/// Text is bytes. An observation may be any UTF-8 or the invalid output of a
/// broken tool, and must be restored unchanged. So the codec does not check it;
/// code that shows it to people replaces invalid bytes. Doubles keep their
/// bits, NaN included: the receiver checks ranges.

#include "base/alternatives.hpp"
#include "base/fields.hpp"
#include "base/ids.hpp"
#include "base/shared_list.hpp"
#include "base/shared_value.hpp"
#include "messages/text_table.hpp"
#include "messages/wire/enums.hpp"
#include "messages/wire/format.hpp"
#include "messages/wire/sent_as.hpp"

#include <array>
#include <concepts>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace brewery::wire {

/// The version of all structs; stored in every event log. Increase it if data
/// of the previous version becomes unreadable: a new required field, or a field
/// whose meaning changed.
inline constexpr std::uint32_t schema_version = 1;

namespace detail {

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;
template <class T>
requires is_shared_list<T>
inline constexpr bool is_list<T> = true;
template <class T>
inline constexpr bool is_list<std::span<const T>> = true; // to be written only
template <>
inline constexpr bool is_list<text_table> = true;
template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_map = false;
template <class Key, class T>
inline constexpr bool is_map<std::map<Key, T>> = true;
template <class T>
inline constexpr bool unsupported = false;

template <class Struct>
constexpr bool is_optional_field([[maybe_unused]] std::string_view field) {
  if constexpr (requires { Struct::optional_field(std::string_view{}); })
    return Struct::optional_field(field);
  return false;
}

template <class Struct, class T>
constexpr bool is_left_out([[maybe_unused]] const field<T>& member) {
  if constexpr (requires { Struct::omit_if_empty; }) {
    if constexpr (requires { member.value.empty(); })
      return Struct::optional_field(member.name) && member.value.empty();
    if constexpr (std::is_same_v<std::remove_cv_t<T>, std::uint32_t>)
      return Struct::optional_field(member.name) && member.value == 0;
  }
  return false;
}

template <class T>
void write(writer& out, const T& value) {
  if constexpr (described<T>) {
    T::each(value, [&out](auto... fields) {
      out.map((std::size_t{!is_left_out<T>(fields)} + ...));
      ((is_left_out<T>(fields)
            ? void()
            : (out.text(fields.name), write(out, fields.value))),
       ...);
    });
  } else if constexpr (is_strong_id<T>) {
    write(out, value.value);
  } else if constexpr (is_shared_value<T>) {
    write(out, value.get());
  } else if constexpr (is_list<T>) {
    if constexpr (sent_as_another<T>)
      if (!out.plain()) return write(out, *sent_as<T>::to(value, out.shape()));
    out.list(value.size());
    for (const auto& item : value)
      write(out, item);
  } else if constexpr (is_optional<T>) {
    out.list(value ? 1 : 0);
    if (value) write(out, *value);
  } else if constexpr (is_alternative<T>) {
    const auto* chosen = value.get();
    out.list(chosen ? 1 : 0);
    if (chosen) write(out, *chosen);
  } else if constexpr (is_map<T>) {
    out.map(value.size());
    for (const auto& [key, entry] : value)
      (write(out, key), write(out, entry));
  } else if constexpr (
      std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>) {
    out.text(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    out.boolean(value);
  } else if constexpr (std::is_enum_v<T>) {
    out.unsigned_integer(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_same_v<T, double>) {
    out.real(value);
  } else if constexpr (std::unsigned_integral<T>) {
    out.unsigned_integer(value);
  } else if constexpr (std::signed_integral<T>) {
    out.signed_integer(value);
  } else {
    static_assert(unsupported<T>, "not a shape of base/fields.hpp");
  }
}

/// Reads values into members. Stores the first error and, as the calls return,
/// the path to it.
class reader {
public:
  explicit reader(bool brief = false) : brief_(brief) {}

  template <class T>
  bool read(const value& in, T& out);

  /// The first error, prefixed with the name of the message.
  [[nodiscard]] error failure(std::string_view message) const;

private:
  template <class T>
  bool read_struct(const value& in, T& out);
  /// Reads the field at its position, or wherever it is.
  template <class Struct, class T>
  bool find_field(const value& in, std::size_t entries, std::size_t position,
                  field<T> member);
  template <class Struct, class T>
  bool read_field(const value& entry, field<T> member);
  template <class T>
  bool read_list(const value& in, std::vector<T>& out);
  /// Whatever `read` reads is kept.
  template <class Read>
  bool keeping(Read read);
  /// Reads a list of at most one value. `emplace` makes room for it.
  template <class Emplace>
  bool read_optional(const value& in, Emplace emplace);
  template <class... Fields>
  bool check_alternatives(Fields... fields);
  template <class Key, class T>
  bool read_map(const value& in, std::map<Key, T>& out);
  template <class T>
  bool read_other(const value& in, T& out);
  using shared_texts = shared_list<std::string>;
  bool read_texts(const value& in, shared_texts& out);
  bool read_texts(const value& in, text_table& out);
  template <class T>
  bool read_integer(const value& in, T& out);
  template <class T>
  bool read_enum(const value& in, T& out);

  /// Checks that every key is a text and none is repeated.
  bool check_keys(const value& in, std::size_t entries);
  bool expected(std::string_view what, const value& found);
  // Not a template, to keep the code of hundreds of instances small.
  bool expected_integer(const std::string& least, const std::string& most,
                        const value& found);
  bool expected_enum(const char* name, std::uint64_t last, const value& found);
  bool expected_map_of(const char* type, const value& found);
  /// Checks a sum of which `given` alternatives are present.
  bool check_sum(std::size_t given, bool none_allowed);
  bool fail(std::string what);
  bool below_field(std::string_view name);
  bool below_item(std::size_t index);

  bool brief_;            ///< bulky members are checked only
  bool checking_ = false; ///< texts and items of lists are not kept
  /// The insights of a rollout repeat the lists of their facts: equal lists
  /// that are near each other become one.
  std::vector<shared_texts> recent_;
  std::size_t oldest_ = 0;
  std::string what_;
  std::string path_;
};

template <class T>
bool reader::read(const value& in, T& out) {
  if constexpr (described<T>) {
    return read_struct(in, out);
  } else if constexpr (is_strong_id<T>) {
    return read(in, out.value);
  } else if constexpr (is_shared_value<T>) {
    typename T::value_type one;
    const bool ok = read(in, one);
    out = std::move(one);
    return ok;
  } else if constexpr (sent_as_another<T>) {
    return read_other(in, out);
  } else if constexpr (std::is_same_v<
                           T, shared_texts> || std::is_same_v<T, text_table>) {
    return read_texts(in, out);
  } else if constexpr (is_shared_list<T>) {
    std::vector<typename T::value_type> items;
    const bool ok = read_list(in, items);
    out = std::move(items);
    return ok;
  } else if constexpr (is_list<T>) {
    return read_list(in, out);
  } else if constexpr (is_optional<T>) {
    out.reset();
    return read_optional(
        in, [&out]() -> auto& { return out.emplace(); });
  } else if constexpr (is_alternative<T>) {
    return read_optional(
        in, [&out]() -> auto& { return out.emplace(); });
  } else if constexpr (is_map<T>) {
    return read_map(in, out);
  } else if constexpr (std::is_same_v<T, std::string>) {
    const auto text = in.text();
    if (!text) return expected("a text", in);
    if (!checking_) out.assign(*text);
    return true;
  } else if constexpr (std::is_same_v<T, bool>) {
    const auto boolean = in.boolean();
    if (!boolean) return expected("true or false", in);
    out = *boolean;
    return true;
  } else if constexpr (std::is_same_v<T, double>) {
    const auto real = in.real();
    if (!real) return expected("a floating-point number", in);
    out = *real;
    return true;
  } else if constexpr (std::is_enum_v<T>) {
    return read_enum(in, out);
  } else {
    static_assert(std::integral<T>, "not a shape of base/fields.hpp");
    return read_integer(in, out);
  }
}

template <class T>
bool reader::read_integer(const value& in, T& out) {
  using range = std::numeric_limits<T>;
  const auto number = [&in] {
    if constexpr (std::unsigned_integral<T>)
      return in.unsigned_integer();
    else
      return in.signed_integer();
  }();
  if (!number || *number > range::max() || *number < range::min())
    return expected_integer(std::to_string(range::min()),
                            std::to_string(range::max()), in);
  out = static_cast<T>(*number);
  return true;
}

template <class T>
bool reader::read_enum(const value& in, T& out) {
  const auto number = in.unsigned_integer();
  if (!number || *number > last_value<T>)
    return expected_enum(enum_range<T>::name, last_value<T>, in);
  out = static_cast<T>(*number);
  return true;
}

template <class T>
bool reader::read_list(const value& in, std::vector<T>& out) {
  const auto size = in.list_size();
  if (!size) return expected("a list", in);
  // Memory grows as items are read: one byte of a damaged frame may claim an
  // item of hundreds of bytes.
  out.clear();
  if (checking_) {
    T each;
    for (std::size_t i = 0; i < *size; ++i)
      if (!read(in.item(i), each)) return below_item(i);
    return true;
  }
  for (std::size_t i = 0; i < *size; ++i) {
    out.emplace_back();
    if (!read(in.item(i), out.back())) return below_item(i);
  }
  return true;
}

template <class Read>
bool reader::keeping(Read read) {
  const bool before = std::exchange(checking_, false);
  const bool ok = read();
  checking_ = before;
  return ok;
}

/// Older peers sent the value itself.
template <class T>
bool reader::read_other(const value& in, T& out) {
  if (in.list_size()) {
    std::vector<typename T::value_type> items;
    const bool ok = read_list(in, items);
    out = std::move(items);
    return ok;
  }
  typename sent_as<T>::type other;
  if (!keeping([&] { return read_struct(in, other); })) return false;
  auto made = sent_as<T>::from(std::move(other));
  if (!made) return fail(made.error().message);
  out = std::move(*made);
  return true;
}

template <class Emplace>
bool reader::read_optional(const value& in, Emplace emplace) {
  const auto size = in.list_size();
  if (!size || *size > 1) return expected("a list of at most one", in);
  return *size == 0 || read(in.item(0), emplace()) || below_item(0);
}

template <class... Fields>
bool reader::check_alternatives(Fields... fields) {
  std::size_t given = 0;
  bool is_sum = false, none_allowed = false;
  const auto visit = [&]<class T>(const field<T>& one) {
    if constexpr (is_alternative<T>) {
      is_sum = true;
      none_allowed = T::none_allowed;
      given += one.value.given;
    }
  };
  (visit(fields), ...);
  return !is_sum || check_sum(given, none_allowed);
}

template <class Key, class T>
bool reader::read_map(const value& in, std::map<Key, T>& out) {
  const auto size = in.map_size();
  if (!size) return expected("a map", in);
  for (std::size_t i = 0; i < *size; ++i) {
    Key key{};
    T entry{};
    if (!keeping([&] { return read(in.key(i), key); })
        || !read(in.entry(i), entry))
      return below_item(i);
    if (!out.emplace(std::move(key), std::move(entry)).second)
      return fail("a key is given twice") || below_item(i);
  }
  return true;
}

template <class T>
bool reader::read_struct(const value& in, T& out) {
  const auto entries = in.map_size();
  if (!entries) return expected_map_of(T::type_name, in);
  return T::each(out, [&](auto... fields) {
    // Our writer keeps the order of the fields, and leaves some out.
    std::array<bool, sizeof...(fields)> is_here{};
    std::size_t number = 0, position = 0;
    const auto matches = [&](const char* name) {
      const bool found = position < *entries
                         && in.key(position).text() == std::string_view{name};
      is_here[number++] = found;
      position += found;
      return found || is_optional_field<T>(name);
    };
    const bool as_written =
        (matches(fields.name) && ...) && position == *entries;
    if (!as_written && !check_keys(in, *entries)) return false;
    number = position = 0;
    const auto read_next = [&](auto member) {
      if (as_written)
        return !is_here[number++]
               || read_field<T>(in.entry(position++), member);
      return find_field<T>(in, *entries, position++, member);
    };
    return (read_next(fields) && ...) && check_alternatives(fields...);
  });
}

template <class Struct, class T>
bool reader::find_field(const value& in, std::size_t entries,
                        std::size_t position, field<T> member) {
  for (std::size_t i = 0; i < entries; ++i) {
    const auto at = (position + i) % entries;
    if (in.key(at).text() == member.name)
      return read_field<Struct>(in.entry(at), member);
  }
  if (is_optional_field<Struct>(member.name)) return true;
  return fail(std::string{"field '"} + member.name + "' of " + Struct::type_name
              + " is missing");
}

template <class Struct, class T>
bool reader::read_field(const value& entry, field<T> member) {
  if constexpr (is_vector<T> && requires { Struct::bulky_field(""); })
    if (brief_ && Struct::bulky_field(member.name)) {
      checking_ = true;
      const bool ok = read(entry, member.value);
      checking_ = false;
      return ok || below_field(member.name);
    }
  return read(entry, member.value) || below_field(member.name);
}

} // namespace detail

template <described T>
std::string encode(const T& message, writer::form form = writer::form::newest) {
  writer out{form};
  detail::write(out, message);
  return out.take();
}

namespace detail {

template <described T>
result<T> decode(std::string_view bytes, reader in) {
  const auto parsed = document::parse(bytes);
  if (!parsed)
    return error{parsed.error().code,
                 std::string{T::type_name} + ": " + parsed.error().message};
  T message;
  if (!in.read(parsed->root(), message)) return in.failure(T::type_name);
  // So that who reads members side by side need not look.
  if constexpr (requires { message.contradiction(); })
    if (const auto what = message.contradiction(); !what.empty())
      return error{ec::malformed, std::string{T::type_name} + ": " + what};
  return message;
}

} // namespace detail

template <described T>
result<T> decode(std::string_view bytes) {
  return detail::decode<T>(bytes, detail::reader{});
}

template <described T>
result<T> decode_brief(std::string_view bytes) {
  return detail::decode<T>(bytes, detail::reader{true});
}

} // namespace brewery::wire
