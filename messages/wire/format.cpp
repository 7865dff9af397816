#include "messages/wire/format.hpp"

#include "base/printable.hpp"

#include <fmt/format.h>
#include <msgpack.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

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

std::string value::description() const {
  switch (at_->what) {
  case kind::nil:
    return "nothing (nil)";
  case kind::boolean:
    return at_->boolean ? "true" : "false";
  case kind::positive:
    return fmt::format("the integer {}", at_->positive);
  case kind::negative:
    return fmt::format("the integer {}", at_->negative);
  case kind::real:
    return fmt::format("the number {}", at_->real);
  case kind::text:
    return fmt::format("a text of {} bytes", at_->size);
  case kind::list:
    return fmt::format("a list of {}", at_->size);
  case kind::map:
    return fmt::format("a map of {}", at_->size);
  case kind::binary:
    break;
  }
  return "binary data";
}

namespace {

using detail::node;

/// Makes the nodes of what the library reads, and counts them before it takes
/// memory. Throws the library's exceptions.
class node_maker : public msgpack::null_visitor {
public:
  node_maker(std::vector<node>& nodes, std::size_t most_elements)
      : nodes_(nodes), most_elements_(most_elements) {
    nodes_.emplace_back();
  }

  bool visit_nil() { return true; }
  bool visit_boolean(bool read) {
    here(node::kind::boolean).boolean = read;
    return true;
  }
  bool visit_positive_integer(std::uint64_t read) {
    here(node::kind::positive).positive = read;
    return true;
  }
  /// Also of a positive one in a signed form.
  bool visit_negative_integer(std::int64_t read) {
    if (read >= 0)
      return visit_positive_integer(static_cast<std::uint64_t>(read));
    here(node::kind::negative).negative = read;
    return true;
  }
  bool visit_float32(float read) { return visit_float64(read); }
  bool visit_float64(double read) {
    here(node::kind::real).real = read;
    return true;
  }
  bool visit_str(const char* read, std::uint32_t size) {
    auto& made = here(node::kind::text);
    made.size = size;
    made.text = read;
    return true;
  }
  bool visit_bin(const char* /*read*/, std::uint32_t /*size*/) {
    here(node::kind::binary);
    return true;
  }
  bool visit_ext(const char* read, std::uint32_t size) {
    return visit_bin(read, size);
  }
  bool start_array(std::uint32_t items) {
    open(node::kind::list, items, items);
    return true;
  }
  bool end_array_item() { return go_on(); }
  bool end_array() { return close(); }
  bool start_map(std::uint32_t entries) {
    open(node::kind::map, entries, 2 * std::size_t{entries});
    return true;
  }
  bool end_map_key() { return go_on(); }
  bool end_map_value() { return go_on(); }
  bool end_map() { return close(); }
  [[noreturn]] static void parse_error(std::size_t /*parsed*/,
                                       std::size_t /*at*/) {
    throw msgpack::parse_error("parse error");
  }
  [[noreturn]] static void insufficient_bytes(std::size_t /*parsed*/,
                                              std::size_t /*at*/) {
    throw msgpack::insufficient_bytes("insufficient bytes");
  }

private:
  node& here(node::kind what) {
    auto& made = nodes_[places_[depth_]];
    made.what = what;
    return made;
  }
  void open(node::kind what, std::uint32_t size, std::size_t values) {
    if (size > most_elements_)
      throw msgpack::array_size_overflow("too many elements");
    if (depth_ == max_depth) throw msgpack::depth_size_overflow("too deep");
    if (nodes_.size() + values > max_values)
      throw msgpack::array_size_overflow("too many values");
    const auto first = nodes_.size();
    auto& made = here(what);
    made.size = size;
    made.first = first;
    if (first + values > nodes_.capacity())
      nodes_.reserve(
          std::clamp(2 * nodes_.capacity(), first + values, max_values));
    nodes_.resize(first + values);
    places_[++depth_] = first;
  }
  bool go_on() {
    ++places_[depth_];
    return true;
  }
  bool close() {
    --depth_;
    return true;
  }

  std::vector<node>& nodes_;
  std::size_t most_elements_;
  /// Of the value that comes next, in each list or map that is open.
  std::array<std::size_t, max_depth + 1> places_{};
  std::size_t depth_ = 0;
};

/// The memory of this thread's last document.
thread_local std::vector<node> spare_nodes;

} // namespace

document::~document() {
#ifdef __SANITIZE_ADDRESS__ // shall see who reads what is gone
  constexpr std::size_t kept_max = 0;
#else
  constexpr std::size_t kept_max = 65'536; // 1 MiB
#endif
  if (nodes_.capacity() <= kept_max
      && nodes_.capacity() > spare_nodes.capacity())
    spare_nodes = std::move(nodes_);
}

result<document> document::parse(std::string_view bytes) {
  if (bytes.size() > max_message_bytes)
    return refuse(fmt::format("{} bytes, more than the {} allowed",
                              bytes.size(), max_message_bytes));
  const auto elements = std::min(bytes.size(), max_elements);
  document parsed;
  parsed.nodes_ = std::exchange(spare_nodes, {});
  parsed.nodes_.clear();
  std::size_t offset = 0;
  try {
    node_maker made{parsed.nodes_, elements};
    msgpack::parse(bytes.data(), bytes.size(), offset, made);
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
  return parsed;
}

} // namespace brewery::wire
