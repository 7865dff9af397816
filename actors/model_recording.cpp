#include "actors/model_recording.hpp"

#include "base/file.hpp"
#include "base/text.hpp"
#include "messages/wire/codec.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_set>

namespace brewery {

namespace fs = std::filesystem;

namespace {

struct order {
  std::optional<model_record> append;
  std::vector<request_part> parts; ///< of the record to append
  std::optional<event_row> mark;   ///< to append instead of a record
  std::uint64_t event = 0;         ///< to read, if there is nothing to append
  std::function<void(result<std::uint64_t>)> appended;
  std::function<void(result<model_record>)> done;
  std::function<void(const event_log&)> look; ///< instead of reading an event
};

/// Hashes of parts that the log holds.
using part_hashes = std::unordered_set<std::string>;

result<model_record> record_of(const event_row& row) {
  auto record = wire::decode<model_record>(row.payload);
  if (!record)
    return error{ec::corrupt, fmt::format("event {} of the recording: {}",
                                          row.seq, record.error().message)};
  return record;
}

void add(recording_index& index, const model_record& record,
         std::uint64_t event) {
  index.replies.add(record, event);
  if (record.answer)
    index.by_place.insert_or_assign({record.job, record.number}, event);
  index.spend.add(record);
}

/// The payload is the key of the call and, but in old recordings, the event of
/// the reply that was rejected.
void reject(reply_index& replies, const event_row& row) {
  const auto parts = split(row.payload, ' ');
  std::uint64_t event = 0;
  if (parts.size() == 2)
    std::from_chars(parts[1].data(), parts[1].data() + parts[1].size(), event);
  if (event > 0)
    replies.reject_until({row.key}, std::string{parts[0]}, event);
  else
    replies.reject({row.key}, std::string{parts[0]});
}

result<recording_index> read_index(const event_log& log, part_hashes& parts,
                                   recording_use what) {
  recording_index index;
  auto read = log.for_each([&](const event_row& row) -> result<void> {
    if (row.kind == rejected_event)
      reject(index.replies, row);
    else if (row.kind == ask_anew_event && what == recording_use::continued)
      index.replies.ask_anew({row.key});
    else if (row.kind == stopped_event)
      index.replies.stop(row.payload);
    else if (row.kind == prompt_part::type_name)
      parts.insert(row.key);
    if (row.kind != model_record::type_name) return {};
    const auto record = record_of(row);
    if (!record) return record.error();
    add(index, *record, row.seq);
    return {};
  });
  if (!read) return read.error();
  return index;
}

} // namespace

struct model_recording::state {
  std::unique_ptr<event_log> log;
  recording_index index;
  part_hashes parts; ///< used by the thread
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<order> orders; ///< guarded by mutex
  bool closing = false;     ///< guarded by mutex
  /// Guarded by mutex. Set: a full disk is told to it and waited out.
  std::function<void(const error&)> on_full;
  bool busy = false; ///< guarded by mutex
  model_spend spend; ///< guarded by mutex
  std::thread thread;

  void put(order next) {
    {
      const std::lock_guard lock{mutex};
      orders.push_back(std::move(next));
    }
    changed.notify_all();
  }

  void run() {
    for (;;) {
      std::deque<order> batch;
      {
        std::unique_lock lock{mutex};
        changed.wait(lock, [&] { return closing || !orders.empty(); });
        if (orders.empty()) return;
        batch.swap(orders);
        busy = true;
      }
      carry_out(batch);
      batch.clear(); // also frees what its callbacks hold
      {
        const std::lock_guard lock{mutex};
        busy = false;
      }
      changed.notify_all();
    }
  }

  /// Writes all appends of a batch in one transaction, then does the rest.
  void carry_out(std::deque<order>& batch) {
    std::vector<event_row> rows;
    std::vector<std::uint64_t> events; // of the records and marks
    part_hashes fresh;
    const auto before = log->last_seq();
    for (auto& item : batch) {
      if (item.mark) rows.push_back(*item.mark);
      if (item.mark) events.push_back(before + rows.size());
      if (!item.append) continue;
      for (const auto& part : item.parts)
        if (!parts.contains(part.hash) && fresh.insert(part.hash).second)
          rows.push_back(event_of(part.content, part.hash));
      rows.push_back(event_of(*item.append, item.append->key));
      events.push_back(before + rows.size());
    }
    result<void> written;
    if (!rows.empty()) written = append(rows);
    if (written) note(batch, fresh);
    auto event = events.begin();
    for (auto& item : batch) {
      if (item.look)
        item.look(*log);
      else if (!item.append && !item.mark)
        item.done(read(item.event));
      else if (written)
        item.appended(*event++);
      else
        item.appended(written.error());
    }
  }

  result<void> append(const std::vector<event_row>& rows) {
    for (bool first = true;; first = false) {
      auto written = log->append(rows);
      if (written || !is_disk_trouble(written.error())) return written;
      std::unique_lock lock{mutex};
      if (!on_full) return written;
      if (first) on_full(written.error());
      changed.wait_for(lock, std::chrono::seconds{1},
                       [this] { return !on_full; });
    }
  }

