// Collecting diagnostics.
#include "compiler/diagnostics/diagnostic.hpp"

#include <algorithm>
#include <tuple>

namespace lbann::compiler {

namespace {

std::string fill(std::string_view pattern, std::vector<std::string> const& arguments) {
  std::string text;
  std::size_t next = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '{' && i + 1 < pattern.size() && pattern[i + 1] == '}') {
      if (next < arguments.size()) text += arguments[next++];
      ++i;
    } else {
      text += pattern[i];
    }
  }
  return text;
}

}  // namespace

Diagnostic& Report::add(DiagnosticInfo const& info, Span span, std::vector<std::string> arguments) {
  auto& diagnostic = diagnostics_.emplace_back();
  diagnostic.info = &info;
  diagnostic.span = span;
  diagnostic.message = fill(info.message, arguments);
  return diagnostic;
}

void suggest_first(Diagnostic& diagnostic, std::vector<std::string> const& better) {
  constexpr std::size_t most = 3;
  std::vector<std::string> all;
  auto const add = [&](std::vector<std::string> const& names) {
    for (auto const& name : names)
      if (all.size() < most && std::find(all.begin(), all.end(), name) == all.end())
        all.push_back(name);
  };
  add(better);
  add(diagnostic.suggestions);
  diagnostic.suggestions = std::move(all);
}

bool Report::has_errors() const {
  return std::any_of(diagnostics_.begin(), diagnostics_.end(),
                     [](Diagnostic const& d) { return d.info->severity == Severity::error; });
}

std::vector<Diagnostic const*> Report::sorted() const {
  std::vector<Diagnostic const*> order;
  for (auto const& diagnostic : diagnostics_) order.push_back(&diagnostic);
  std::stable_sort(order.begin(), order.end(), [](Diagnostic const* a, Diagnostic const* b) {
    return std::tuple(a->span.file, a->span.begin) < std::tuple(b->span.file, b->span.begin);
  });
  auto const same = [](Diagnostic const* a, Diagnostic const* b) {
    return a->info == b->info && a->span == b->span && a->message == b->message;
  };
  order.erase(std::unique(order.begin(), order.end(), same), order.end());
  return order;
}

}  // namespace lbann::compiler
