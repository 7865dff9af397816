#include "store/log_file.hpp"

#include "base/text.hpp"

#include <cerrno>
#include <deque>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace brewery {

namespace fs = std::filesystem;

log_file::log_file(fs::path path, std::uint64_t bytes_max,
                   std::size_t files_max)
    : path_(std::move(path)), bytes_max_(bytes_max), files_max_(files_max) {}

fs::path log_file::older(std::size_t number) const {
  auto out = path_;
  if (number > 0) out += "." + std::to_string(number);
  return out;
}

/// Somebody may have deleted it.
bool log_file::is_there() const {
  struct stat now {};
  return file_ && ::fstat(file_.get(), &now) == 0 && now.st_nlink > 0;
}

void log_file::open() {
  file_ = file_descriptor{::open(path_.c_str(),
                                 O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
                                 S_IRUSR | S_IWUSR | S_IRGRP)};
  std::error_code none;
  const auto size = fs::file_size(path_, none);
  bytes_ = none ? 0 : size;
}

void log_file::rotate() {
  std::error_code ignored;
  for (auto i = files_max_ - 1; i > 0; --i)
    fs::rename(older(i - 1), older(i), ignored);
  open();
}

void log_file::append(const std::string& line) {
  const std::lock_guard lock{mutex_};
  if (!is_there()) open();
  if (bytes_ > 0 && bytes_ + line.size() >= bytes_max_) rotate();
  const auto text = line + '\n';
  if (file_ && ::write(file_.get(), text.data(), text.size()) > 0)
    bytes_ += text.size();
}

/// Renaming does not change what a descriptor reads, so nobody who appends has
/// to wait for a search.
std::vector<log_file::opened_part> log_file::parts() const {
  const std::lock_guard lock{mutex_};
  std::vector<opened_part> out;
  for (std::size_t i = 0; i < files_max_; ++i) {
    file_descriptor file{::open(older(i).c_str(), O_RDONLY | O_CLOEXEC)};
    struct stat about {};
    if (file && ::fstat(file.get(), &about) == 0)
      out.push_back({std::move(file), static_cast<std::size_t>(about.st_size)});
  }
  return out;
}

namespace {

/// Up to `bytes`, which ends with a line: more may be in the middle of one.
std::string text_of(const file_descriptor& file, std::size_t bytes) {
  std::string out(bytes, '\0');
  std::size_t taken = 0;
  while (taken < bytes) {
    const auto got = ::read(file.get(), out.data() + taken, bytes - taken);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    taken += static_cast<std::size_t>(got);
  }
  out.resize(taken);
  return out;
}

} // namespace

std::vector<std::string>
log_file::last(std::size_t count,
               const std::function<bool(const std::string&)>& matches) const {
  std::vector<std::vector<std::string>> found; // newest file first
  std::size_t total = 0;
  for (const auto& one : parts()) {
    if (total >= count) break;
    const auto text = text_of(one.file, one.bytes);
    std::deque<std::string> here;
    for (const auto part : split(text, '\n')) {
      std::string line{part};
      if (line.empty() || !matches(line)) continue;
      here.push_back(std::move(line));
      if (here.size() > count - total) here.pop_front();
    }
    total += here.size();
    found.emplace_back(here.begin(), here.end());
  }
  std::vector<std::string> out;
  for (auto file = found.rbegin(); file != found.rend(); ++file)
    out.insert(out.end(), file->begin(), file->end());
  return out;
}

} // namespace brewery
