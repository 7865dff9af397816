#pragma once
/// Text as roff, with the macros of man(7).

#include <string>

namespace brewery::roff {

/// As it is: nothing in it is taken for a command. Words in `backticks` are
/// bold.
std::string prose(const std::string& text);

/// The same in bold or italics.
std::string bold(const std::string& text);
std::string italic(const std::string& text);

/// `.TH`, with an empty date.
std::string title(const std::string& name, int section);
std::string heading(const std::string& text);
std::string subheading(const std::string& text);

/// A term and what it means, both of them roff already.
std::string item(const std::string& term, const std::string& meaning);

/// Paragraphs as in `--help`: lines that begin with spaces stay lines, others
/// are filled.
std::string paragraphs(const std::string& text);

} // namespace brewery::roff
