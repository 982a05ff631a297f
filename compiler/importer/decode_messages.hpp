// From protobuf's binary encoding of LBANN's messages to their text.
#pragma once

#include <cstdint>
#include <optional>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/document.hpp"
#include "schemas/plan/plan.hpp"

namespace lbann::compiler {

/// Replaces the bytes of a source, an experiment (`LbannPB`) in protobuf's binary encoding, by its
/// text: `decoded_messages` and each field on a line of its own, in order of the bytes; packed
/// lists on one. Places of later messages are paths in it. False after reporting what is wrong with
/// the bytes: the source holds the text before that place then. Encoding:
/// protobuf.dev/programming-guides/encoding.
bool decode_messages(Source& source, std::uint32_t file, Report& report);

/// The same, and what `read_prototext` gives of the text; nothing after a report.
std::optional<Document> read_protobin(Source& source, std::uint32_t file, Report& report);

}  // namespace lbann::compiler
