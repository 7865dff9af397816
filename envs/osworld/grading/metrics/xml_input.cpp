#include "envs/osworld/grading/metrics/xml_input.hpp"

#include "envs/osworld/grading/python/py_text.hpp"

namespace brewery::osworld {

result<xml_nodes> nodes_of(const graded_value& value) {
  std::string text;
  if (value.is == graded_value::form::data && value.data.is_string())
    text = value.data.get<std::string>();
  else if (value.is == graded_value::form::file && value.files.front())
    text = *value.files.front();
  else
    return raises("there is no XML");
  if (auto readable = py_read_text(text); !readable) return readable.error();
  auto read = read_xml(text);
  if (!read) return raises(read.error().message);
  return read;
}

std::vector<std::size_t> selected(const xml_nodes& all, std::string_view xpath,
                                  const xml_prefixes& prefixes) {
  const auto selector = xml_selector::from_xpath(xpath, prefixes);
  return selector ? selector->select(all) : std::vector<std::size_t>{};
}

const xml_node* first_below(const xml_nodes& all, std::size_t index,
                            std::string_view tag, bool children_only) {
  const auto depth = all[index].depth;
  for (auto i = index + 1; i < all.size() && all[i].depth > depth; ++i)
    if (all[i].tag == tag && (!children_only || all[i].depth == depth + 1))
      return &all[i];
  return nullptr;
}

} // namespace brewery::osworld
