// Collecting diagnostics.
#include "compiler/diagnostics/diagnostic.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "compiler/diagnostics/shortened.hpp"

namespace lbann::compiler {

namespace {

/// The message of `info` with its places filled by `values`, whose names are written beside them.
std::string fill(DiagnosticInfo const& info, std::vector<std::string> const& arguments,
                 std::vector<MessageValue>& values) {
  std::string text;
  auto rest = info.message;
  for (auto begin = rest.find('{'); begin != std::string_view::npos; begin = rest.find('{')) {
    auto const end = rest.find('}', begin);
    if (end == std::string_view::npos || values.size() == arguments.size()) break;
    text += rest.substr(0, begin);
    auto words = shortened(arguments[values.size()]);
    text += words;
    values.push_back({rest.substr(begin + 1, end - begin - 1), std::move(words)});
    rest.remove_prefix(end + 1);
  }
  if (values.size() != arguments.size() || rest.find('{') != std::string_view::npos)
    throw std::logic_error("diagnostic " + std::string(info.code) + " was given " +
                           std::to_string(arguments.size()) + " values");
  return text += rest;
}

}  // namespace

Diagnostic& Report::add(DiagnosticInfo const& info, Span span, std::vector<std::string> arguments) {
  auto& diagnostic = diagnostics_.emplace_back();
  diagnostic.info = &info;
  diagnostic.span = span;
  diagnostic.message = fill(info, arguments, diagnostic.values);
  bool const of_messages = is_messages(syntax_of_file(0)) && !info.prototext_help.empty();
  diagnostic.help = of_messages ? info.prototext_help : info.help;
  return diagnostic;
}

void Report::file_is(std::uint32_t file, Syntax syntax) {
  if (file >= syntaxes_.size()) syntaxes_.resize(file + 1, Syntax::yaml);
  syntaxes_[file] = syntax;
}

Syntax Report::syntax_of_file(std::uint32_t file) const {
  if (file < syntaxes_.size()) return syntaxes_[file];
  return file == Span::no_file && !syntaxes_.empty() ? syntaxes_[0] : Syntax::yaml;
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

std::size_t Report::errors() const {
  return static_cast<std::size_t>(
      std::count_if(diagnostics_.begin(), diagnostics_.end(),
                    [](Diagnostic const& d) { return stops(d.info->severity); }));
}

bool Report::is_allowed(Diagnostic const& diagnostic) const {
  auto const& at = diagnostic.span;
  return std::any_of(allowed_.begin(), allowed_.end(), [&](Allowance const& allowance) {
    auto const& within = allowance.place;
    return allowance.info == diagnostic.info && at.file == within.file &&
           at.begin >= within.begin && at.end <= within.end;
  });
}

std::vector<Diagnostic const*> Report::sorted() const {
  std::vector<Diagnostic const*> order;
  for (auto const& diagnostic : diagnostics_)
    if (!is_allowed(diagnostic)) order.push_back(&diagnostic);
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
