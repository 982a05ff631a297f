// A walk over the document.
#include "compiler/source/allowances.hpp"

#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

constexpr std::string_view key = "x-allow";

std::vector<std::string_view> codes_of_warnings() {
  std::vector<std::string_view> codes;
  for (auto const* info : catalogue())
    if (!stops(info->severity)) codes.push_back(info->code);
  return codes;
}

void allow(Node const& code, Span place, Report& report) {
  auto const* info = code.kind == Node::Kind::scalar ? diagnostic_named(code.text) : nullptr;
  if (info != nullptr && !stops(info->severity)) return report.allow(*info, place);
  report.add(diagnostics::unknown_code, code.span, {code.text}).suggestions =
      nearest(code.text, codes_of_warnings());
}

/// `place`: `node` with the key that it is the value of.
void take(Node const& node, Span place, Report& report) {
  for (auto const& item : node.items) take(item, item.span, report);
  for (auto const& entry : node.entries) {
    if (entry.key == key) {
      if (entry.value.kind != Node::Kind::sequence) allow(entry.value, place, report);
      for (auto const& code : entry.value.items) allow(code, place, report);
    } else if (!entry.key.starts_with("x-")) {
      auto whole = entry.value.span;
      if (entry.key_span.file == whole.file) whole.begin = entry.key_span.begin;
      take(entry.value, whole, report);
    }
  }
}

}  // namespace

void take_allowances(Document const& document, Report& report) {
  take(document.root, document.root.span, report);
}

}  // namespace lbann::compiler
