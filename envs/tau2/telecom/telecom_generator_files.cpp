#include "envs/tau2/telecom/telecom_db.hpp"
#include "envs/tau2/telecom/telecom_generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <system_error>

namespace brewery::tau2 {

namespace {

error cannot(std::string_view what, const std::filesystem::path& file,
             std::string_view why) {
  return {ec::io, fmt::format("{}: cannot {}: {}", file.string(), what, why)};
}

result<void> write_file(const std::filesystem::path& file,
                        const std::string& text) {
  std::ofstream out{file, std::ios::binary | std::ios::trunc};
  out << text;
  out.close();
  if (!out) return cannot("write", file, "disk full or no permission");
  return {};
}

/// Copies the file, unless both paths are the same file.
result<void> keep_copy(const std::filesystem::path& from,
                       const std::filesystem::path& to) {
  std::error_code code;
  if (std::filesystem::equivalent(from, to, code)) return {};
  std::filesystem::copy_file(
      from, to, std::filesystem::copy_options::overwrite_existing, code);
  if (code) return cannot("copy to " + to.string(), from, code.message());
  return {};
}

/// One task per line: compact, and easy to compare.
std::string tasks_text(const std::vector<generated_task>& tasks) {
  std::string out = "[\n";
  for (std::size_t i = 0; i < tasks.size(); ++i)
    out += tasks[i].document.dump() + (i + 1 < tasks.size() ? ",\n" : "\n");
  return out + "]\n";
}

std::string splits_text(const std::vector<generated_task>& tasks) {
  json splits = json::object(); // one without a task would be refused
  for (const auto& task : tasks)
    splits[task.split].push_back(task.id);
  return splits.dump(1) + "\n";
}

/// The record with this id; null if there is none. Scans, as there are few.
template <class Table, class T>
auto find_record(const Table& table, const std::string T::*id,
                 const std::string& wanted) -> const T* {
  for (const auto& record : *table)
    if ((*record).*id == wanted) return &*record;
  return nullptr;
}

} // namespace

result<std::vector<telecom_line>>
load_lines(const std::filesystem::path& db_toml) {
  const auto file = read_text_file(db_toml);
  if (!file) return file.error();
  const auto db = parse_telecom_db(*file);
  if (!db) return db.error();
  std::vector<telecom_line> out;
  for (const auto& holder : *db->customers) {
    const customer& owner = *holder;
    const bool billable =
        std::any_of(db->bills->begin(), db->bills->end(), [&](const auto& b) {
          return b->customer_id == owner.customer_id
                 && b->status == bill_status::draft;
        });
    for (const auto& id : owner.line_ids) {
      const line* subject = find_record(db->lines, &line::line_id, id);
      if (!billable || subject == nullptr
          || subject->status != line_status::active || !subject->device_id)
        continue;
      const device* on =
          find_record(db->devices, &device::device_id, *subject->device_id);
      const plan* paid =
          find_record(db->plans, &plan::plan_id, subject->plan_id);
      if (on == nullptr || on->device_type != device_type::phone
          || paid == nullptr)
        continue;
      out.push_back({owner.customer_id, owner.full_name, subject->line_id,
                     subject->phone_number, paid->data_limit_gb});
    }
  }
  return out;
}

result<void> generate_telecom(const generator_options& options,
                              const std::filesystem::path& out) {
  const auto lines = load_lines(options.customers / "db.toml");
  if (!lines) return lines.error();
  const auto tasks = make_tasks(options, *lines);
  if (!tasks) return tasks.error();
  std::error_code code;
  std::filesystem::create_directories(out, code);
  if (code) return cannot("create", out, code.message());
  for (const char* name : {"db.toml", "user_db.toml"})
    if (const auto copied = keep_copy(options.customers / name, out / name);
        !copied)
      return copied.error();
  if (const auto written = write_file(out / "tasks.json", tasks_text(*tasks));
      !written)
    return written.error();
  return write_file(out / "split_tasks.json", splits_text(*tasks));
}

} // namespace brewery::tau2
