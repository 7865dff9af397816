#include "web/export/answer_files.hpp"

#include "web/paging.hpp"

#include <fmt/format.h>

#include <fstream>

namespace brewery::web {

std::string answer_key::text() const {
  std::string out;
  for (const auto& part : parts)
    out += (out.empty() ? "" : "\n") + part;
  for (const auto& [name, value] : query)
    out += fmt::format("{}{}={}", &name == &query.front().first ? '?' : '\n',
                       name, value);
  return out + fmt::format("#{}", offset);
}

std::uint32_t part_hash(std::string_view text) {
  constexpr std::uint32_t basis = 2166136261U, prime = 16777619U;
  auto out = basis;
  for (const char c : text) {
    out ^= static_cast<unsigned char>(c);
    out *= prime;
  }
  return out;
}

result<void> answer_files::add(const answer_key& key, const json& answer) {
  constexpr std::size_t waiting_max = std::size_t{16} * 1024;
  const auto name = key.text();
  const auto part = part_hash(name) % waiting_.size();
  // As text, so that no name in it means anything to a script.
  const auto line = fmt::format("brewery_answer({}, {});\n", to_text(name),
                                to_text(to_text(answer)));
  bytes_ += line.size();
  waiting_[part] += line;
  return waiting_[part].size() > waiting_max ? write(part) : result<void>{};
}

result<void> answer_files::write(std::size_t part) {
  const auto file = directory_ / fmt::format("{}.js", part);
  std::ofstream out{file, std::ios::app | std::ios::binary};
  out << waiting_[part];
  out.close();
  if (!out)
    return error{ec::io, fmt::format("cannot write {}: is the disk full?",
                                     file.string())};
  waiting_[part] = {};
  return {};
}

result<void> answer_files::end() {
  // Also those without an answer: the page asks for a part before it knows.
  for (std::size_t part = 0; part < waiting_.size(); ++part)
    if (auto ok = write(part); !ok) return ok;
  return {};
}

} // namespace brewery::web
