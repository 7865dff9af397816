#include "store/spool.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "messages/wire/codec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace brewery {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view result_prefix = "result-";
constexpr std::string_view damaged_prefix = "damaged-";
constexpr std::string_view unfinished_mark = ".new-";
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

/// "result-<hash>", maybe with ".new-<process id>".
bool is_result_name(std::string_view name) {
  if (!name.starts_with(result_prefix)) return false;
  name.remove_prefix(result_prefix.size());
  const auto dot = std::min(name.find('.'), name.size());
  const auto rest = name.substr(dot);
  return dot > 0
         && name.substr(0, dot).find_first_not_of("0123456789abcdef")
                == name.npos
         && (rest.empty()
             || (rest.starts_with(unfinished_mark)
                 && whole_number<std::uint64_t>(
                     rest.substr(unfinished_mark.size()))));
}

/// 0 if the file does not exist.
std::size_t size_of(const fs::path& file) {
  std::error_code failed;
  const auto size = fs::file_size(file, failed);
  return failed ? 0 : static_cast<std::size_t>(size);
}

/// What is in a folder, sorted; as far as it can be read.
std::vector<fs::path> listing(const fs::path& folder, std::error_code& failed) {
  std::vector<fs::path> out;
  for (fs::directory_iterator it{folder, failed}, end; !failed && it != end;
       it.increment(failed))
    out.push_back(it->path());
  std::sort(out.begin(), out.end());
  return out;
}

/// Every worker reads what is left for other coordinators.
constexpr std::chrono::hours kept_aside_max{7 * 24};

/// The results in it.
std::vector<fs::path> entries_of(const fs::path& folder) {
  std::error_code ignored;
  auto out = listing(folder, ignored);
  std::erase_if(out, [](const fs::path& file) {
    return !file.filename().string().starts_with(result_prefix)
           || !file.extension().empty();
  });
  return out;
}

/// Removes what a killed worker had begun to write.
void remove_unfinished(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& file : listing(folder, ignored))
    if (file.extension().string().starts_with(unfinished_mark))
      fs::remove(file, ignored);
}

/// Whether a worker has made it, and everything in it. The root may be any
/// directory of the user's: what is anybody else's in there stays as it is.
bool is_of_a_worker(const fs::path& folder) {
  std::error_code failed;
  if (!is_random_id(folder.filename().string())
      || !fs::is_directory(fs::symlink_status(folder, failed)))
    return false;
  const auto files = listing(folder, failed);
  return !failed && std::ranges::all_of(files, [](const fs::path& file) {
    const auto name = file.filename().string();
    return name == "lock" || name.starts_with(damaged_prefix)
           || is_result_name(name);
  });
}

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
  return own_ / (std::string{result_prefix} + in.content());
}

std::vector<spooled_result> spool::take_over(std::vector<std::string>& notes) {
  taking all;
  const auto alone = hold_root(root_);
  if (!alone) {
    notes.push_back(alone.error().message);
    return {};
  }
  std::error_code failed;
  auto folders = listing(root_, failed);
  if (failed)
    notes.push_back(file_error(failed.value(), "read", root_).message);
  std::erase_if(folders, [&](const fs::path& entry) {
    return entry == own_ || !is_of_a_worker(entry);
  });
  bytes_ = 0;
  // First, because entries that are moved here later must not be read again.
  take_entries(own_, all, notes);
  for (const auto& folder : folders) {
    // The lock is taken if the owner is alive; its entries stay.
    const auto lock = directory_lock::take(folder);
    if (!lock) continue;
    remove_unfinished(folder);
    take_entries(folder, all, notes);
    if (!entries_of(folder).empty()) continue;
    fs::remove(folder / "lock", failed);
    fs::remove(folder, failed); // fails if damaged entries are left
  }
  if (!all.found.empty()) (void)!sync_directory(own_);
  return std::move(all.found);
}

void spool::take_entries(const fs::path& folder, taking& all,
                         std::vector<std::string>& notes) {
  std::error_code failed;
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
      fs::rename(file,
                 folder
                     / (std::string{damaged_prefix} + file.filename().string()),
                 failed);
      continue;
    }
    // If a job has two results, the later one replaces the other. That of
    // another coordinator's run of the same name stays for a later worker.
    const auto proper_name = file_of(item->key);
    const auto [known, is_first] =
        all.clusters.try_emplace(proper_name, item->cluster);
    if (!is_first && known->second != item->cluster) continue;
    if (file != proper_name) bytes_ -= std::min(bytes_, size_of(proper_name));
    bytes_ += text->size();
    fs::rename(file, proper_name, failed);
    all.found.push_back(std::move(*item));
  }
}

result<void> spool::set_aside(const std::vector<lease_key>& keys) {
  if (keys.empty()) return {};
  const auto alone = hold_root(root_);
  if (!alone) return alone.error();
  // Nobody holds it: the next worker takes it over.
  const auto folder = root_ / random_id();
  if (auto ok = make_directories(folder); !ok) return ok;
  result<void> done;
  for (const auto& key : keys) {
    const auto file = file_of(key);
    const auto size = size_of(file);
    std::error_code failed;
    const auto age =
        fs::file_time_type::clock::now() - fs::last_write_time(file, failed);
    if (!failed && age > kept_aside_max)
      fs::remove(file, failed); // its coordinator does not come back
    else
      fs::rename(file, folder / file.filename(), failed);
    if (failed)
      done = file_error(failed.value(), "move", file);
    else
      bytes_ -= std::min(bytes_, size);
  }
  if (auto ok = sync_directory(folder); !ok) return ok;
  return done;
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
