#include "store/folder.hpp"

#include "base/file.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "kb/front_matter.hpp"
#include "store/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace brewery {

namespace fs = std::filesystem;

namespace {

constexpr const char* manifest_name = "manifest.json";

std::shared_ptr<const document> share(std::string body) {
  return std::make_shared<const document>(make_document(std::move(body)));
}

result<front_matter> read_document_file(const fs::path& file) {
  auto text = read_text_file(file);
  if (!text) return text.error();
  return parse_front_matter(*text, file.string());
}

/// True if a name from a manifest stays inside the folder.
bool plain_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".."
         && name.find('/') == std::string_view::npos
         && name.find('\0') == std::string_view::npos;
}

/// Sorted names of the files with this ending; directory order is arbitrary.
std::vector<std::string> names_in(const fs::path& dir,
                                  std::string_view extension) {
  std::vector<std::string> out;
  std::error_code code;
  for (fs::directory_iterator it{dir, code}, end; !code && it != end;
       it.increment(code))
    if (it->path().extension() == extension)
      out.push_back(it->path().filename().string());
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> skill_names_in(const fs::path& dir) {
  std::vector<std::string> out;
  std::error_code code;
  for (fs::directory_iterator it{dir, code}, end; !code && it != end;
       it.increment(code)) {
    std::error_code ignored;
    if (fs::is_regular_file(it->path() / "SKILL.md", ignored))
      out.push_back(it->path().filename().string() + "/SKILL.md");
  }
  std::sort(out.begin(), out.end());
  return out;
}

result<kb_folder> read_with_manifest(const fs::path& dir, manifest about) {
  kb_folder out;
  std::vector<kb_entry> entries;
  std::set<std::string> named;
  const std::string source = (dir / manifest_name).string();
  for (std::size_t i = 0; i < about.documents.size(); ++i) {
    const auto& doc = about.documents[i];
    if (!plain_name(doc.file))
      return error{ec::malformed,
                   fmt::format("{}: documents[{}].file is '{}'; it must be the "
                               "name of a file in the same folder",
                               source, i, doc.file)};
    const fs::path file = dir / doc.file;
    auto content = read_document_file(file);
    if (!content && content.error().code == ec::not_found)
      return error{ec::not_found,
                   fmt::format("{}: the document of concept {} is missing; {} "
                               "names it",
                               file.string(), doc.concept_ref.value, source)};
    if (!content) return content.error();
    auto body = share(std::move(content->body));
    if (body->hash != doc.hash)
      out.warnings.push_back(
          fmt::format("{}: edited by hand since it was written (content {}, "
                      "manifest {}); its reward and evidence may not fit",
                      file.string(), body->hash.value, doc.hash.value));
    named.insert(doc.file);
    entries.push_back({doc.concept_ref, doc.title, std::move(body)});
  }
  for (const auto& name : names_in(dir, ".md"))
    if (named.count(name) == 0)
      out.warnings.push_back(fmt::format("{}: not in {}, so it is ignored",
                                         (dir / name).string(), source));
  auto made = knowledge_base::make(std::move(entries));
  if (!made)
    return error{ec::malformed,
                 fmt::format("{}: {}", source, made.error().message)};
  out.kb = *std::move(made);
  out.about = std::move(about);
  return out;
}

/// Concept numbers from the front matter if every file has a distinct one;
/// otherwise positions.
std::vector<concept_id> numbers_of(const std::vector<front_matter>& files) {
  std::vector<concept_id> out;
  std::set<concept_id> distinct;
  for (const auto& file : files) {
    const auto number =
        whole_number<std::uint32_t>(file.find("concept").value_or(""));
    if (!number) break;
    out.push_back({*number});
    distinct.insert(out.back());
  }
  if (out.size() == files.size() && distinct.size() == files.size()) return out;
  out.clear();
  for (std::uint32_t i = 0; i < files.size(); ++i)
    out.push_back({i});
  return out;
}

std::string title_of(const front_matter& file, const std::string& name) {
  for (const char* key : {"title", "name"})
    if (auto title = file.find(key); title && !title->empty()) return *title;
  auto heading = heading_of(file.body);
  return heading.empty() ? fs::path{name}.stem().string() : heading;
}

result<kb_folder> read_plain(const fs::path& dir) {
  std::error_code failed;
  if (const fs::directory_iterator listed{dir, failed}; failed)
    return file_error(failed.value(), "list", dir);
  kb_folder out;
  auto names = names_in(dir, ".md");
  if (std::erase(names, "README.md") > 0)
    out.warnings.push_back(fmt::format("{}: not read as a document",
                                       (dir / "README.md").string()));
  if (names.empty()) names = skill_names_in(dir);
  if (names.empty())
    return error{ec::not_found,
                 fmt::format("{}: no manifest.json and no .md file in it",
                             dir.string())};
  std::vector<front_matter> files;
  for (const auto& name : names) {
    auto content = read_document_file(dir / name);
    if (!content) return content.error();
    files.push_back(*std::move(content));
  }
  const auto numbers = numbers_of(files);
  std::vector<kb_entry> entries;
  for (std::size_t i = 0; i < files.size(); ++i)
    entries.push_back({numbers[i], title_of(files[i], names[i]),
                       share(std::move(files[i].body))});
  auto made = knowledge_base::make(std::move(entries));
  if (!made) return made.error();
  out.kb = *std::move(made);
  return out;
}

} // namespace

