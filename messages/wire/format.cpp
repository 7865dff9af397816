#include "messages/wire/format.hpp"

#include "base/printable.hpp"

#include <fmt/format.h>
#include <msgpack.hpp>

#include <algorithm>
#include <bit>

namespace brewery::wire {

namespace {

/// The output of msgpack::packer.
struct string_sink {
  std::string& bytes;
  void write(const char* data, std::size_t size) { bytes.append(data, size); }
};

msgpack::packer<string_sink> packer(string_sink& sink) {
  return {sink};
}

std::uint32_t length(std::size_t size) {
  BREWERY_ASSERT(size <= UINT32_MAX);
  return static_cast<std::uint32_t>(size);
}

const msgpack::object& as_object(const void* object) {
  return *static_cast<const msgpack::object*>(object);
}

bool is_positive(const msgpack::object& o) {
  return o.type == msgpack::type::POSITIVE_INTEGER;
}

error refuse(std::string_view what) {
  return {ec::malformed,
          fmt::format("wire message: {}; it is cut off, damaged or not one of "
                      "Brewery's",
                      what)};
}

} // namespace

void writer::map(std::size_t entries) {
  string_sink sink{bytes_};
  packer(sink).pack_map(length(entries));
}

void writer::list(std::size_t items) {
  string_sink sink{bytes_};
  packer(sink).pack_array(length(items));
}

void writer::text(std::string_view value) {
  string_sink sink{bytes_};
  auto out = packer(sink);
  out.pack_str(length(value.size()));
  out.pack_str_body(value.data(), length(value.size()));
}

void writer::boolean(bool value) {
  string_sink sink{bytes_};
  packer(sink).pack(value);
}

void writer::unsigned_integer(std::uint64_t value) {
  string_sink sink{bytes_};
  packer(sink).pack(value);
}

void writer::signed_integer(std::int64_t value) {
  string_sink sink{bytes_};
  packer(sink).pack(value);
}

void writer::real(double value) {
  // Written by hand: the library's pack_double turns 1.0 into an integer and
  // drops the sign of -0.0, so a reader could not tell the field's type.
  const auto bits = std::bit_cast<std::uint64_t>(value);
  bytes_ += '\xcb';
  for (int shift = 56; shift >= 0; shift -= 8)
    bytes_ += static_cast<char>(bits >> shift & 0xff);
}

std::optional<std::size_t> value::list_size() const {
  const auto& o = as_object(object_);
  if (o.type != msgpack::type::ARRAY) return std::nullopt;
  return o.via.array.size;
}

std::optional<std::size_t> value::map_size() const {
  const auto& o = as_object(object_);
  if (o.type != msgpack::type::MAP) return std::nullopt;
  return o.via.map.size;
}

value value::item(std::size_t index) const {
  BREWERY_ASSERT(index < list_size());
  return value{as_object(object_).via.array.ptr + index};
}

value value::key(std::size_t index) const {
  BREWERY_ASSERT(index < map_size());
  return value{&as_object(object_).via.map.ptr[index].key};
}

value value::entry(std::size_t index) const {
  BREWERY_ASSERT(index < map_size());
  return value{&as_object(object_).via.map.ptr[index].val};
}

std::optional<std::string_view> value::text() const {
  const auto& o = as_object(object_);
  if (o.type != msgpack::type::STR) return std::nullopt;
  return std::string_view{o.via.str.ptr, o.via.str.size};
}

std::optional<bool> value::boolean() const {
  const auto& o = as_object(object_);
  if (o.type != msgpack::type::BOOLEAN) return std::nullopt;
  return o.via.boolean;
}

std::optional<std::uint64_t> value::unsigned_integer() const {
  const auto& o = as_object(object_);
  if (!is_positive(o)) return std::nullopt;
  return o.via.u64;
}

std::optional<std::int64_t> value::signed_integer() const {
  const auto& o = as_object(object_);
  if (o.type == msgpack::type::NEGATIVE_INTEGER) return o.via.i64;
  if (!is_positive(o) || o.via.u64 > INT64_MAX) return std::nullopt;
  return static_cast<std::int64_t>(o.via.u64);
}

std::optional<double> value::real() const {
  const auto& o = as_object(object_);
  if (o.type != msgpack::type::FLOAT64 && o.type != msgpack::type::FLOAT32)
    return std::nullopt;
  return o.via.f64;
}

std::string value::description() const {
  const auto& o = as_object(object_);
  switch (o.type) {
  case msgpack::type::NIL:
    return "nothing (nil)";
  case msgpack::type::BOOLEAN:
    return o.via.boolean ? "true" : "false";
  case msgpack::type::POSITIVE_INTEGER:
    return fmt::format("the integer {}", o.via.u64);
  case msgpack::type::NEGATIVE_INTEGER:
    return fmt::format("the integer {}", o.via.i64);
  case msgpack::type::FLOAT32:
  case msgpack::type::FLOAT64:
    return fmt::format("the number {}", o.via.f64);
  case msgpack::type::STR:
    return fmt::format("a text of {} bytes", o.via.str.size);
  case msgpack::type::ARRAY:
    return fmt::format("a list of {}", o.via.array.size);
  case msgpack::type::MAP:
    return fmt::format("a map of {}", o.via.map.size);
  default:
    return "binary data";
  }
}

struct document::state {
  // Most messages have about 200 bytes. Allocating some kB for each would be
  // slow.
  explicit state(std::size_t bytes)
      : zone(std::clamp<std::size_t>(2 * bytes, 256, 8192)) {}

