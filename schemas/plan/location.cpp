// Lines and columns, counted only when a message needs them.
#include "schemas/plan/location.hpp"

#include <algorithm>

namespace lbann {

std::string location(std::vector<Source> const& sources, Span span) {
  if (!span.known() || span.file >= sources.size()) return {};
  auto const& source = written_source(sources, span.file);
  auto const before = std::string_view(source.text)
                          .substr(0, std::min<std::size_t>(span.begin, source.text.size()));
  auto const line = 1 + std::count(before.begin(), before.end(), '\n');
  auto const newline = before.rfind('\n');
  auto const in_line = newline == std::string_view::npos ? before : before.substr(newline + 1);
  auto const continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  auto const column = 1 + static_cast<std::ptrdiff_t>(in_line.size()) -
                      std::count_if(in_line.begin(), in_line.end(), continues);
  return source.name + ':' + std::to_string(line) + ':' + std::to_string(column);
}

std::string located(std::vector<Source> const& sources, Span span, std::string message) {
  auto const place = location(sources, span);
  if (place.empty()) return message;
  message = place + ": " + message;
  // Which time a text was meant that stands for several layers: innermost first.
  constexpr int most_causes = 4;
  for (int i = 0; i < most_causes && span.known() && span.file < sources.size(); ++i) {
    auto const& source = sources[span.file];
    if (source.copy_of == Span::no_file) break;
    message += "\n  " + source.words + " at " + location(sources, source.cause);
    span = source.cause;
  }
  return message;
}

}  // namespace lbann