std::string slug(std::string_view title, std::size_t length_max) {
  std::string out;
  for (const char c : plain_letters(title)) {
    const bool keep = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (keep)
      out += c;
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  if (out.size() > length_max) out.resize(length_max);
  while (out.ends_with('-'))
    out.pop_back();
  return out.empty() ? "concept" : out;
}

std::string document_file_name(concept_id concept_ref, std::string_view title) {
  return fmt::format("{:02}-{}.md", concept_ref.value, slug(title));
}

std::string document_file_text(const manifest_document& about,
                               std::string_view body) {
  return fmt::format("---\n"
                     "concept: {}\n"
                     "title: {}\n"
                     "version: {}\n"
                     "parent: {}\n"
                     "reward: {}\n"
                     "correctness: {}\n"
                     "retrieval: {}\n"
                     "evidence: {}\n"
                     "---\n"
                     "{}",
                     about.concept_ref.value, yaml_quoted(about.title),
                     yaml_quoted(about.hash.value),
                     yaml_quoted(about.parent.value), about.reward,
                     about.correctness, about.retrieval, about.evidence_count(),
                     body);
}

result<manifest> write_knowledge_base(const fs::path& dir,
                                      const knowledge_base& kb,
                                      manifest about) {
  std::vector<manifest_document> documents;
  std::vector<named_file> files;
  for (const auto& entry : kb.entries()) {
    const auto* known = about.find(entry.concept_ref);
    manifest_document doc = known == nullptr ? manifest_document{} : *known;
    doc.concept_ref = entry.concept_ref;
    doc.title = entry.title;
    doc.file = document_file_name(entry.concept_ref, entry.title);
    doc.hash = entry.doc->hash;
    files.push_back({doc.file, document_file_text(doc, entry.doc->body)});
    documents.push_back(std::move(doc));
  }
  about.documents = std::move(documents);
  about.format = manifest_format;
  files.push_back({manifest_name, to_json_text(about)});
  if (auto ok = replace_folder(dir, files, manifest_name); !ok)
    return ok.error();
  return about;
}

result<kb_folder> read_knowledge_base(const fs::path& dir) {
  std::error_code code;
  if (!fs::is_directory(dir, code))
    return error{ec::not_found,
                 fmt::format("{}: no such folder", dir.string())};
  const fs::path file = dir / manifest_name;
  const bool has_manifest = fs::exists(file, code);
  // Not to be told from a folder without files otherwise.
  if (code) return file_error(code.value(), "read", dir);
  if (!has_manifest) return read_plain(dir);
  auto text = read_text_file(file, std::size_t{1} << 30);
  if (!text) return text.error();
  auto about = parse_manifest(*text, file.string());
  if (!about) return about.error();
  return read_with_manifest(dir, *std::move(about));
}

} // namespace brewery
