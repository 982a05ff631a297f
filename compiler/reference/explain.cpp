// Pages of diagnostics, for `--explain` and docs/reference.
#include "compiler/reference/explain.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "schemas/diagnostics/examples.hpp"

namespace lbann::compiler {

namespace {

constexpr std::array<std::string_view, 6> found_while = {
    "taking the command line apart", "reading the text",
    "reading the experiment",        "connecting layers",
    "working out the model",         "writing the plan"};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    auto const end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// An example may hold bytes that no page can: they are shown as dots.
std::string printable(std::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size();) {
    auto const byte = static_cast<unsigned char>(text[i]);
    std::size_t const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    bool whole = byte < 0x80 || (byte >= 0xc2 && byte < 0xf5 && i + length <= text.size());
    for (std::size_t k = 1; whole && k < length; ++k)
      whole = (static_cast<unsigned char>(text[i + k]) & 0xc0) == 0x80;
    bool const control = byte == 0x7f || (byte < 0x20 && byte != '\n' && byte != '\t');
    if (whole && !control)
      shown.append(text, i, length);
    else
      shown += '.';
    i += whole ? length : 1;
  }
  return shown;
}

std::string block(std::string_view language, std::string text) {
  if (!text.empty() && text.back() != '\n') text += '\n';
  return "```" + std::string(language) + "\n" + text + "```\n";
}

std::string_view language_of(std::string_view file) {
  auto const extension = file.substr(std::min(file.rfind('.'), file.size() - 1) + 1);
  return extension == "prototext" ? std::string_view("textproto") : extension;
}

std::string example_text(DiagnosticExample const& example) {
  auto text = "\n" + block(language_of(example.file), printable(example.experiment)) + "\n";
  std::string command = "lbann-compile " + std::string(example.file);
  for (auto const line : lines_of(example.arguments)) command += " " + std::string(line);
  text += block("text", command + "\n\n" + printable(example.expected));
  if (!example.repair.empty())
    return text + "\nInstead:\n\n" +
           block("diff", printable(line_changes(example.experiment, example.repair)));
  command = "lbann-compile " + std::string(example.file);
  for (auto const line : lines_of(example.repair_arguments)) command += " " + std::string(line);
  return text + "\nInstead:\n\n" + block("text", command);
}

}  // namespace

std::string line_changes(std::string_view before, std::string_view after) {
  auto const a = lines_of(before), b = lines_of(after);
  // Lengths of the longest common subsequence of what remains of both.
  std::vector<std::vector<std::size_t>> common(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1));
  for (auto i = a.size(); i-- > 0;)
    for (auto j = b.size(); j-- > 0;)
      common[i][j] =
          a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  std::vector<std::pair<char, std::string_view>> changes;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j])
      changes.emplace_back(' ', a[i++]), ++j;
    else if (i < a.size() && (j == b.size() || common[i + 1][j] >= common[i][j + 1]))
      changes.emplace_back('-', a[i++]);
    else
      changes.emplace_back('+', b[j++]);
  }
  std::string text;
  for (std::size_t k = 0; k < changes.size(); ++k) {
    bool const near = (k > 0 && changes[k - 1].first != ' ') ||
                      (k + 1 < changes.size() && changes[k + 1].first != ' ');
    if (changes[k].first == ' ' && !near) continue;
    text += changes[k].first;
    text += " " + std::string(changes[k].second) + "\n";
  }
  return text;
}

std::string explain(DiagnosticInfo const& info) {
  auto text = "## " + std::string(info.code) + "\n\n" +
              std::string(severity_names[static_cast<std::size_t>(info.severity)]) +
              ", found while " + std::string(found_while[static_cast<std::size_t>(info.stage)]) +
              ": " + std::string(info.message) + "\n";
  if (!info.help.empty()) text += "\n" + std::string(info.help) + "\n";
  if (!info.prototext_help.empty())
    text += "\nIn LBANN's protobuf text: " + std::string(info.prototext_help) + "\n";
  if (auto const* example = example_of(info.code)) text += example_text(*example);
  return text;
}

}  // namespace lbann::compiler
