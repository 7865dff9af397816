#include "roles/desktop/agents/desktop_notes.hpp"

#include "roles/model/token_estimate.hpp"

namespace brewery::desktop {

std::vector<std::string> within_tokens(const std::vector<std::string>& texts,
                                       std::uint32_t tokens) {
  std::vector<std::string> out;
  std::size_t left = bytes_per_token * std::size_t{tokens};
  for (const auto& text : texts) {
    if (text.size() <= left) {
      left -= text.size();
      out.push_back(text);
      continue;
    }
    const auto end = text.rfind('\n', left);
    if (left > 0 && end != text.npos && end > 0)
      out.push_back(text.substr(0, end));
    break;
  }
  return out;
}

result<std::vector<std::string>> find_notes(const task_info& task,
                                            retrieval_session& retrieval,
                                            std::uint32_t tokens) {
  const auto found = retrieval.retrieve(task.instruction, 0);
  if (!found) return found.error();
  std::vector<std::string> texts;
  for (const auto* doc : *found)
    texts.push_back(doc->body);
  return within_tokens(texts, tokens);
}

} // namespace brewery::desktop
