// Fuzzes one reader of documents: it gives a document, or messages with places in the text.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "compiler/source/read_prototext.hpp"
#include "compiler/source/read_toml.hpp"
#include "compiler/source/read_yaml.hpp"

using namespace lbann;
using namespace lbann::compiler;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  Source const source{"fuzzed", std::string(reinterpret_cast<char const*>(data), size)};
  Report report;
  auto const document = LBANN_FUZZ_READER(source, 0, report);
  if (document.has_value() == report.has_errors()) std::abort();
  for (auto const& diagnostic : report.diagnostics()) {
    auto const& span = diagnostic.span;
    if (!span.known() || span.file != 0 || span.begin > span.end || span.end > size) std::abort();
  }
  return 0;
}
