#include "base/text.hpp"
#include "messages/wire/codec.hpp"
#include "tests/messages/samples.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <set>

using namespace brewery;

namespace {

using wire::decode;
using wire::encode;
using wire::writer;

struct two_fields {
  std::string name;
  std::uint8_t count = 0;
  BREWERY_FIELDS(two_fields, name, count)
};

/// What a later version of two_fields might be.
struct three_fields {
  std::string name;
  std::vector<grade_part> extra;
  std::uint8_t count = 0;
  BREWERY_FIELDS(three_fields, name, extra, count)
};

struct every_shape {
  std::int32_t number = 0;
  ec code = ec::ok;
  std::map<std::string, std::vector<std::int64_t>> named;
  std::map<concept_id, double> scores;
  BREWERY_FIELDS(every_shape, number, code, named, scores)
};

/// Whose writer leaves two out if they are empty.
struct leaves_out {
  std::string first;
  std::string note{};
  std::uint32_t more = 0;
  std::string last;
  static constexpr bool omit_if_empty = true;
  static constexpr bool optional_field(std::string_view field) {
    return field == "note" || field == "more";
  }
  BREWERY_FIELDS(leaves_out, first, note, more, last)
};

struct maybe_count {
  std::optional<std::uint8_t> count;
  BREWERY_FIELDS(maybe_count, count)
};

/// maybe_count before there were optional members.
struct list_of_counts {
  std::vector<std::uint8_t> count;
  BREWERY_FIELDS(list_of_counts, count)
};

/// A job as bytes: `counts` values of each kind, in the order of the kinds.
std::string job_bytes(std::vector<int> counts) {
  writer out;
  out.map(1 + counts.size());
  out.text("id");
  out.text("j");
  for (std::size_t i = 0; i < counts.size(); ++i) {
    out.text(job_kind_names[i]);
    out.list(static_cast<std::size_t>(counts[i]));
    for (int n = 0; n < counts[i]; ++n)
      switch (static_cast<job_kind>(i)) {
      case job_kind::rollout:
        wire::detail::write(out, rollout_job{});
        break;
      case job_kind::integrate:
        wire::detail::write(out, integrate_job{});
        break;
      case job_kind::embed:
        wire::detail::write(out, embed_job{});
        break;
      case job_kind::grade:
        wire::detail::write(out, grade_job{});
        break;
      case job_kind::memory:
        wire::detail::write(out, memory_job{});
      }
  }
  return out.take();
}

template <class T>
std::string refusal(std::string_view bytes) {
  const auto decoded = decode<T>(bytes);
  if (decoded) return "accepted";
  CHECK(decoded.error().code == ec::malformed);
  CHECK(decoded.error().message.find('\n') == std::string::npos);
  return decoded.error().message;
}

} // namespace

TEST_CASE("every message comes back from its bytes, random values too") {
  const std::uint64_t seed = 20240612;
  INFO("seed " << seed);
  rng draw{rng_key(seed, "wire")};
  samples::for_each_message([&]<class T>() {
    for (int round = 0; round < 100; ++round) {
      T sent = samples::full<T>();
      if (round > 0) samples::randomize(sent, draw);
      INFO(T::type_name << " in round " << round);
      const auto bytes = encode(sent);
      const auto got = decode<T>(bytes);
      REQUIRE(got);
      CHECK(*got == sent);
      CHECK(encode(*got) == bytes);
    }
  });
}

TEST_CASE("an evaluation with rewards of other tasks is refused") {
  const auto short_of_one =
      encode(evaluation_record{"no KB", "test", {task_id{"a"}, {"b"}}, {{1}}});
  CHECK(refusal<evaluation_record>(short_of_one)
        == "evaluation_record: it has rewards of other tasks");
}

