// Reports for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "schemas/reports/report.hpp"

namespace lbann::compiler {

/// What `--report` can ask for.
enum class ReportKind : std::uint8_t { memory, flops, messages, mesh, trace, summary, device };
inline constexpr std::array<std::string_view, 7> report_kind_names = {
    "memory", "flops", "messages", "mesh", "trace", "summary", "device"};

/// 1234567 as `1,234,567`; of numbers that are not negative.
std::string digits(std::int64_t number);

/// Tables, one per kind asked for and group of ranks; bytes and operations as exact numbers.
std::string report_text(RunReport const& report, std::vector<ReportKind> const& kinds);

/// One JSON object; docs/reports.md describes its fields.
std::string report_json(RunReport const& report, std::vector<ReportKind> const& kinds);

}  // namespace lbann::compiler
