#include "cli/cluster_up/worker_array_store.hpp"

#include "cli/state_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unistd.h>

namespace brewery {

namespace fs = std::filesystem;

namespace {

fs::path folder_of(const std::string& name) {
  return state_directory() / "clusters" / name;
}
fs::path file_of(const std::string& name) {
  return folder_of(name) / "array.json";
}

} // namespace

result<worker_array_store> worker_array_store::open(const std::string& name) {
  if (auto ok = make_directories(folder_of(name)); !ok) return ok.error();
  auto lock = directory_lock::take(folder_of(name));
  if (!lock) return lock.error();
  return worker_array_store{std::move(*lock)};
}

std::vector<std::string> worker_array_store::names() {
  std::vector<std::string> out;
  std::error_code none;
  for (const auto& entry :
       fs::directory_iterator{state_directory() / "clusters", none})
    if (fs::exists(entry.path() / "array.json", none))
      out.push_back(entry.path().filename().string());
  std::sort(out.begin(), out.end());
  return out;
}

result<std::optional<worker_array>>
worker_array_store::read(const std::string& name) {
  const auto text = read_file(file_of(name));
  if (!text && text.error().code == ec::not_found)
    return std::optional<worker_array>{};
  if (!text) return text.error();
  auto array = parse_worker_array(*text);
  if (!array)
    return error{ec::malformed,
                 fmt::format("{}: {}; end its workers by hand and remove it",
                             file_of(name).string(), array.error().message)};
  return std::optional{std::move(*array)};
}

result<void> worker_array_store::save(const worker_array& array) {
  return write_file_atomically(file_of(array.name), to_json(array));
}

result<void> worker_array_store::remove(const worker_array& array) {
  if (::unlink(file_of(array.name).c_str()) != 0)
    return file_error("remove", file_of(array.name));
  return {};
}

} // namespace brewery
