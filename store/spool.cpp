#include "store/spool.hpp"

#include "base/hash.hpp"
#include "messages/wire/codec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace brewery {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view prefix = "result-";
constexpr std::size_t crc_digits = 8;

std::string sealed(const spooled_result& item) {
  const auto bytes = wire::encode(item);
  return fmt::format("{:08x}", crc32(bytes)) + bytes;
}

result<spooled_result> unsealed(const std::string& text) {
  if (text.size() < crc_digits) return error{ec::corrupt, "it is cut off"};
  const auto bytes = std::string_view{text}.substr(crc_digits);
  if (text.substr(0, crc_digits) != fmt::format("{:08x}", crc32(bytes)))
    return error{ec::corrupt, "its checksum does not match"};
  return wire::decode<spooled_result>(bytes);
}

/// 0 if the file does not exist.
std::size_t size_of(const fs::path& file) {
  std::error_code failed;
  const auto size = fs::file_size(file, failed);
  return failed ? 0 : static_cast<std::size_t>(size);
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator{folder, failed})
    if (entry.path().filename().string().starts_with(prefix)
        && entry.path().extension().empty())
      out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

/// Removes what a killed worker had begun to write.
void remove_unfinished(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> begun;
  for (const auto& entry : fs::directory_iterator{folder, failed})
    if (entry.path().extension().string().starts_with(".new-"))
      begun.push_back(entry.path());
  for (const auto& file : begun)
    fs::remove(file, failed);
}

} // namespace

namespace {

/// Locks the root. Creating, taking over and removing a worker's directory need
/// this lock. Otherwise one process could remove a directory that another is
/// about to lock.
result<directory_lock> hold_root(const fs::path& root) {
  if (auto ok = make_directories(root); !ok) return ok.error();
  constexpr int tries = 500;
  for (int i = 0;; ++i) {
    auto lock = directory_lock::take(root);
    if (lock || i == tries || lock.error().code != ec::in_use) return lock;
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
}

} // namespace

spool::spool(fs::path root, fs::path own, directory_lock lock,
             std::size_t bytes_max)
    : root_(std::move(root)), own_(std::move(own)), lock_(std::move(lock)),
      bytes_max_(bytes_max) {}

spool::~spool() {
  std::error_code ignored;
  const auto alone = hold_root(root_);
  if (!entries_of(own_).empty()) return;
  fs::remove(own_ / "lock", ignored);
  fs::remove(own_, ignored);
}

result<std::unique_ptr<spool>> spool::open(const fs::path& root,
                                           const std::string& name,
                                           std::size_t bytes_max) {
  const auto own = root / name;
  const auto alone = hold_root(root);
  if (!alone) return alone.error();
  if (auto ok = make_directories(own); !ok) return ok.error();
  auto lock = directory_lock::take(own);
  if (!lock) return lock.error();
  return std::unique_ptr<spool>{
      new spool{root, own, std::move(*lock), bytes_max}};
}

fs::path spool::file_of(const lease_key& key) const {
  hash_input in;
  in.add(key.run.value).add(key.job.value);
  return own_ / (std::string{prefix} + in.content());
}

std::vector<spooled_result> spool::take_over(std::vector<std::string>& notes) {
  std::vector<spooled_result> out;
  const auto alone = hold_root(root_);
  if (!alone) {
    notes.push_back(alone.error().message);
    return out;
  }
  std::error_code failed;
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator{root_, failed})
    if (entry.is_directory() && entry.path() != own_)
      folders.push_back(entry.path());
  if (failed)
    notes.push_back(file_error(failed.value(), "read", root_).message);
  std::sort(folders.begin(), folders.end());
  // First, because entries that are moved here later must not be read again.
  folders.insert(folders.begin(), own_);
  bytes_ = 0;
  for (const auto& folder : folders) {
    // The lock is taken if the owner is alive; its entries stay.
    std::vector<directory_lock> locks;
    if (folder != own_) {
      auto lock = directory_lock::take(folder);
      if (!lock) continue;
      locks.push_back(std::move(*lock));
    }
    if (folder != own_) remove_unfinished(folder);
    for (const auto& file : entries_of(folder)) {
      const auto text = read_file(file);
      if (!text) { // as without descriptors: it stays for the next worker
        notes.push_back(text.error().message);
        continue;
      }
      auto item = unsealed(*text);
      if (!item) {
        notes.push_back(fmt::format("{} is set aside: {}", file.string(),
                                    item.error().message));
        fs::rename(file, folder / ("damaged-" + file.filename().string()),
                   failed);
        continue;
      }
      // If a job has two results, the later one replaces the other.
      const auto proper_name = file_of(item->key);
      if (file != proper_name) bytes_ -= std::min(bytes_, size_of(proper_name));
      bytes_ += text->size();
      fs::rename(file, proper_name, failed);
      out.push_back(std::move(*item));
    }
    if (folder != own_ && entries_of(folder).empty()) {
      fs::remove(folder / "lock", failed);
      fs::remove(folder, failed); // fails if damaged entries are left
    }
  }
  if (!out.empty()) (void)!sync_directory(own_);
  return out;
}

result<void> spool::put(const spooled_result& item) {
  const auto text = sealed(item);
  const auto file = file_of(item.key);
  const auto without = [&](std::size_t all) {
    return all - std::min(all, size_of(file));
  };
  auto others = without(bytes_);
  // Somebody may have deleted files since they were counted.
  if (others + text.size() > bytes_max_) others = without(bytes_on_disk());
  if (others + text.size() > bytes_max_)
    return error{ec::exhausted,
                 fmt::format("the spool {} holds {} bytes, with this result it "
                             "would be more than {}",
                             own_.string(), others, bytes_max_)};
  auto ok = write_file_atomically(file, text);
  if (!ok && ok.error().code == ec::not_found) {
    if (auto made = make_again(); !made) return made.error();
    others = 0;
    ok = write_file_atomically(file, text);
  }
  if (!ok) return ok.error();
  bytes_ = others + text.size();
  return {};
}

std::size_t spool::bytes_on_disk() const {
  std::size_t out = 0;
  for (const auto& entry : entries_of(own_))
    out += size_of(entry);
  return out;
}

/// Somebody has deleted its directory, and with it the lock.
result<void> spool::make_again() {
  const auto alone = hold_root(root_);
  if (!alone) return alone.error();
  if (auto ok = make_directories(own_); !ok) return ok;
  auto lock = directory_lock::take(own_);
  if (!lock) return lock.error();
  lock_ = std::move(*lock);
  return {};
}

void spool::remove(const lease_key& key) {
  std::error_code failed;
  const auto file = file_of(key);
  const auto size = size_of(file);
  if (fs::remove(file, failed)) bytes_ -= std::min(bytes_, size);
}

} // namespace brewery
