// Chooses the reader; several messages become one.
#include "compiler/read_document.hpp"

#include "compiler/importer/decode_messages.hpp"
#include "compiler/importer/import_prototext.hpp"
#include "compiler/source/read_prototext.hpp"
#include "compiler/source/read_toml.hpp"
#include "compiler/source/read_yaml.hpp"

namespace lbann::compiler {

std::optional<Document> read_document(CompileOptions const& options,
                                      Declarations const& declarations,
                                      std::vector<Source>& sources, Budget& budget,
                                      Report& report) {
  sources.push_back({options.name, options.text});
  sources.insert(sources.end(), options.further.begin(), options.further.end());
  auto const syntax = options.syntax.value_or(syntax_of(options.name));
  for (std::size_t i = 0; i < sources.size(); ++i)
    report.file_is(static_cast<std::uint32_t>(i), syntax);
  if (syntax == Syntax::yaml) return read_yaml(sources.front(), 0, budget, report);
  if (syntax == Syntax::toml) return read_toml(sources.front(), 0, report);
  std::vector<Document> messages;
  for (std::size_t i = 0; i <= options.further.size(); ++i) {
    auto const file = static_cast<std::uint32_t>(i);
    bool const binary = options.syntax.value_or(syntax_of(sources[i].name)) == Syntax::protobin;
    if (auto message = binary ? read_protobin(sources[i], file, report)
                              : read_prototext(sources[i], file, report))
      messages.push_back(std::move(*message));
  }
  if (messages.size() != sources.size()) return std::nullopt;
  return import_prototext(messages, declarations, report);
}

}  // namespace lbann::compiler
