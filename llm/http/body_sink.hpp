#pragma once
/// Takes the body of a streamed reply (text/event-stream) while it comes, and
/// tells the connection how far it is.

#include <cstdint>
#include <string_view>

namespace brewery {

enum class sink_stage : std::uint8_t {
  waiting = 0,  ///< nothing of the answer yet, at most signs of life
  speaking = 1, ///< parts of the answer have come
  ended = 2,    ///< all that matters has come; the connection may stay open
};

class body_sink {
public:
  virtual ~body_sink() = default;
  virtual void take(std::string_view piece) = 0;
  [[nodiscard]] virtual sink_stage stage() const = 0;
};

} // namespace brewery
