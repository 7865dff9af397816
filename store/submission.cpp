#include "store/submission.hpp"

#include "base/file.hpp"
#include "messages/json.hpp"

namespace brewery {

namespace {

std::filesystem::path submission_file(const run_directory& directory) {
  return directory.path() / "submission.json";
}

} // namespace

result<submission> read_submission(const run_directory& directory) {
  const auto text = read_plain_file(submission_file(directory));
  if (!text) return text.error();
  const auto read = nlohmann::json::parse(*text, nullptr, false);
  if (!read.is_object())
    return error{ec::corrupt,
                 submission_file(directory).string() + " is not a JSON object"};
  const submission usual;
  submission out;
  try {
    out.weight = read.value("weight", usual.weight);
    out.priority = read.value("priority", usual.priority);
    out.cancelled = read.value("cancelled", usual.cancelled);
    out.group = read.value("group", usual.group);
    if (read.contains("group_point"))
      out.group_point = read["group_point"].get<std::uint32_t>();
    out.group_max_cost_usd =
        read.value("group_max_cost_usd", usual.group_max_cost_usd);
    out.group_max_hours = read.value("group_max_hours", usual.group_max_hours);
    out.group_at_once = read.value("group_at_once", usual.group_at_once);
    if (read.contains("hold_after"))
      out.hold_after = read["hold_after"].get<std::uint32_t>();
    out.order = read.value("order", usual.order);
  } catch (const nlohmann::json::exception&) {
    return error{ec::corrupt, submission_file(directory).string()
                                  + ": a member has the wrong type"};
  }
  return out;
}

result<void> write_submission(const run_directory& directory,
                              const submission& about) {
  nlohmann::ordered_json text{{"weight", about.weight},
                              {"priority", about.priority},
                              {"cancelled", about.cancelled}};
  if (!about.group.empty()) text["group"] = about.group;
  if (about.group_point) text["group_point"] = *about.group_point;
  if (about.group_max_cost_usd > 0)
    text["group_max_cost_usd"] = about.group_max_cost_usd;
  if (about.group_max_hours > 0)
    text["group_max_hours"] = about.group_max_hours;
  if (about.group_at_once > 0) text["group_at_once"] = about.group_at_once;
  if (about.hold_after) text["hold_after"] = *about.hold_after;
  if (!about.order.empty()) text["order"] = about.order;
  return write_file_atomically(submission_file(directory), text.dump(2) + '\n');
}

} // namespace brewery