  /// Before anyone gets a reply: who has all replies sees their whole sum.
  void note(const std::deque<order>& batch, part_hashes& fresh) {
    parts.merge(fresh);
    const std::lock_guard lock{mutex};
    for (const auto& item : batch)
      if (item.append) spend.add(*item.append);
  }

  result<model_record> read(std::uint64_t event) const {
    const auto row = log->read(event);
    if (!row) return row.error();
    return record_of(*row);
  }
};

model_recording::model_recording(std::shared_ptr<state> opened)
    : state_(std::move(opened)) {
  state_->thread = std::thread{[state = state_] { state->run(); }};
}

model_recording::~model_recording() {
  {
    const std::lock_guard lock{state_->mutex};
    state_->closing = true;
    state_->on_full = nullptr;
  }
  state_->changed.notify_one();
  if (state_->thread.get_id() == std::this_thread::get_id())
    state_->thread.detach();
  else
    state_->thread.join();
}

void model_recording::wait_for_space(
    std::function<void(const error&)> on_full) {
  {
    const std::lock_guard lock{state_->mutex};
    state_->on_full = std::move(on_full);
  }
  state_->changed.notify_all();
}

namespace {

fs::path folder_of(const fs::path& run_directory) {
  return run_directory / "models";
}

} // namespace

result<model_spend> recorded_spend(const fs::path& run_directory) {
  const auto folder = folder_of(run_directory);
  std::error_code ignored;
  if (!fs::exists(folder / "events.db", ignored)) return model_spend{};
  const auto log = event_log::open_for_reading(folder);
  if (!log) return log.error();
  part_hashes parts;
  auto index = read_index(**log, parts, recording_use::continued);
  if (!index) return index.error();
  return std::move(index->spend);
}

result<std::shared_ptr<model_recording>>
model_recording::make(std::unique_ptr<event_log> log, recording_use what) {
  auto opened = std::make_shared<state>();
  auto index = read_index(*log, opened->parts, what);
  if (!index) return index.error();
  opened->log = std::move(log);
  opened->index = std::move(*index);
  opened->spend = opened->index.spend;
  return std::shared_ptr<model_recording>{
      new model_recording{std::move(opened)}};
}

result<std::shared_ptr<model_recording>>
model_recording::open(const fs::path& run_directory) {
  const auto folder = folder_of(run_directory);
  std::error_code failed;
  const bool there = fs::exists(folder / "events.db", failed);
  if (failed) return file_error(failed.value(), "read", folder);
  if (!there) {
    if (auto made = make_directories(folder); !made) return made.error();
  }
  auto log = there ? event_log::open(folder) : event_log::create(folder);
  if (!log) return log.error();
  return make(std::move(*log), recording_use::continued);
}

result<std::shared_ptr<model_recording>>
model_recording::open_for_replay(const fs::path& run_directory) {
  const auto folder = folder_of(run_directory);
  std::error_code ignored;
  if (!fs::exists(folder / "events.db", ignored))
    return error{ec::not_found,
                 fmt::format("{} has no recording of model calls (no {})",
                             run_directory.string(),
                             (folder / "events.db").string())};
  auto log = event_log::open_for_reading(folder);
  if (!log) return log.error();
  return make(std::move(*log), recording_use::replayed);
}

result<void> model_recording::ask_anew(const fs::path& run_directory,
                                       const std::vector<job_id>& jobs) {
  const auto folder = folder_of(run_directory);
  std::error_code ignored;
  if (!fs::exists(folder / "events.db", ignored)) return {};
  const auto log = event_log::open(folder);
  if (!log) return log.error();
  std::vector<event_row> rows;
  for (const auto& job : jobs)
    rows.push_back({0, std::string{ask_anew_event}, job.value, {}});
  return (*log)->append(rows);
}

void model_recording::settle() {
  std::unique_lock lock{state_->mutex};
  state_->changed.wait(
      lock, [this] { return state_->orders.empty() && !state_->busy; });
}

const recording_index& model_recording::index() const {
  return state_->index;
}

model_spend model_recording::spend() const {
  const std::lock_guard lock{state_->mutex};
  return state_->spend;
}

void model_recording::append(model_record record,
                             std::vector<request_part> parts,
                             std::function<void(result<std::uint64_t>)> done) {
  order next;
  next.append = std::move(record);
  next.parts = std::move(parts);
  next.appended = std::move(done);
  state_->put(std::move(next));
}

void model_recording::mark(std::string_view kind, const job_id& job,
                           std::string call,
                           std::function<void(result<std::uint64_t>)> done) {
  order next;
  next.mark = event_row{0, std::string{kind}, job.value, std::move(call)};
  next.appended = std::move(done);
  state_->put(std::move(next));
}

void model_recording::read(std::uint64_t event,
                           std::function<void(result<model_record>)> done) {
  order next;
  next.event = event;
  next.done = std::move(done);
  state_->put(std::move(next));
}

void model_recording::with_log(std::function<void(const event_log&)> look) {
  order next;
  next.look = std::move(look);
  state_->put(std::move(next));
}

} // namespace brewery
