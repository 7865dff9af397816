#include "store/ack_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace brewery {

namespace {

std::filesystem::path path_in(const std::filesystem::path& directory) {
  return directory / "events.ack";
}

std::string content(std::uint64_t seq) {
  return fmt::format("{:020}\n", seq);
}

} // namespace

result<ack_file> ack_file::open(const std::filesystem::path& directory) {
  const auto path = path_in(directory);
  if (auto known = read(directory); !known) return known.error();
  if (!std::filesystem::exists(path))
    if (auto made = write_file_atomically(path, content(0)); !made)
      return made.error();
  file_descriptor file{::open(path.c_str(), O_WRONLY | O_CLOEXEC)};
  if (!file) return file_error("open", path);
  return ack_file{std::move(file)};
}

void ack_file::acknowledge(std::uint64_t seq) {
  const auto text = content(seq);
  (void)!::pwrite(file_.get(), text.data(), text.size(), 0);
}

result<std::uint64_t> ack_file::read(const std::filesystem::path& directory) {
  const auto text = read_plain_file(path_in(directory));
  if (!text) {
    if (text.error().code == ec::not_found) return std::uint64_t{0};
    return text.error();
  }
  std::uint64_t seq = 0;
  const auto* end = text->data() + text->size();
  const auto [rest, failed] = std::from_chars(text->data(), end, seq);
  if (failed != std::errc{} || text->size() != content(0).size()
      || *rest != '\n')
    return error{ec::corrupt,
                 fmt::format("{}: expected 20 digits, the number of the last "
                             "acknowledged row",
                             path_in(directory).string())};
  return seq;
}

} // namespace brewery
