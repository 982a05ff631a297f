// Fuzzes one reader of documents: it gives a document, or messages with places in the text.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <type_traits>

#include "compiler/importer/decode_messages.hpp"
#include "compiler/source/budget.hpp"
#include "compiler/source/read_prototext.hpp"
#include "compiler/source/read_toml.hpp"
#include "compiler/source/read_yaml.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

/// YAML's aliases repeat what they name, within a budget; other documents are as large as their
/// text.
std::optional<Document> read(auto const& reader, Source& source, Report& report) {
  if constexpr (std::is_invocable_v<decltype(reader), Source&, std::uint32_t, Report&>) {
    return reader(source, 0, report);
  } else {
    Budget budget;
    return reader(source, 0, budget, report);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  Source source{"fuzzed", std::string(reinterpret_cast<char const*>(data), size)};
  Report report;
  auto const document = read(LBANN_FUZZ_READER, source, report);
  if (document.has_value() == report.has_errors()) std::abort();
  for (auto const& diagnostic : report.diagnostics()) {
    auto const& span = diagnostic.span;
    if (!span.known() || span.file != 0 || span.begin > span.end || span.end > source.text.size())
      std::abort();
  }
  return 0;
}
