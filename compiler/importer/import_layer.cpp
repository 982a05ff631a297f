// Type and fields of a layer, which LBANN writes in blocks inside of each other.
#include "compiler/importer/import_layer.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "compiler/experiment/values/fields.hpp"
#include "compiler/experiment/values/translation.hpp"
#include "compiler/importer/message_keys.hpp"
#include "compiler/importer/prototext_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

class LayerImport {
 public:
  LayerImport(Declarations const& declarations, MessageFields& fields, Report& report)
      : vocabulary_(declarations), fields_(fields), report_(report) {}

  /// The type is the one block that is no field of every layer.
  Node layer(Entry const& entry, std::size_t number) {
    Node common;
    common.kind = Node::Kind::mapping;
    common.span = entry.value.span;
    Node types = common;
    for (auto const& each : entry.value.entries)
      (is_common(each) ? common : types).entries.push_back(each);
    if (types.entries.empty()) {
      report_.add(diagnostics::missing_field, entry.key_span, {"layer", "a type, e.g. `relu {}`"});
      return {};
    }
    if (types.entries.size() > 1) set_strays_apart(types, common);
    common = with_known_keys(common, "layer", message_keys("layer", vocabulary_.layer), report_);
    if (types.entries.size() > 1) {
      auto const& second = types.entries[1];
      report_.add(diagnostics::unknown_field, second.key_span, {second.key, "layer"})
          .labels.push_back({types.entries.front().key_span, "the type"});
      return {};
    }
    auto type = types.entries.front();
    if (type.key == "operator_layer") {
      auto const held = operator_of(type, common);
      if (!held) return {};
      type = *held;
    }
    if (auto const* rename = rename_of("layer", type.key)) type.key = rename->name;
    auto const* known = vocabulary_.layers.find(type.key);
    if (known == nullptr) known = report_unknown_layer(type);
    if (known == nullptr) return {};
    type.key = known->declaration.name;
    type.value =
        with_known_keys(type.value, type.key, message_keys("layer." + type.key, known->declaration),
                        report_, vocabulary_.layer_list);
    auto body = fields_.fields(common, "layer", &vocabulary_.layer, entry.key_span);
    finish_names(body, *known, entry, number);
    spatial_lists(type);
    if (type.key == "input" && type.value.find("data_field") == nullptr)
      type.value.entries.push_back(samples_field(type.key_span));
    auto own = fields_.fields(type.value, "layer." + type.key, &known->declaration, type.key_span);
    for (auto const list : {"parents", "children"}) keep_first(body, list);
    if (keeps_first_weights(type.key)) keep_weights(body, own);
    for (auto& field : own.entries) body.entries.push_back(std::move(field));
    return single_entry(type.key, type.key_span, std::move(body), entry.value.span);
  }

 private:
  bool is_common(Entry const& entry) const {
    auto const named = [&](auto const& each) { return each.name == entry.key; };
    auto const& layer = vocabulary_.layer;
    return std::any_of(layer.fields.begin(), layer.fields.end(), named) ||
           std::any_of(layer.parts.begin(), layer.parts.end(), named) ||
           entry.value.kind != Node::Kind::mapping;
  }

  bool is_layer_type(std::string_view key) const {
    return key == "operator_layer" || rename_of("layer", key) != nullptr ||
           vocabulary_.layers.find(key) != nullptr;
  }

  /// Beside the one block that is a type, others are fields that do not exist.
  void set_strays_apart(Node& types, Node& common) const {
    auto const is_type = [&](Entry const& each) { return is_layer_type(each.key); };
    auto& entries = types.entries;
    if (std::count_if(entries.begin(), entries.end(), is_type) != 1) return;
    for (auto const& each : entries)
      if (!is_type(each)) common.entries.push_back(each);
    std::erase_if(entries, [&](Entry const& each) { return !is_type(each); });
  }

  /// Gives the type that was meant, so that its fields are looked at, too; null where it is not
  /// sure.
  LayerType const* report_unknown_layer(Entry const& type) {
    std::vector<std::string_view> names = {"operator_layer"};
    for (auto const* each : vocabulary_.layer_list) {
      auto const* rename = renamed_to("layer", each->name);
      if (!is_operator(each->name) || each->name == "log_softmax")
        names.push_back(rename != nullptr ? rename->field : each->name);
    }
    auto& diagnostic = report_.add(diagnostics::unknown_type, type.key_span, {type.key, "a layer"});
    diagnostic.suggestions = nearest(type.key, names);
    auto const& suggestions = diagnostic.suggestions;
    if (explain_foreign_type(diagnostic, type, names) != nullptr ||
        !is_misspelt(type.key, suggestions))
      return nullptr;
    auto const* rename = rename_of("layer", suggestions[0]);
    return vocabulary_.layers.find(rename != nullptr ? rename->name : suggestions[0]);
  }

  /// `operator_layer { ops { parameters { [.../lbann_data.AddOperator] {} } } }` as `add: {}`, its
  /// type of numbers among the `common` fields; nothing where that is not what there is, which is
  /// reported.
  std::optional<Entry> operator_of(Entry const& layer, Node& common) {
    auto const layer_block =
        with_known_keys(layer.value, "operator_layer", further_keys("operator_layer"), report_);
    auto const* found = layer_block.find("ops");
    auto const ops = found == nullptr
                         ? Node{}
                         : with_known_keys(found->value, "ops", further_keys("ops"), report_);
    auto const* parameters = ops.find("parameters");
    if (parameters == nullptr || parameters->value.entries.size() != 1 ||
        layer_block.entries.size() != 1) {
      report_.add(diagnostics::wrong_type, layer.value.span,
                  {"operator_layer", "one operator in `ops { parameters { ... } }`",
                   std::to_string(layer_block.entries.size()) + " fields"});
      return std::nullopt;
    }
    if (!settle_datatype(ops, common)) return std::nullopt;
    auto const& held = parameters->value.entries.front();
    std::vector<DeclarationType const*> operators;
    for (auto const* type : vocabulary_.layer_list)
      if (is_operator(type->name)) operators.push_back(type);
    auto const* type = find_message(held, true, "an operator", operators, report_);
    if (type == nullptr) return std::nullopt;
    return Entry{std::string(type->name), held.key_span, held.value};
  }

