#include "cli/progress_bar.hpp"

#include "cli/terminal.hpp"

#include <fmt/format.h>

namespace brewery {

progress_bar::progress_bar(std::string what, std::size_t total)
    : what_(std::move(what)), total_(total),
      on_terminal_(rewrites_lines(stderr)) {}

progress_bar::~progress_bar() {
  clear();
}

void progress_bar::step() {
  ++done_;
  const auto now = clock::now();
  if (!on_terminal_ || now - last_shown_ < std::chrono::milliseconds{250})
    return;
  last_shown_ = now;
  const std::chrono::duration<double> spent = now - began_;
  const auto left = spent.count() / static_cast<double>(done_)
                    * static_cast<double>(total_ - done_);
  constexpr std::size_t bar_size = 10;
  const auto bar = bar_text(
      static_cast<double>(done_) / static_cast<double>(total_), bar_size);
  const auto text = fmt::format(" {} of {} {} | left {}", done_, total_, what_,
                                duration_text(left));
  // A wrapped line cannot be rewritten.
  const auto room = columns(stderr) - 1;
  if (room > bar_size + 2)
    std::fputs(fmt::format("\r\033[K[{}]{}",
                           styled(bar, style::cyan, colours(stderr)),
                           first_characters(text, room - bar_size - 2))
                   .c_str(),
               stderr);
  shown_ = true;
}

void progress_bar::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

} // namespace brewery
