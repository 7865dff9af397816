#include "tests/store/faulty_vfs.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

namespace brewery {

namespace {

struct plan {
  std::uint64_t calls = 0;
  std::uint64_t failures = 0;
  std::uint64_t fail_at = 0;
  bool sticky = false;
  std::optional<std::uint64_t> quota;
  std::map<std::string, std::uint64_t> sizes;
};

plan faults;

/// SQLite allocates szOsFile bytes: this header, then the real file.
struct file {
  sqlite3_file base;
  const char* name;
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

file* of(sqlite3_file* base) {
  return reinterpret_cast<file*>(base);
}
sqlite3_file* real(sqlite3_file* base) {
  return of(base)->real();
}

bool now_fails() {
  ++faults.calls;
  const bool fails = faults.fail_at != 0
                     && (faults.calls == faults.fail_at
                         || (faults.sticky && faults.calls > faults.fail_at));
  if (fails) ++faults.failures;
  return fails;
}

bool over_quota(const std::string& name, std::uint64_t end) {
  auto& size = faults.sizes[name];
  std::uint64_t others = 0;
  for (const auto& [other, bytes] : faults.sizes)
    if (other != name) others += bytes;
  if (faults.quota && end > size && others + end > *faults.quota) return true;
  size = std::max(size, end);
  return false;
}

int write_page(sqlite3_file* f, const void* data, int amount,
               sqlite3_int64 offset) {
  if (now_fails()) return SQLITE_IOERR_WRITE;
  if (over_quota(of(f)->name != nullptr ? of(f)->name : "",
                 static_cast<std::uint64_t>(offset + amount))) {
    ++faults.failures;
    return SQLITE_FULL;
  }
  return real(f)->pMethods->xWrite(real(f), data, amount, offset);
}

int truncate(sqlite3_file* f, sqlite3_int64 size) {
  if (now_fails()) return SQLITE_IOERR_TRUNCATE;
  return real(f)->pMethods->xTruncate(real(f), size);
}

int sync(sqlite3_file*, int) {
  // Not passed on: nobody cuts the power here, and there are thousands.
  return now_fails() ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

// What is only passed on.
int close(sqlite3_file* f) {
  return real(f)->pMethods->xClose(real(f));
}
int read(sqlite3_file* f, void* data, int amount, sqlite3_int64 offset) {
  return real(f)->pMethods->xRead(real(f), data, amount, offset);
}
int file_size(sqlite3_file* f, sqlite3_int64* size) {
  return real(f)->pMethods->xFileSize(real(f), size);
}
int lock(sqlite3_file* f, int level) {
  return real(f)->pMethods->xLock(real(f), level);
}
int unlock(sqlite3_file* f, int level) {
  return real(f)->pMethods->xUnlock(real(f), level);
}
int check_reserved(sqlite3_file* f, int* held) {
  return real(f)->pMethods->xCheckReservedLock(real(f), held);
}
int control(sqlite3_file* f, int op, void* arg) {
  // A hint would let SQLite grow files behind our back.
  if (op == SQLITE_FCNTL_SIZE_HINT) return SQLITE_NOTFOUND;
  return real(f)->pMethods->xFileControl(real(f), op, arg);
}
int sector_size(sqlite3_file* f) {
  return real(f)->pMethods->xSectorSize(real(f));
}
int characteristics(sqlite3_file* f) {
  return real(f)->pMethods->xDeviceCharacteristics(real(f));
}
int shm_map(sqlite3_file* f, int page, int size, int extend,
            void volatile** out) {
  return real(f)->pMethods->xShmMap(real(f), page, size, extend, out);
}
int shm_lock(sqlite3_file* f, int offset, int n, int flags) {
  return real(f)->pMethods->xShmLock(real(f), offset, n, flags);
}
void shm_barrier(sqlite3_file* f) {
  real(f)->pMethods->xShmBarrier(real(f));
}
int shm_unmap(sqlite3_file* f, int remove) {
  return real(f)->pMethods->xShmUnmap(real(f), remove);
}

const sqlite3_io_methods methods = {
    2,
    close,
    read,
    write_page,
    truncate,
    sync,
    file_size,
    lock,
    unlock,
    check_reserved,
    control,
    sector_size,
    characteristics,
    shm_map,
    shm_lock,
    shm_barrier,
    shm_unmap,
    nullptr,
    nullptr,
};

sqlite3_vfs* system_vfs = nullptr;
sqlite3_vfs ours;

int open(sqlite3_vfs*, const char* name, sqlite3_file* f, int flags,
         int* out_flags) {
  f->pMethods = nullptr;
  if ((flags & SQLITE_OPEN_CREATE) != 0 && now_fails()) return SQLITE_CANTOPEN;
  of(f)->name = name;
  const int code =
      system_vfs->xOpen(system_vfs, name, real(f), flags, out_flags);
  if (code == SQLITE_OK) f->pMethods = &methods;
  return code;
}

int remove(sqlite3_vfs*, const char* name, int sync_directory) {
  if (now_fails()) return SQLITE_IOERR_DELETE;
  faults.sizes.erase(name);
  return system_vfs->xDelete(system_vfs, name, sync_directory);
}

} // namespace

faulty_vfs::faulty_vfs() {
  faults = {};
  system_vfs = sqlite3_vfs_find(nullptr);
  ours = *system_vfs;
  ours.zName = name;
  ours.szOsFile = static_cast<int>(sizeof(file)) + system_vfs->szOsFile;
  ours.xOpen = open;
  ours.xDelete = remove;
  sqlite3_vfs_register(&ours, 0);
}

faulty_vfs::~faulty_vfs() {
  sqlite3_vfs_unregister(&ours);
}

void faulty_vfs::fail_at(std::uint64_t n, bool sticky) {
  faults.calls = 0;
  faults.failures = 0;
  faults.fail_at = n;
  faults.sticky = sticky;
}

void faulty_vfs::set_quota(std::uint64_t bytes) {
  faults.quota = bytes;
}

void faulty_vfs::heal() {
  faults.fail_at = 0;
  faults.quota.reset();
}

std::uint64_t faulty_vfs::calls() const {
  return faults.calls;
}
std::uint64_t faulty_vfs::failures() const {
  return faults.failures;
}

} // namespace brewery
