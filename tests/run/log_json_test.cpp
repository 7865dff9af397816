#include "run/logging/log_json.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

TEST_CASE("keys of a log line become members, the rest its message") {
  CHECK(log_fields("job_quarantined run=a job=b reason=\"no luck, again\"")
        == json{{"event", "job_quarantined"},
                {"run", "a"},
                {"job", "b"},
                {"reason", "no luck, again"}});
  CHECK(log_fields("waiting run=a 12 jobs wait (rollout): x=y is busy")
        == json{{"event", "waiting"},
                {"run", "a"},
                {"message", "12 jobs wait (rollout): x=y is busy"}});
}

TEST_CASE("a log line that names a worker first is about it") {
  CHECK(log_fields("worker w0 joined: 2 slots on h run=forged")
        == json{{"worker", "w0"},
                {"message", "joined: 2 slots on h run=forged"}});
}

TEST_CASE("any other log line is a message") {
  const auto* const line =
      GENERATE("disconnecting; workers keep their jobs", "refused key k: no",
               "a =b", "A b=c", "worker", "x", "", "k=v");
  INFO(line);
  const auto read = log_fields(line);
  CHECK(read == (*line == '\0' ? json::object() : json{{"message", line}}));
}

TEST_CASE("a later key does not replace an earlier one") {
  CHECK(log_fields("failed run=a error=\"x\" run=b event=c")
        == json{{"event", "failed"}, {"run", "a"}, {"error", "x"}});
}

TEST_CASE("a log line in JSON is one line with time, level and fixed members") {
  const std::chrono::system_clock::time_point at{
      std::chrono::milliseconds{1'700'000'000'042}};
  CHECK(log_line_json(at, "info", {{"worker", "w0"}},
                      "job_failed run=a worker=forged two\nlines \xff")
        == R"({"time":"2023-11-14T22:13:20.042Z","level":"info",)"
           R"("worker":"w0","event":"job_failed","run":"a",)"
           "\"message\":\"two lines \xef\xbf\xbd\"}");
}

TEST_CASE("a log line in JSON that is too long is shortened and can be read") {
  constexpr std::size_t bytes_max = 4000;
  const std::string ten_kilobytes(10'000, 'x');
  const std::string quotes(3990, '"'); // two bytes each in JSON
  std::string letters;
  while (letters.size() < 10'000)
    letters += "\xc3\xa4";
  for (const auto& text : {ten_kilobytes, quotes, letters}) {
    const auto line =
        log_line_json({}, "warn", {{"worker", "w0"}},
                      "job_failed run=a job=b it says " + text, bytes_max);
    CHECK(line.size() <= bytes_max);
    CHECK(line.size() > bytes_max - 20); // not more than needed
    const auto read = json::parse(line);
    CHECK(read["run"] == "a");
    CHECK(read["worker"] == "w0");
    const auto message = read["message"].get<std::string>();
    CHECK(message.starts_with("it says "));
    CHECK(message.ends_with("..."));
  }
  const auto pair = log_line_json(
      {}, "warn", {}, "failed run=a error=\"" + ten_kilobytes + "\" and more",
      bytes_max);
  CHECK(pair.size() <= bytes_max);
  CHECK(json::parse(pair)["run"] == "a");
  CHECK(json::parse(pair)["message"] == "and more");
}