TEST_CASE("signed integers, enums and maps come back too") {
  every_shape sent;
  sent.number = std::numeric_limits<std::int32_t>::min();
  sent.code = ec::internal;
  sent.named = {{"", {0, -1, INT64_MIN, INT64_MAX}}, {"b", {}}};
  sent.scores = {{concept_id{0}, 0.5}, {concept_id{70'000}, -1}};
  const auto got = decode<every_shape>(encode(sent));
  REQUIRE(got);
  CHECK(*got == sent);
}

TEST_CASE("doubles keep their bits") {
  const auto back = [](double value) {
    return decode<grade_report>(encode(grade_report{value, {}}))->reward;
  };
  CHECK(std::signbit(back(-0.0)));
  CHECK(std::isnan(back(std::nan(""))));
  const auto infinity = std::numeric_limits<double>::infinity();
  const auto least = std::numeric_limits<double>::denorm_min();
  for (const double value : {1.0, 0.1, -3.0, 1e300, infinity, -infinity, least})
    CHECK(back(value) == value);
  const auto one = encode(grade_report{1.0, {}});
  CHECK(one.find(std::string{"\xcb\x3f\xf0\0\0\0\0\0\0", 9}) != one.npos);
}

TEST_CASE("text that is not UTF-8 comes back byte for byte") {
  const std::string broken{"\xff\xfe\0\x80 caf\xc3", 8};
  CHECK(decode<two_fields>(encode(two_fields{broken, 1}))->name == broken);
}

TEST_CASE("an unknown field is ignored") {
  const three_fields newer{"n", {{"check", true}}, 7};
  const auto got = decode<two_fields>(encode(newer));
  REQUIRE(got);
  CHECK(*got == two_fields{"n", 7});
}

TEST_CASE("the order of fields does not matter") {
  writer out;
  out.map(2);
  out.text("count");
  out.unsigned_integer(3);
  out.text("name");
  out.text("x");
  CHECK(*decode<two_fields>(out.take()) == two_fields{"x", 3});
}

TEST_CASE("what is left out may be, whatever else is there") {
  using field_list = std::vector<std::string>; // "more" is 7, others are texts
  const auto sent = [](const field_list& names) {
    writer out;
    out.map(names.size());
    for (const auto& name : names) {
      out.text(name);
      if (name == "more")
        out.unsigned_integer(7);
      else
        out.text("of " + name);
    }
    return out.take();
  };
  const leaves_out least{"of first", "", 0, "of last"};
  auto noted = least, more = least;
  noted.note = "of note";
  more.more = 7;
  for (const auto& [names, expected] :
       std::vector<std::pair<field_list, leaves_out>>{
           {{"first", "last"}, least},
           {{"last", "first"}, least},
           {{"first", "note", "last"}, noted},
           {{"note", "first", "last"}, noted},
           {{"first", "more", "last"}, more},
           {{"first", "last", "more"}, more},
           {{"first", "unknown", "last"}, least},
           {{"unknown", "first", "last"}, least},
           {{"first", "more", "last", "unknown"}, more},
           {{"first", "unknown", "more", "last"}, more}}) {
    INFO(brewery::join(names, " "));
    const auto got = decode<leaves_out>(sent(names));
    REQUIRE(got);
    CHECK(*got == expected);
  }
  for (const field_list& names : {field_list{"first", "last", "last"},
                                  {"first", "last", "first"},
                                  {"first", "more", "more", "last"},
                                  {"first", "last", "unknown", "unknown"}}) {
    INFO(brewery::join(names, " "));
    CHECK_THAT(refusal<leaves_out>(sent(names)),
               Catch::EndsWith("is given twice"));
  }
  CHECK(refusal<leaves_out>(sent({"first", "note"}))
        == "leaves_out: field 'last' of leaves_out is missing");
  CHECK(refusal<leaves_out>(sent({"last"}))
        == "leaves_out: field 'first' of leaves_out is missing");
}

TEST_CASE("a missing field is refused with the struct and its name") {
  CHECK(refusal<three_fields>(encode(two_fields{"n", 7}))
        == "three_fields: field 'extra' of three_fields is missing");
  writer out;
  out.map(0);
  CHECK(refusal<two_fields>(out.take())
        == "two_fields: field 'name' of two_fields is missing");
}

TEST_CASE("a fault deep inside is refused with the path to it") {
  writer out;
  out.map(3);
  out.text("name");
  out.text("n");
  out.text("count");
  out.unsigned_integer(1);
  out.text("extra");
  out.list(2);
  out.map(2);
  out.text("name");
  out.text("first");
  out.text("met");
  out.boolean(true);
  out.map(2);
  out.text("name");
  out.text("second");
  out.text("met");
  out.unsigned_integer(1);
  CHECK(refusal<three_fields>(out.take())
        == "three_fields.extra[1].met: expected true or false, found the "
           "integer 1");
}

TEST_CASE("a value of the wrong type is refused with its name") {
  const auto with_count = [](auto put) {
    writer out;
    out.map(2);
    out.text("name");
    out.text("x");
    out.text("count");
    put(out);
    return refusal<two_fields>(out.take());
  };
  const std::string expected =
      "two_fields.count: expected an integer from 0 to 255, found ";
  CHECK(with_count([](writer& out) { out.text("3"); })
        == expected + "a text of 1 bytes");
  CHECK(with_count([](writer& out) { out.boolean(false); })
        == expected + "false");
  CHECK(with_count([](writer& out) { out.real(3); })
        == expected + "the number 3");
  CHECK(with_count([](writer& out) { out.list(0); })
        == expected + "a list of 0");
  CHECK(with_count([](writer& out) { out.map(0); }) == expected + "a map of 0");
  CHECK(with_count([](writer& out) { out.unsigned_integer(256); })
        == expected + "the integer 256");
  CHECK(with_count([](writer& out) { out.signed_integer(-1); })
        == expected + "the integer -1");
  CHECK(with_count([](writer& out) { out.unsigned_integer(255); })
        == "accepted");
}

TEST_CASE("each other shape is refused in place of every field") {
  // Replaces the value of one field after another by nil, which no field takes.
  samples::for_each_message([&]<class T>() {
    const auto sent = samples::full<T>();
    T::each(sent, [&](auto... fields) {
      const auto refuse_without = [&](std::string_view broken) {
        writer out;
        out.map(sizeof...(fields));
        std::string bytes = out.take();
        const auto append = [&](const auto& member) {
          writer part;
          part.text(member.name);
          if (member.name != broken) wire::detail::write(part, member.value);
          bytes += part.take();
          if (member.name == broken) bytes += '\xc0';
        };
        (append(fields), ...);
        const auto message = refusal<T>(bytes);
        INFO(message);
        CHECK(message.find(std::string{T::type_name} + "." + std::string{broken}
                           + ": expected ")
              == 0);
      };
      (refuse_without(fields.name), ...);
    });
  });
}

TEST_CASE("an optional value is a list of at most one") {
  CHECK(encode(maybe_count{}) == encode(list_of_counts{}));
  CHECK(encode(maybe_count{3}) == encode(list_of_counts{{3}}));
  CHECK(decode<maybe_count>(encode(list_of_counts{{3}}))->count == 3);
  CHECK_FALSE(decode<maybe_count>(encode(list_of_counts{}))->count);
  CHECK(refusal<maybe_count>(encode(list_of_counts{{3, 4}}))
        == "maybe_count.count: expected a list of at most one, found a list of "
           "2");
}

TEST_CASE("a job is of one kind, a result of one or none") {
  for (std::size_t i = 0; i < job_kind_count; ++i) {
    std::vector<int> counts(job_kind_count);
    counts[i] = 1;
    const auto got = decode<job>(job_bytes(counts));
    REQUIRE(got);
    CHECK(kind_of(*got) == static_cast<job_kind>(i));
  }
  CHECK(kind_of(*decode<job>(job_bytes({0, 1, 0}))) == job_kind::integrate);
  CHECK(refusal<job>(job_bytes({0, 0, 0, 0, 0})) == "job: holds no value");
  CHECK(refusal<job>(job_bytes({0, 0, 0})) == "job: holds no value");
  CHECK(refusal<job>(job_bytes({1, 0, 1}))
        == "job: holds 2 values where there can be one");
  CHECK(refusal<job>(job_bytes({1, 1, 1, 1}))
        == "job: holds 4 values where there can be one");
  CHECK(refusal<job>(job_bytes({0, 2, 0}))
        == "job.integrate: expected a list of at most one, found a list of 2");
  CHECK(decode<job_result>(encode(job_result{{"j"}, "why", {}})));
}

TEST_CASE("every kind of job has a name that leads back to it") {
  for (const auto* name : job_kind_names)
    CHECK(to_string(parse_job_kind(name).value()) == name);
  CHECK_FALSE(parse_job_kind("dance"));
}

TEST_CASE("an enum out of range is refused, not stored") {
  rollout_result sent;
  sent.outcome = static_cast<rollout_outcome>(3);
  CHECK(
      refusal<rollout_result>(encode(sent))
      == "rollout_result.outcome: expected rollout_outcome, an integer from 0 "
         "to 2, found the integer 3");
  every_shape code;
  code.code = static_cast<ec>(21);
  CHECK(refusal<every_shape>(encode(code))
        == "every_shape.code: expected ec, an integer from 0 to 20, found the "
           "integer 21");
}

TEST_CASE("a field given twice is refused, known or not") {
  const auto twice = [](std::string_view name) {
    writer out;
    out.map(4);
    out.text("name");
    out.text("a");
    out.text("count");
    out.unsigned_integer(1);
    out.text(name);
    out.unsigned_integer(1);
    out.text(name);
    out.unsigned_integer(1);
    return refusal<two_fields>(out.take());
  };
  CHECK(twice("count") == "two_fields: field 'count' is given twice");
  CHECK(twice("new\nline") == "two_fields: field 'new?line' is given twice");
  writer keys;
  keys.map(4);
  keys.text("number");
  keys.signed_integer(0);
  keys.text("code");
  keys.unsigned_integer(0);
  keys.text("named");
  keys.map(0);
  keys.text("scores");
  keys.map(2);
  for (int i = 0; i < 2; ++i) {
    keys.unsigned_integer(5);
    keys.real(1);
  }
  CHECK(refusal<every_shape>(keys.take())
        == "every_shape.scores[1]: a key is given twice");
}

TEST_CASE("bytes after the end are refused") {
  const auto bytes = encode(two_fields{"n", 7});
  CHECK(refusal<two_fields>(bytes + '\0').find("1 bytes follow its end")
        != std::string::npos);
  CHECK(refusal<two_fields>(bytes + bytes).find("follow its end")
        != std::string::npos);
}

TEST_CASE("a message that is not a map is refused") {
  writer out;
  out.list(1);
  out.text("name");
  CHECK(refusal<two_fields>(out.take())
        == "two_fields: expected a map: two_fields, found a list of 1");
  writer numbered;
  numbered.map(1);
  numbered.unsigned_integer(1);
  numbered.unsigned_integer(1);
  CHECK(refusal<two_fields>(numbered.take())
        == "two_fields: expected field names, found the integer 1");
}

TEST_CASE("what is decoded briefly lacks the trajectory, and nothing else") {
  auto full = samples::full<rollout_result>();
  const auto got = wire::decode_brief<rollout_result>(encode(full));
  REQUIRE(got);
  full.steps.clear();
  full.retrievals.clear();
  full.answers.clear();
  CHECK(*got == full);
  const auto step = samples::full<trajectory_step>();
  CHECK(*wire::decode_brief<trajectory_step>(encode(step)) == step);
}

TEST_CASE("what is decoded briefly is checked as if it were kept") {
  const auto whole = encode(samples::full<rollout_result>());
  std::size_t refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char byte : {'\xc0', '\x01', '\x91', '\xa1'}) {
      auto bytes = whole;
      bytes[at] = byte;
      const auto brief = wire::decode_brief<rollout_result>(bytes);
      const auto kept = decode<rollout_result>(bytes);
      REQUIRE(brief.has_value() == kept.has_value());
      if (kept) continue;
      ++refused;
      CHECK(brief.error().message == kept.error().message);
    }
  CHECK(refused > 500);
}
