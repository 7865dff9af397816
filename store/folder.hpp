#pragma once
/// A knowledge base as a folder for people and other tools:
///
///   kb/00-mobile-data.md     front matter + the document
///   kb/01-roaming.md
///   kb/manifest.json         where every line comes from
///
/// Equal content gives equal bytes, whatever was in the folder before.

#include "kb/knowledge_base.hpp"
#include "kb/manifest.hpp"

#include <filesystem>

namespace brewery {

/// What a folder holds. `warnings` are lines for the user: the content is
/// usable, but not quite what the manifest says.
struct kb_folder {
  knowledge_base kb;
  manifest about; ///< no documents when there is no manifest.json
  std::vector<std::string> warnings;
};

/// Replaces `dir` as a whole (see store/files.hpp). `about.documents` gives the
/// facts by concept; file, title and hash are filled in from `kb`, a document
/// without facts gets zeros, facts without a document are left out. Returns the
/// manifest as written.
result<manifest> write_knowledge_base(const std::filesystem::path& dir,
                                      const knowledge_base& kb, manifest about);

/// With manifest.json: the documents it names. A missing document, a malformed
/// or newer manifest is an error; a document whose hash differs was edited by
/// hand: it is used as it is now, with a warning. Without: every *.md file in
/// name order (README.md is left out), or every */SKILL.md; the title is the
/// front matter's, else the heading's, else the file's name.
result<kb_folder> read_knowledge_base(const std::filesystem::path& dir);

/// "01-no-mobile-data.md": at least two digits, then the slug of the title.
std::string document_file_name(concept_id concept_ref, std::string_view title);

/// Lower-case ASCII letters and digits with single hyphens, at most
/// `length_max` bytes; "concept" when nothing is left.
std::string slug(std::string_view title, std::size_t length_max = 48);

/// The file's bytes: front matter, then the body.
std::string document_file_text(const manifest_document& about,
                               std::string_view body);

} // namespace brewery
