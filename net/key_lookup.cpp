#include "net/key_lookup.hpp"

namespace brewery {

std::optional<allowed_peer>
key_lookup::where_it_was(const std::string& public_key) {
  std::string name;
  {
    const std::lock_guard lock{mutex_};
    const auto it = names_.find(public_key);
    if (it == names_.end()) return std::nullopt;
    name = it->second;
  }
  return directory_.allowed_as(name, public_key);
}

result<std::optional<allowed_peer>>
key_lookup::find(const std::string& public_key) {
  return find(std::vector{public_key}).front();
}

std::vector<result<std::optional<allowed_peer>>>
key_lookup::find(const std::vector<std::string>& public_keys) {
  if (public_keys.size() == 1)
    if (auto peer = where_it_was(public_keys.front()))
      return {std::optional{std::move(*peer)}};
  allowed_names names;
  auto out = directory_.find(public_keys, &names);
  const std::lock_guard lock{mutex_};
  names_ = std::move(names);
  return out;
}

} // namespace brewery
