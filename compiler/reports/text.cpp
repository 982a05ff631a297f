// Reports as tables.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>

#include "compiler/reports/render.hpp"

namespace lbann::compiler {

std::string digits(std::int64_t number) {
  auto text = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

namespace {

std::string counted(std::int64_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string title(RunReport const& report, ReportKind kind) {
  auto const trainers =
      report.trainers == 1 ? "" : fmt::format(" in {}", counted(report.trainers, "trainer"));
  auto const& mesh = report.meshes.front().mesh;
  auto const split =
      mesh[1].size * mesh[2].size == 1 ? "" : fmt::format(", mesh of {}", to_text(mesh));
  auto const micro_batches =
      report.accumulate == 1 ? "" : fmt::format(" in {} micro-batches", report.accumulate);
  return fmt::format("{} of {}: {}{}{}, mini-batch {}{}\n",
                     report_kind_names[static_cast<std::size_t>(kind)], report.experiment,
                     counted(report.ranks, "rank"), trainers, split, report.mini_batch,
                     micro_batches);
}

std::string heading(RunReport const& report, RankGroup const& group) {
  auto const ranks =
      group.first == group.last ? fmt::format("rank {}", group.first)
      : group.count == group.last - group.first + 1
          ? fmt::format("each of ranks {} to {}", group.first, group.last)
          : fmt::format("each of {} ranks from {} to {}", group.count, group.first, group.last);
  return fmt::format("\n{}{}, {}\n", ranks, report.trainers == 1 ? "" : " of each trainer",
                     counted(group.samples, "sample"));
}

void row(std::string& text, std::string_view name, std::int64_t number) {
  text += fmt::format("  {:<40}{:>24}\n", name, digits(number));
}

/// Sum over all ranks of all trainers; at the largest number where it does not fit.
template <class Amount>
std::int64_t over_ranks(RunReport const& report, Amount const& amount) {
  double sum = 0;
  for (auto const& group : report.groups)
    sum +=
        static_cast<double>(report.trainers * group.ranks()) * static_cast<double>(amount(group));
  return sum < 9.2e18 ? static_cast<std::int64_t>(sum) : std::numeric_limits<std::int64_t>::max();
}

void write_memory(std::string& text, RunReport const& report) {
  for (auto const& group : report.groups) {
    auto const& memory = group.memory;
    text += heading(report, group);
    for (std::size_t i = 0; i < memory_class_count; ++i)
      row(text, memory_class_names[i], memory.bytes[i]);
    row(text, "bytes in all", memory.total);
    if (memory.shared > 0) row(text, "of them shared by the trainer's ranks", memory.shared);
    row(text, "copied, beside, for a checkpoint", memory.checkpoint_copy);
    text += fmt::format(
        "  activations and scratch share {} bytes, {:.3f} times the {} that live at once\n",
        digits(memory.placed), memory.ratio(), digits(memory.live));
  }
  text += "\n";
  // What ranks share is there once for each trainer.
  auto const shared = report.groups.front().memory.shared;
  row(text, "bytes on all ranks", over_ranks(report, [](RankGroup const& group) {
                                    return group.memory.total - group.memory.shared;
                                  }) + shared * report.trainers);
}

void write_flops(std::string& text, RunReport const& report) {
  for (auto const& group : report.groups) {
    text += heading(report, group);
    for (auto const& entry : group.flops) {
      text += fmt::format(" {}:\n", entry.entry);
      for (auto const& layer : entry.layers)
        if (layer.flops > 0) row(text, layer.layer, layer.flops);
      row(text, "operations in all", entry.total);
    }
  }
  text += "\n";
  for (std::size_t i = 0; i < report.groups.front().flops.size(); ++i)
    row(text, report.groups.front().flops[i].entry + " on all ranks",
        over_ranks(report, [&](RankGroup const& group) { return group.flops[i].total; }));
}

void write_messages(std::string& text, RunReport const& report) {
  // All ranks of a trainer post the same messages.
  for (auto const& entry : report.groups.front().messages) {
    text += fmt::format("\neach rank in {}:\n", entry.entry);
    for (auto const& message : entry.messages)
      text += fmt::format("  {:<12}{:>16} bytes  {:<24} {}\n", message.kind, digits(message.bytes),
                          message.layer, message.tensor);
    text += fmt::format("  {:<12}{:>16} bytes in {}\n", "in all", digits(entry.bytes),
                        counted(static_cast<std::int64_t>(entry.messages.size()), "message"));
  }
  text += "\n";
  for (std::size_t i = 0; i < report.groups.front().messages.size(); ++i)
    row(text, report.groups.front().messages[i].entry + ", bytes on all ranks",
        over_ranks(report, [&](RankGroup const& group) { return group.messages[i].bytes; }));
}

/// Milliseconds, to the nanosecond.
std::string milliseconds(double seconds) { return fmt::format("{:.6f}", 1e3 * seconds); }

void write_trace(std::string& text, RunReport const& report) {
  auto const& [flops, memory, network, latency] = report.machine;
  text += fmt::format(
      "a rank of {:.3g} flops/s, {:.3g} bytes/s of memory and {:.3g} of network, latency {:.3g} "
      "s\n",
      flops, memory, network, latency);
  for (auto const& group : report.groups) {
    text += heading(report, group);
    for (auto const& entry : group.trace) {
      text += fmt::format(" {}: {} ms, of them {} waiting for messages\n", entry.entry,
                          milliseconds(entry.seconds), milliseconds(entry.waited));
      text += fmt::format("  {:>14}{:>14}{:>14}{:>20}{:>18}{:>7}\n", "begins, ms", "waits", "takes",
                          "operations", "bytes", "peers");
      for (auto const& each : entry.instructions) {
        bool const sends = each.peers > 0;
        text += fmt::format(
            "  {:>14}{:>14}{:>14}{:>20}{:>18}{:>7}  {} {}", milliseconds(each.begin),
            milliseconds(each.waited), sends ? "" : milliseconds(each.seconds), digits(each.flops),
            digits(each.bytes), sends ? digits(each.peers) : "", each.op, each.layer);
        text += sends ? fmt::format(", arrives at {}\n", milliseconds(each.arrives)) : "\n";
      }
    }
  }
}

/// What each mesh costs a rank, the best first.
void write_meshes(std::string& text, RunReport const& report) {
  constexpr std::size_t most = 16;
  text += fmt::format("\n  {:>8}{:>8}{:>8}{:>28}{:>36}\n", "data", "rows", "columns",
                      "bytes sent in a step", "bytes of weights and what is theirs");
  for (std::size_t i = 0; i < std::min(most, report.meshes.size()); ++i) {
    auto const& [mesh, sent, weights] = report.meshes[i];
    text += fmt::format("  {:>8}{:>8}{:>8}{:>28}{:>36}{}\n", mesh[0].size, mesh[1].size,
                        mesh[2].size, digits(sent), digits(weights), i == 0 ? "  taken" : "");
  }
  if (report.meshes.size() > most)
    text += fmt::format("  and {} more that send more\n", report.meshes.size() - most);
  if (report.products.empty()) return;
  text += fmt::format("\n  {:<32}{:>10}{:>10}{:>20}{:>16}{:>8}\n", "products", "inputs", "outputs",
                      "bytes sent forward", "lower bound", "ratio");
  for (auto const& [layer, inputs, outputs, sent, bound] : report.products)
    text += fmt::format("  {:<32}{:>10}{:>10}{:>20}{:>16}{:>8.3f}\n", layer, inputs, outputs,
                        digits(sent), digits(static_cast<std::int64_t>(bound)),
                        bound > 0 ? static_cast<double>(sent) / bound : 1.0);
}

/// `20 x 24 x 24`, several outputs behind each other.
std::string dims_text(std::vector<std::vector<std::int64_t>> const& outputs) {
  std::string text;
  for (auto const& dims : outputs)
    text += (text.empty() ? "" : ", ") + fmt::format("{}", fmt::join(dims, " x "));
  return text;
}

void write_summary(std::string& text, RunReport const& report) {
  auto const& model = report.model;
  auto const& rank = report.groups.front();
  std::array<std::size_t, 3> widths = {5, 4, 6};
  for (auto const& layer : model.layers) {
    widths[0] = std::max(widths[0], layer.name.size());
    widths[1] = std::max(widths[1], layer.type.size());
    widths[2] = std::max(widths[2], dims_text(layer.outputs).size());
  }
  auto const line = [&](std::string_view name, std::string_view type, std::string_view dims,
                        std::string_view parameters, std::string_view flops) {
    text += fmt::format("  {:<{}}  {:<{}}  {:<{}}  {:>16}  {:>18}\n", name, widths[0], type,
                        widths[1], dims, widths[2], parameters, flops);
  };
  text += "\n";
  line("layer", "type", "output", "parameters", "forward operations");
  for (auto const& layer : model.layers)
    line(layer.name, layer.type, dims_text(layer.outputs),
         layer.trained + layer.frozen == 0 && layer.shares ? "shared"
                                                           : digits(layer.trained + layer.frozen),
         digits(layer.flops));
  text += "\n";
  row(text, "parameters that are trained", model.trained);
  row(text, "parameters that are not", model.frozen);
  row(text, "bytes of a rank in all", rank.memory.total);
  for (auto const& entry : rank.flops)
    if (entry.entry != "initialize")
      row(text, fmt::format("operations of {}, {}", entry.entry, counted(rank.samples, "sample")),
          entry.total);
}

void write_device(std::string& text, RunReport const& report) {
  for (auto const& group : report.groups) {
    text += heading(report, group);
    row(text, "bytes of the GPU's memory", group.device.bytes);
    for (auto const& entry : group.device.entries) {
      text += fmt::format(" {}:\n", entry.entry);
      row(text, "instructions", entry.instructions);
      row(text, "bytes copied to the GPU", entry.to_device);
      row(text, "bytes copied back", entry.to_host);
      row(text, "instructions that run on the host",
          static_cast<std::int64_t>(entry.on_host.size()));
      for (auto const& each : entry.on_host)
        text += fmt::format("    {} of `{}`: {} bytes copied to the host, {} back\n", each.op,
                            each.layer, digits(each.to_host), digits(each.to_device));
    }
  }
}

}  // namespace

std::string report_text(RunReport const& report, std::vector<ReportKind> const& kinds) {
  std::string text;
  for (auto kind : kinds) {
    if (!text.empty()) text += "\n";
    text += title(report, kind);
    switch (kind) {
      case ReportKind::memory:
        write_memory(text, report);
        break;
      case ReportKind::flops:
        write_flops(text, report);
        break;
      case ReportKind::messages:
        write_messages(text, report);
        break;
      case ReportKind::mesh:
        write_meshes(text, report);
        break;
      case ReportKind::trace:
        write_trace(text, report);
        break;
      case ReportKind::summary:
        write_summary(text, report);
        break;
      case ReportKind::device:
        write_device(text, report);
        break;
    }
  }
  return text;
}

}  // namespace lbann::compiler
