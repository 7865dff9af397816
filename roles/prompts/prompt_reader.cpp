#include "roles/prompts/prompt_reader.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

/// "system" of `<!-- system -->`. A comment with more than one word is a
/// remark.
std::optional<std::string_view> section_name(std::string_view line) {
  line = trim(line);
  if (!line.starts_with("<!--") || !line.ends_with("-->") || line.size() < 7)
    return std::nullopt;
  const auto inside = trim(line.substr(4, line.size() - 7));
  if (inside.empty() || inside.find(' ') != std::string_view::npos)
    return std::nullopt;
  return inside;
}

std::string slot_names(const prompt_spec& spec) {
  std::vector<std::string> names;
  for (const auto& slot : spec.slots)
    names.push_back("{{" + slot.name + "}}");
  return names.empty() ? "it has none" : "it has " + join(names, ", ");
}

} // namespace

void prompt::reader::fail(std::string what) {
  if (!failure_) failure_ = fmt::format("{}:{}: {}", file_, line_, what);
}

result<prompt> prompt::reader::read(std::string_view text) {
  for (const auto& slot : spec_.slots)
    made_.slots_.emplace(slot.name, slot.kind);
  // A final line feed ends a line and starts no new one.
  if (text.ends_with('\n')) text.remove_suffix(1);
  for (const auto line : split(text, '\n')) {
    ++line_;
    read_line(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line);
  }
  check_complete();
  if (failure_) return error{ec::malformed, *failure_};
  hash_input in;
  for (const auto* part : {&made_.system_, &made_.user_}) {
    in.add(std::uint64_t{part->size()});
    for (const auto& item : *part)
      in.add(static_cast<std::uint64_t>(item.what)).add(item.text);
  }
  made_.hash_ = in.content();
  return std::move(made_);
}

void prompt::reader::read_line(std::string_view line) {
  if (const auto name = section_name(line)) return begin_section(*name);
  if (part_ == nullptr) return; // a remark
  const auto bare = trim(line);
  const bool marks = bare.starts_with("{{#") || bare.starts_with("{{/");
  if (marks && bare.ends_with("}}") && bare.find("}}") == bare.size() - 2)
    return mark_block(bare.substr(2, bare.size() - 4));
  read_slots(line);
}

void prompt::reader::begin_section(std::string_view name) {
  if (!block_.empty())
    fail("the block {{#" + block_ + "}} is not ended before the next section");
  if (name == "system")
    part_ = &made_.system_;
  else if (name == "user")
    part_ = &made_.user_;
  else
    fail(fmt::format("unknown section {}; there are <!-- system --> and "
                     "<!-- user -->",
                     json_quoted(name)));
  if (!sections_.emplace(name).second)
    fail(fmt::format("a second section '{}'", name));
}

bool prompt::reader::known(std::string_view slot) {
  if (made_.slots_.contains(std::string{slot})) return true;
  std::vector<std::string> names;
  for (const auto& [name, kind] : made_.slots_)
    names.push_back(name);
  const auto near = nearest(slot, names);
  fail(fmt::format("unknown slot {} of prompt '{}'; {}{}", json_quoted(slot),
                   spec_.name, slot_names(spec_),
                   near.empty() ? "" : "; did you mean '" + near + "'?"));
  return false;
}

void prompt::reader::mark_block(std::string_view tag) {
  const bool opens = tag.front() == '#';
  const std::string slot{trim(tag.substr(1))};
  if (!known(slot)) return;
  if (opens && !block_.empty())
    return fail("a block inside the block {{#" + block_ + "}}");
  if (!opens && block_ != slot)
    return fail("{{/" + slot + "}} without its {{#" + slot + "}}");
  block_ = opens ? slot : "";
  asked_.insert(slot);
  part_->push_back({opens ? piece_kind::open : piece_kind::close, slot});
}

void prompt::reader::read_slots(std::string_view line) {
  bool alone = trim(line).starts_with("{{");
  for (;;) {
    const auto open = line.find("{{");
    add_words(line.substr(0, open));
    if (open == std::string_view::npos) break;
    const auto close = line.find("}}", open);
    if (close == std::string_view::npos)
      return fail("\"{{\" without \"}}\" on the same line");
    const std::string name{trim(line.substr(open + 2, close - open - 2))};
    line.remove_prefix(close + 2);
    add_slot(name, alone && trim(line).empty());
    alone = false;
  }
  add_words("\n");
}

void prompt::reader::add_slot(const std::string& name, bool alone) {
  if (!known(name)) return;
  const auto kind = made_.slots_.at(name);
  if (kind == slot_kind::flag)
    return fail("the slot '" + name + "' has no text; it is for {{#" + name
                + "}}");
  if ((kind == slot_kind::data || kind == slot_kind::given) && !alone)
    return fail("the slot '" + name
                + "' shows text from outside and has to be alone on its line");
  shown_.insert(name);
  part_->push_back({piece_kind::slot, name});
}

void prompt::reader::add_words(std::string_view text) {
  if (!part_->empty() && part_->back().what == piece_kind::words)
    part_->back().text += text;
  else
    part_->push_back({piece_kind::words, std::string{text}});
}

void prompt::reader::check_complete() {
  if (!block_.empty()) fail("the block {{#" + block_ + "}} is not ended");
  if (sections_.empty())
    fail("no section; one begins with the line <!-- system --> or "
         "<!-- user -->");
  for (const auto& slot : spec_.slots) {
    const auto& used = slot.kind == slot_kind::flag ? asked_ : shown_;
    if (!used.contains(slot.name))
      fail(fmt::format("the prompt '{}' does not use its slot '{}'", spec_.name,
                       slot.name));
  }
  const auto is_empty = [](const section& part) {
    for (const auto& item : part)
      if (item.what != piece_kind::words || !trim(item.text).empty())
        return false;
    return true;
  };
  for (const auto& name : sections_)
    if (is_empty(name == "user" ? made_.user_ : made_.system_))
      fail("the section '" + name + "' is empty");
}

} // namespace brewery
