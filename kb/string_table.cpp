#include "kb/string_table.hpp"

#include "base/error.hpp"

#include <functional>
#include <limits>

namespace brewery {

std::string_view string_table::operator[](number i) const {
  const auto begin = i == 0 ? 0 : ends_[i - 1];
  return std::string_view{bytes_}.substr(begin, ends_[i] - begin);
}

/// Where it is, or the free place where it would be.
std::size_t string_table::place_of(std::string_view text) const {
  const auto last = places_.size() - 1;
  auto place = std::hash<std::string_view>{}(text)&last;
  while (places_[place] != 0 && (*this)[places_[place] - 1] != text)
    place = (place + 1) & last;
  return place;
}

void string_table::grow() {
  const auto wanted = places_.empty() ? 64 : 2 * places_.size();
  std::vector<number>{}.swap(places_);
  places_.resize(wanted);
  for (number i = 0; i < size(); ++i)
    places_[place_of((*this)[i])] = i + 1;
}

string_table::number string_table::add(std::string_view text) {
  if (4 * (size() + 1) > 3 * places_.size()) grow();
  auto& place = places_[place_of(text)];
  if (place == 0) {
    BREWERY_ASSERT(size() < std::numeric_limits<number>::max());
    bytes_ += text;
    ends_.push_back(bytes_.size());
    place = static_cast<number>(size());
  }
  return place - 1;
}

std::optional<string_table::number>
string_table::find(std::string_view text) const {
  if (places_.empty()) return std::nullopt;
  const auto place = places_[place_of(text)];
  return place == 0 ? std::nullopt : std::optional{place - 1};
}

} // namespace brewery
