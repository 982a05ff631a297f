// Reports as JSON.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "compiler/reports/render.hpp"

namespace lbann::compiler {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(MemoryReport const& memory) {
  Json json;
  for (std::size_t i = 0; i < memory_class_count; ++i)
    json[std::string(memory_class_names[i])] = memory.bytes[i];
  json["total"] = memory.total;
  json["shared"] = memory.shared;
  json["checkpoint_copy"] = memory.checkpoint_copy;
  json["placed"] = memory.placed;
  json["live"] = memory.live;
  json["ratio"] = memory.ratio();
  return json;
}

Json json_of(std::vector<EntryFlops> const& entries) {
  Json json = Json::object();
  for (auto const& entry : entries) {
    Json layers = Json::object();
    for (auto const& layer : entry.layers) layers[layer.layer] = layer.flops;
    json[entry.entry] = {{"layers", layers}, {"total", entry.total}};
  }
  return json;
}

Json json_of(std::vector<EntryMessages> const& entries) {
  Json json = Json::object();
  for (auto const& entry : entries) {
    Json messages = Json::array();
    for (auto const& message : entry.messages) {
      messages.push_back({{"kind", message.kind},
                          {"bytes", message.bytes},
                          {"layer", message.layer},
                          {"tensor", message.tensor}});
      if (!message.sends.empty()) messages.back()["sends"] = message.sends;
    }
    json[entry.entry] = {{"messages", messages}, {"bytes", entry.bytes}};
  }
  return json;
}

Json json_of(std::vector<EntryTrace> const& entries) {
  Json json = Json::object();
  for (auto const& entry : entries) {
    Json instructions = Json::array();
    for (auto const& each : entry.instructions) {
      Json told = {{"op", each.op},         {"layer", each.layer},     {"begin", each.begin},
                   {"waited", each.waited}, {"seconds", each.seconds}, {"flops", each.flops},
                   {"bytes", each.bytes}};
      if (each.peers > 0) {
        told["peers"] = each.peers;
        told["arrives"] = each.arrives;
      }
      instructions.push_back(std::move(told));
    }
    json[entry.entry] = {
        {"instructions", instructions}, {"seconds", entry.seconds}, {"waited", entry.waited}};
  }
  return json;
}

Json json_of(DeviceReport const& device) {
  Json json = {{"bytes", device.bytes}};
  for (auto const& entry : device.entries) {
    Json on_host = Json::array();
    for (auto const& each : entry.on_host)
      on_host.push_back({{"op", each.op},
                         {"layer", each.layer},
                         {"to_host", each.to_host},
                         {"to_device", each.to_device}});
    json["entries"][entry.entry] = {{"instructions", entry.instructions},
                                    {"to_device", entry.to_device},
                                    {"to_host", entry.to_host},
                                    {"on_host", on_host}};
  }
  return json;
}

Json json_of(std::vector<MeshAxis> const& mesh) {
  Json json = Json::object();
  for (auto const& axis : mesh) json[axis.name] = axis.size;
  return json;
}

}  // namespace

std::string report_json(RunReport const& report, std::vector<ReportKind> const& kinds) {
  Json json = {{"experiment", report.experiment},
               {"ranks", report.ranks},
               {"trainers", report.trainers},
               {"threads", report.threads},
               {"procs_per_trainer", report.procs_per_trainer},
               {"mini_batch", report.mini_batch},
               {"accumulate", report.accumulate},
               {"groups", Json::array()}};
  auto const wanted = [&](ReportKind kind) { return std::ranges::count(kinds, kind) > 0; };
  for (auto const& group : report.groups) {
    Json told = {{"first_rank", group.first},
                 {"last_rank", group.last},
                 {"ranks_of_all_trainers", report.trainers * group.ranks()},
                 {"samples", group.samples}};
    if (wanted(ReportKind::memory)) told["memory"] = json_of(group.memory);
    if (wanted(ReportKind::flops)) told["flops"] = json_of(group.flops);
    if (wanted(ReportKind::messages)) told["messages"] = json_of(group.messages);
    if (wanted(ReportKind::trace)) told["trace"] = json_of(group.trace);
    if (wanted(ReportKind::device)) told["device"] = json_of(group.device);
    json["groups"].push_back(std::move(told));
  }
  if (wanted(ReportKind::trace))
    json["machine"] = {{"flops", report.machine.flops},
                       {"memory", report.machine.memory},
                       {"network", report.machine.network},
                       {"latency", report.machine.latency}};
  json["mesh"] = json_of(report.meshes.front().mesh);
  if (wanted(ReportKind::mesh))
    for (auto const& [layer, inputs, outputs, sent, bound] : report.products)
      json["products"].push_back({{"layer", layer},
                                  {"inputs", inputs},
                                  {"outputs", outputs},
                                  {"bytes_sent", sent},
                                  {"lower_bound", bound}});
  if (wanted(ReportKind::summary)) {
    auto layers = Json::array();
    for (auto const& layer : report.model.layers)
      layers.push_back({{"name", layer.name},
                        {"type", layer.type},
                        {"parents", layer.parents},
                        {"outputs", layer.outputs},
                        {"trained", layer.trained},
                        {"frozen", layer.frozen},
                        {"forward_flops", layer.flops}});
    json["model"] = {
        {"layers", layers}, {"trained", report.model.trained}, {"frozen", report.model.frozen}};
  }
  if (wanted(ReportKind::mesh))
    for (auto const& [mesh, sent, weights] : report.meshes) {
      auto told = json_of(mesh);
      told["bytes_sent"] = sent;
      told["weight_bytes"] = weights;
      json["meshes"].push_back(std::move(told));
    }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lbann::compiler
