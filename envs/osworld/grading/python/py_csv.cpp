#include "envs/osworld/grading/python/py_csv.hpp"

#include "base/utf8.hpp"

#include <algorithm>

namespace brewery::osworld {

namespace {

constexpr std::size_t csv_field_characters_most = 131'072;

class csv_reader {
public:
  explicit csv_reader(std::string_view text) : text_(text) {}

  [[nodiscard]] bool done() const { return at_ >= text_.size(); }

  /// One row; an empty line is an empty row.
  std::vector<std::string> row() {
    std::vector<std::string> out;
    std::string field;
    bool any = false, quoted = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (quoted) {
        if (c != '"')
          field += c;
        else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"')
          field += text_[++at_];
        else
          quoted = false;
        continue;
      }
      if (c == '\n') {
        ++at_;
        break;
      }
      if (c == ',') {
        out.push_back(std::move(field));
        field.clear();
        fresh_ = true;
        any = true;
        continue;
      }
      // A quote opens only at the start of a field.
      if (c == '"' && fresh_)
        quoted = true;
      else
        field += c;
      fresh_ = false;
      any = true;
    }
    fresh_ = true;
    if (any) out.push_back(std::move(field));
    return out;
  }

private:
  std::string_view text_;
  std::size_t at_ = 0;
  bool fresh_ = true; ///< nothing of the field has been read
};

} // namespace

result<std::vector<csv_record>> py_csv_records(std::string_view text) {
  csv_reader reader{text};
  std::vector<csv_record> out;
  if (reader.done()) return out;
  const auto names = reader.row();
  const auto too_long = [](const std::string& field) {
    return count_characters(field) > csv_field_characters_most;
  };
  const error refused{ec::malformed, "a field of the CSV file is too long"};
  if (std::any_of(names.begin(), names.end(), too_long)) return refused;
  while (!reader.done()) {
    const auto row = reader.row();
    if (std::any_of(row.begin(), row.end(), too_long)) return refused;
    if (row.empty()) continue;
    csv_record record;
    for (std::size_t i = 0; i < names.size(); ++i)
      record.emplace_back(names[i], i < row.size() ? std::optional{row[i]}
                                                   : std::nullopt);
    out.push_back(std::move(record));
  }
  return out;
}

} // namespace brewery::osworld
