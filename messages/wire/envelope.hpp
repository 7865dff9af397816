#pragma once
/// A message with its kind and the version of the schema it was written with:
/// what the event log stores and what crosses a socket. The kind is the
/// struct's name.
///
/// `schema_version` is raised only when old readers would misunderstand new
/// data: a field changed its meaning or went away. Adding a field does not
/// raise it.

#include "messages/wire/codec.hpp"

namespace brewery::wire {

inline constexpr std::uint32_t schema_version = 1;

struct envelope {
  std::uint32_t schema = schema_version;
  std::string kind;
  std::string payload; ///< encode() of the struct named by `kind`
  BREWERY_FIELDS(envelope, schema, kind, payload)
};

template <described T>
envelope wrap(const T& message) {
  return {schema_version, T::type_name, encode(message)};
}

/// ec::version_mismatch when written by a newer Brewery, ec::malformed when it
/// holds another kind or does not decode.
template <described T>
result<T> unwrap(const envelope& sealed) {
  if (sealed.schema > schema_version)
    return error{
        ec::version_mismatch,
        printable(sealed.kind) + ": schema version "
            + std::to_string(sealed.schema) + ", this program knows up to "
            + std::to_string(schema_version) + "; use a newer brewery"};
  if (sealed.kind != T::type_name)
    return error{ec::malformed, "expected a " + std::string{T::type_name}
                                    + ", found a '" + printable(sealed.kind)
                                    + "'"};
  return decode<T>(sealed.payload);
}

} // namespace brewery::wire
