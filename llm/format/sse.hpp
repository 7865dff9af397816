#pragma once
/// Reads server-sent events (text/event-stream) from pieces of any size. Pure.
///
/// Lines end with LF, CRLF or CR. Comments (": ping") and unknown fields are
/// skipped. Beyond the standard: a field `error` is an event of that name (old
/// versions of llama.cpp), and `finish` gives an event that no blank line ends.

#include <functional>
#include <string>
#include <string_view>

namespace brewery {

struct sse_event {
  std::string name; ///< empty: not given
  std::string data; ///< lines joined by LF
};

class sse_reader {
public:
  using sink = std::function<void(const sse_event&)>;

  void feed(std::string_view piece, const sink& take);
  /// The stream is over.
  void finish(const sink& take);

private:
  void end_line(const sink& take);
  void end_event(const sink& take);

  std::string line_;
  bool after_cr_ = false;
  bool first_line_ = true;
  bool has_data_ = false;
  sse_event event_;
};

} // namespace brewery
