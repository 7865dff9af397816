#pragma once
/// Distinct strings, numbered from 0 in the order in which they first came, for
/// the vocabularies of large indexes: about 16 bytes for each beside its own.
/// At most 2^32 - 1 strings. Owned by one index. PURE; thread-safe once filled.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

class string_table {
public:
  using number = std::uint32_t;

  /// Its number; a new one if it is not in yet.
  number add(std::string_view text);
  [[nodiscard]] std::optional<number> find(std::string_view text) const;
  [[nodiscard]] std::string_view operator[](number i) const;
  [[nodiscard]] std::size_t size() const { return ends_.size(); }

private:
  [[nodiscard]] std::size_t place_of(std::string_view text) const;
  void grow();

  std::string bytes_;               ///< of all, one after the other
  std::vector<std::uint64_t> ends_; ///< of each in `bytes_`
  /// By hash, with the next free place for who finds its own taken: a number
  /// and 1, or 0. A power of two of them, at most three quarters taken.
  std::vector<number> places_;
};

} // namespace brewery