  /// Operands and result of an operator have the type of its layer: all that tell it must agree.
  /// False after reporting.
  bool settle_datatype(Node const& ops, Node& common) {
    constexpr std::string_view datatype = "datatype";
    auto const is_default = [](Entry const& each) { return each.value.text == "DEFAULT_DATATYPE"; };
    for (std::string_view const name : {"input_datatype", "output_datatype"}) {
      auto const type = std::ranges::find(ops.entries, name, &Entry::key);
      if (type == ops.entries.end() || is_default(*type)) continue;
      auto const known = std::ranges::find(common.entries, datatype, &Entry::key);
      if (known == common.entries.end()) {
        common.entries.push_back({std::string(datatype), type->key_span, type->value});
      } else if (is_default(*known)) {
        known->value = type->value;
      } else if (known->value.text != type->value.text) {
        report_.add(diagnostics::contradicting_fields, type->value.span,
                    {type->key, "it is " + type->value.text + ", but " + known->value.text +
                                    " is said as well; an operator's operands and result have "
                                    "the type of its layer"});
        return false;
      }
    }
    return true;
  }

  /// A parent or child that is named twice, LBANN takes once.
  void keep_first(Node& layer, std::string_view list) {
    auto const names = std::ranges::find(layer.entries, list, &Entry::key);
    if (names == layer.entries.end()) return;
    std::set<std::string, std::less<>> met;
    std::erase_if(names->value.items, [&](Node const& name) {
      if (met.insert(name.text).second) return false;
      report_.add(diagnostics::no_effect, name.span,
                  {name.text, "LBANN takes a layer that is named twice among `" +
                                  std::string(list) + "` once"});
      return true;
    });
  }

  /// Without a bias, LBANN forgets the weights that were given for it.
  void keep_weights(Node& layer, Node const& own) {
    auto const* bias = own.find("has_bias");
    auto const names = std::ranges::find(layer.entries, "weights", &Entry::key);
    bool const without = bias != nullptr && bias->value.text == "false";
    if (!without || names == layer.entries.end() || names->value.items.size() != 2) return;
    report_.add(diagnostics::no_effect, names->value.items.back().span,
                {"weights", "without a bias, LBANN forgets those that are given for it"});
    names->value.items.pop_back();
  }

  /// What an input layer takes where it is not told; LBANN stops.
  Entry samples_field(Span place) {
    report_.add(diagnostics::missing_for_lbann, place, {"data_field", "`samples` is taken"})
        .suggestions = {"input { data_field: \"samples\" }"};
    Node name;
    name.kind = Node::Kind::scalar;
    name.quoted = true;
    name.text = "samples";
    name.span = place;
    return {"data_field", place, std::move(name)};
  }

  /// LBANN calls a layer without a name by its number; a layer without parents has none.
  void finish_names(Node& body, LayerType const& type, Entry const& entry, std::size_t number) {
    auto& entries = body.entries;
    if (body.find("name") == nullptr) {
      Node name;
      name.kind = Node::Kind::scalar;
      name.quoted = true;
      name.text = "layer" + std::to_string(number);
      name.span = entry.key_span;
      entries.insert(entries.begin(), {"name", entry.key_span, std::move(name)});
    }
    if (body.find("parents") == nullptr && type.parents.most != 0)
      entries.push_back({"parents", entry.key_span, empty_list(entry.key_span)});
  }

  /// `pool_dims_i: 2` is the short form of `pool_dims` for all axes, unless `has_vectors`.
  void spatial_lists(Entry& type) {
    if (type.key != "pooling" && type.key != "upsample") return;
    auto& entries = type.value.entries;
    auto const* flag = type.value.find("has_vectors");
    bool const vectors = flag != nullptr && flag->value.text != "false" && flag->value.text != "0";
    auto const short_form = [](Entry const& each) { return each.key.ends_with("_i"); };
    auto const dropped = [&](Entry const& each) {
      if (each.key == "has_vectors") return true;
      if (vectors) return short_form(each);
      return each.key == "pool_dims" || each.key == "pool_pads" || each.key == "pool_strides" ||
             each.key == "scale_factors";
    };
    for (auto const& each : entries)
      if (dropped(each) && each.key != "has_vectors")
        report_.add(diagnostics::no_effect, each.key_span,
                    {each.key, vectors ? "`has_vectors` is true" : "`has_vectors` is not true"});
    std::erase_if(entries, dropped);
    for (auto& each : entries)
      if (short_form(each)) each.key.resize(each.key.size() - 2);
  }

  Declarations const& vocabulary_;
  MessageFields& fields_;
  Report& report_;
};

}  // namespace

Node import_layer(Entry const& entry, std::size_t number, Declarations const& declarations,
                  MessageFields& fields, Report& report) {
  return LayerImport(declarations, fields, report).layer(entry, number);
}

}  // namespace lbann::compiler
