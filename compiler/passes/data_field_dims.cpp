// What readers tell of a field, and what slices and losses let one assume.
#include "compiler/passes/data_field_dims.hpp"

#include <algorithm>

#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

/// Layers that take an output of `id`, through what passes have inserted.
void collect_takers(Graph const& graph, LayerId id, std::vector<LayerId>& takers) {
  for (auto const child : graph[id].children) {
    if (!child.valid() || graph[child].type->discards_input) continue;
    if (graph[child].inserted_by.empty() || graph[child].children.empty())
      takers.push_back(child);
    else
      collect_takers(graph, child, takers);
  }
}

struct Assumption {
  Dims dims;
  LayerId because;
};

/// What the fields of all takers say alike.
std::optional<Assumption> from_fields(Graph const& graph, std::vector<LayerId> const& takers) {
  std::optional<Assumption> found;
  for (auto const taker : takers) {
    auto const& layer = graph[taker];
    auto const dims = layer.type->input_dims_from_fields(layer.declaration.object.get());
    if (!dims || (found && found->dims != *dims)) return std::nullopt;
    found = {*dims, taker};
  }
  return found;
}

/// The dims of the other input of a loss or an accuracy.
std::optional<Assumption> from_other_inputs(Graph const& graph,
                                            std::vector<LayerId> const& takers) {
  for (auto const taker : takers) {
    auto const& layer = graph[taker];
    if (!layer.type->compares_inputs(layer.declaration.object.get())) continue;
    for (auto const& edge : layer.parents) {
      auto const& outputs = graph[edge.layer].outputs;
      if (edge.output < outputs.size()) return Assumption{outputs[edge.output], taker};
    }
  }
  return std::nullopt;
}

/// Whether nothing is read with wrong dims: readers compare them with what they read, what is not
/// built reads nothing, and user code can be asked instead, by `--probe-python`.
bool may_assume(ReaderEntry const& reader) {
  return reader.declaration.type != nullptr && !reader.runs_user_code;
}

/// How a reader is told to give a data field that it leaves out; empty: it does not know such a
/// field.
std::string how_to_enable(ReaderEntry const& reader, std::string const& field) {
  if (reader.declaration.type == nullptr) return {};
  auto const& type = *reader.declaration.type;
  auto const disabled = [&](std::string const& data_field) -> std::optional<bool> {
    auto const found = std::ranges::find(type.fields, "disable_" + data_field, &FieldInfo::name);
    if (found == type.fields.end()) return std::nullopt;
    auto const views = type.fields_of(reader.declaration.object.get());
    auto const value = views[static_cast<std::size_t>(found - type.fields.begin())].value();
    auto const* const flag = std::get_if<bool>(&value);
    return flag == nullptr ? std::nullopt : std::optional(*flag);
  };
  if (disabled(field) != true) return {};
  auto const other = field == "labels" ? "responses" : "labels";
  auto text =
      "`" + std::string(type.name) + "` gives `" + field + "` with `disable_" + field + ": false`";
  if (disabled(other) == false)
    text += ", and no `" + std::string(other) + "` with `disable_" + other + ": true`";
  return text;
}

}  // namespace

ReaderEntry::FieldDims* DataFieldDims::find(ReaderEntry& reader, std::string const& field) const {
  auto const found = std::ranges::find_if(
      reader.fields, [&](auto const& given) { return given.name.text == field; });
  return found == reader.fields.end() ? nullptr : &*found;
}

DataFieldDims::Found DataFieldDims::dims_of(std::string const& field, Span span) {
  if (readers_.empty()) {
    if (!reported_readers_) report_.add(diagnostics::no_data_reader, span);
    reported_readers_ = true;
    return {{}, true};
  }
  std::optional<Dims> dims;
  ReaderEntry const* first = nullptr;
  bool good = true;
  for (auto& reader : readers_) {
    auto const* const found = find(reader, field);
    auto const role = reader_role(reader.role);
    if (found == nullptr) {
      std::vector<std::string_view> accepted;
      for (auto const& given : reader.fields) accepted.push_back(given.name.text);
      auto& diagnostic = report_.add(diagnostics::unknown_data_field, span, {field});
      diagnostic.labels.push_back({reader.span, "the reader of the " + role + " data"});
      diagnostic.suggestions = nearest(field, accepted);
      if (auto how = how_to_enable(reader, field); !how.empty())
        diagnostic.notes.push_back(std::move(how));
      reported_.insert(field);
      return {{}, true};
    }
    if (found->dims.empty()) return {};
    if (!dims) {
      dims = found->dims;
      first = &reader;
    } else if (*dims != found->dims) {
      report_.add(diagnostics::field_dims_clash, reader.span,
                  {field, to_text(*dims), reader_role(first->role), to_text(found->dims), role});
      good = false;
    }
  }
  return good ? Found{dims} : Found{{}, true};
}

bool DataFieldDims::assume(Graph const& graph, LayerId input) {
  auto const& layer = graph[input];
  auto const& field = *data_field_of(layer);
  std::vector<ReaderEntry::FieldDims*> unknown;
  std::optional<Dims> told;  // by another reader
  for (auto& reader : readers_) {
    auto* const given = find(reader, field);
    if (given == nullptr) return false;
    if (!given->dims.empty()) {
      told = given->dims;
      continue;
    }
    // A reader of labels needs to be told how many classes there are.
    bool const asks = field == "labels" && !given->unknown_because.empty();
    if (asks || !may_assume(reader)) return false;
    unknown.push_back(given);
  }
  std::vector<LayerId> takers;
  collect_takers(graph, input, takers);
  auto const assumption = field == "samples" ? from_fields(graph, takers)
                          : is_target(field) ? from_other_inputs(graph, takers)
                                             : std::nullopt;
  if (unknown.empty() || !assumption || (told && *told != assumption->dims)) return false;
  for (auto* const given : unknown) given->dims = assumption->dims;
  report_
      .add(diagnostics::field_dims_assumed, layer.declaration.place_of("data_field"),
           {field, to_text(assumption->dims), graph[assumption->because].name})
      .labels.push_back({graph[assumption->because].span, "what takes them"});
  return true;
}

void DataFieldDims::report_unknown(std::string const& field, GraphLayer const& layer) {
  for (auto& reader : readers_) {
    auto const* const found = find(reader, field);
    if (found == nullptr || !found->dims.empty() || !reported_.insert(field).second) continue;
    auto const layers_place = layer.declaration.place_of("data_field");
    auto const role = reader_role(reader.role);
    // The cause first: a file that is not here, and not the layer that wants what it would tell.
    if (found->missing_file) {
      report_
          .add(diagnostics::missing_data_file, *found->missing_file,
               {found->unknown_because, field})
          .labels.push_back({layers_place, "the layer that they are for"});
      continue;
    }
    auto& diagnostic = report_.add(diagnostics::unknown_field_dims, layers_place, {field});
    diagnostic.labels.push_back(
        {reader.span, "the reader of the " + role + " data does not tell them"});
    if (!found->unknown_because.empty()) diagnostic.notes.push_back(found->unknown_because);
  }
}

}  // namespace lbann::compiler
