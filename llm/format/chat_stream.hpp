#pragma once
/// Joins the pieces of a streamed completion to the body that the server would
/// have sent at once, so that decode_chat reads both. Pure.
///
///   chat_stream stream;
///   stream.take(bytes);        // in pieces of any size
///   stream.end();              // the body is complete
///   if (stream.stage() == ...) decode_chat(stream.body());

#include "llm/format/sse.hpp"
#include "llm/http/body_sink.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// How a chat is asked.
enum class stream_mode : std::uint8_t {
  off = 0,
  plain = 1,      ///< "stream": true
  with_usage = 2, ///< and "stream_options": {"include_usage": true}
};

/// Adds the fields of the mode to a request that encode_chat wrote.
std::string with_stream(const std::string& request, stream_mode mode);

/// True for a body that is a stream, whatever its Content-Type.
bool looks_like_stream(std::string_view body);

class chat_stream final : public body_sink {
public:
  void take(std::string_view bytes) override;
  [[nodiscard]] sink_stage stage() const override { return stage_; }
  void end();

  /// Output of the model has come, be it its reasoning: it may be charged.
  [[nodiscard]] bool spoke() const { return spoke_; }
  /// The reply has its finish_reason, or is an error.
  [[nodiscard]] bool whole() const {
    return broken_.empty()
           && (!finish_.empty() || !error_.empty() || (plain_ && ended_));
  }
  /// An error came in place of a piece.
  [[nodiscard]] bool failed() const { return !error_.empty(); }
  /// Describes the first piece that could not be read; empty: none.
  [[nodiscard]] const std::string& broken() const { return broken_; }
  [[nodiscard]] bool has_usage() const { return !usage_.empty(); }
  /// "[DONE]" came.
  [[nodiscard]] bool done() const { return done_; }
  /// The server answered with JSON although it said it streams.
  [[nodiscard]] bool is_plain() const { return plain_; }
  [[nodiscard]] std::size_t pieces() const { return pieces_; }

  /// Of a whole reply: as without streaming.
  [[nodiscard]] std::string body() const;

private:
  struct piece;
  struct joined_call {
    std::optional<std::uint64_t> index;
    std::string id, name, arguments;
  };

  void read(const sse_event& event);
  void note_halves(const std::vector<char16_t>& halves);
  void read_piece(const piece& from);
  void read_delta(const piece& delta);
  void read_call(const piece& delta);
  void append(std::string& into, std::string text) const;
  void read_text(const piece& from, const char* name,
                 std::optional<std::string>& into);
  joined_call& call_of(std::optional<std::uint64_t> index,
                       const std::string& id, const std::string& name);
  void give_up(const std::string& why);

  sse_reader events_;
  sink_stage stage_ = sink_stage::waiting;
  bool started_ = false, plain_ = false, ended_ = false;
  bool spoke_ = false, done_ = false;
  std::size_t pieces_ = 0;
  std::string broken_;
  std::string model_, finish_;
  std::optional<std::string> content_, refusal_;
  std::vector<joined_call> calls_;
  char16_t half_ = 0; ///< the first half of a character, if a piece had one
  char32_t cut_in_two_ = 0;   ///< the character whose other half this piece has
  std::string usage_, error_; ///< JSON
  std::string raw_;           ///< of a plain body
};

} // namespace brewery
