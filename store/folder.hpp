#pragma once
/// A knowledge base as a folder of files for people and other tools:
///
///   kb/00-mobile-data.md     front matter + the document
///   kb/01-roaming.md
///   kb/manifest.json         where every line comes from
///
/// Equal content gives equal bytes, whatever the folder contained before.

#include "kb/knowledge_base.hpp"
#include "kb/manifest.hpp"

#include <filesystem>

namespace brewery {

/// The content of a folder. `warnings` are messages for the user: the content
/// is usable but differs from the manifest.
struct kb_folder {
  knowledge_base kb;
  manifest about; ///< without documents if manifest.json is missing
  std::vector<std::string> warnings;
};

/// Replaces `dir` as a whole (see store/files.hpp). `about.documents` supplies
/// the facts by concept; file, title and hash come from `kb`. A document
/// without facts gets zeros. Facts without a document are dropped. Returns the
/// manifest as written.
result<manifest> write_knowledge_base(const std::filesystem::path& dir,
                                      const knowledge_base& kb, manifest about);

/// Reads a folder. With manifest.json, it reads the documents that the manifest
/// names. A missing document and a malformed or newer manifest are errors. A
/// document with another hash was edited by hand: it is used as it is, with a
/// warning. Without manifest.json, it reads every *.md file in name order
/// (except README.md), or every */SKILL.md. Titles come from the front matter,
/// else the heading, else the file name.
result<kb_folder> read_knowledge_base(const std::filesystem::path& dir);

/// "01-no-mobile-data.md": at least two digits, then the slug of the title.
std::string document_file_name(concept_id concept_ref, std::string_view title);

/// Lower-case ASCII letters and digits with single hyphens, at most
/// `length_max` bytes; Latin letters lose their marks. "concept" if no
/// character is left.
std::string slug(std::string_view title, std::size_t length_max = 48);

/// The bytes of a document's file: front matter, then the body.
std::string document_file_text(const manifest_document& about,
                               std::string_view body);

} // namespace brewery
