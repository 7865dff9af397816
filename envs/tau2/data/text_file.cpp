#include "envs/tau2/data/text_file.hpp"

#include <fstream>

namespace brewery::tau2 {

result<text_file> read_text_file(const std::filesystem::path& path) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure))
    return error{ec::not_found, path.string() + ": no such file"};
  text_file file{path.string(), {}};
  const auto size = std::filesystem::file_size(path, failure);
  std::ifstream in{path, std::ios::binary};
  if (failure || !in) return error{ec::io, file.name + ": cannot be opened"};
  file.text.resize(static_cast<std::size_t>(size));
  in.read(file.text.data(), static_cast<std::streamsize>(size));
  if (in.gcount() != static_cast<std::streamsize>(size))
    return error{ec::io, file.name + ": cannot be read to its end"};
  return file;
}

} // namespace brewery::tau2
