#include "llm/format/sse.hpp"

#include <utility>

namespace brewery {

void sse_reader::feed(std::string_view piece, const sink& take) {
  while (!piece.empty()) {
    if (std::exchange(after_cr_, false) && piece.front() == '\n') {
      piece.remove_prefix(1);
      continue;
    }
    const auto end = piece.find_first_of("\r\n");
    line_ += piece.substr(0, end);
    if (end == std::string_view::npos) return;
    after_cr_ = piece[end] == '\r';
    piece.remove_prefix(end + 1);
    end_line(take);
  }
}

void sse_reader::finish(const sink& take) {
  if (!line_.empty()) end_line(take);
  end_event(take);
}

void sse_reader::end_line(const sink& take) {
  auto line = std::exchange(line_, {});
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (std::exchange(first_line_, false) && line.starts_with(byte_order_mark))
    line.erase(0, byte_order_mark.size());
  if (line.empty()) return end_event(take);
  const auto colon = line.find(':');
  const auto field = line.substr(0, colon);
  auto value = colon == std::string::npos ? "" : line.substr(colon + 1);
  if (value.starts_with(' ')) value.erase(0, 1);
  if (field == "event") event_.name = value;
  if (field == "error") event_.name = field;
  if (field != "data" && field != "error") return;
  if (std::exchange(has_data_, true)) event_.data += '\n';
  event_.data += value;
}

void sse_reader::end_event(const sink& take) {
  const auto event = std::exchange(event_, {});
  if (std::exchange(has_data_, false)) take(event);
}

} // namespace brewery