  msgpack::zone zone;
  msgpack::object root;
};

namespace {

/// Makes values as msgpack does, but counts them before it takes memory.
class value_maker : public msgpack::v2::detail::create_object_visitor {
public:
  using base = create_object_visitor;
  value_maker(const msgpack::unpack_limit& limit, msgpack::zone& zone)
      : base(&stays_in_input, nullptr, limit) {
    set_zone(zone);
  }

  bool start_array(std::uint32_t items) {
    count(items);
    return base::start_array(items);
  }
  bool start_map(std::uint32_t entries) {
    count(2 * std::size_t{entries});
    return base::start_map(entries);
  }

private:
  static bool stays_in_input(msgpack::type::object_type, std::size_t, void*) {
    return true;
  }
  void count(std::size_t values) {
    values_ += values;
    if (values_ > max_values)
      throw msgpack::array_size_overflow("too many values");
  }

  std::size_t values_ = 1;
};

} // namespace

document::document(std::unique_ptr<state> parsed) : state_(std::move(parsed)) {}
document::document(document&&) noexcept = default;
document& document::operator=(document&&) noexcept = default;
document::~document() = default;

value document::root() const {
  return value{&state_->root};
}

result<document> document::parse(std::string_view bytes) {
  if (bytes.size() > max_message_bytes)
    return refuse(fmt::format("{} bytes, more than the {} allowed",
                              bytes.size(), max_message_bytes));
  const auto elements = std::min(bytes.size(), max_elements);
  const msgpack::unpack_limit limit{elements,     elements,     bytes.size(),
                                    bytes.size(), bytes.size(), max_depth};
  auto parsed = std::make_unique<state>(bytes.size());
  std::size_t offset = 0;
  try {
    value_maker made{limit, parsed->zone};
    msgpack::parse(bytes.data(), bytes.size(), offset, made);
    parsed->root = made.data();
  } catch (const msgpack::insufficient_bytes&) {
    return refuse(fmt::format("ends early, after {} bytes", bytes.size()));
  } catch (const msgpack::depth_size_overflow&) {
    return refuse(fmt::format("nested deeper than {} levels", max_depth));
  } catch (const msgpack::size_overflow&) {
    return refuse(fmt::format("a length is larger than the {} bytes or the {} "
                              "elements there may be, or there are more than "
                              "{} values",
                              bytes.size(), elements, max_values));
  } catch (const std::exception& failure) {
    return refuse(fmt::format("not msgpack ({})", failure.what()));
  }
  if (offset != bytes.size())
    return refuse(fmt::format("{} bytes follow its end at byte {}",
                              bytes.size() - offset, offset));
  return document{std::move(parsed)};
}

} // namespace brewery::wire
