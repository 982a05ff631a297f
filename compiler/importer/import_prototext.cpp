// The sections of LBANN's experiment message; what stands in them is translated by declarations.
#include "compiler/importer/import_prototext.hpp"

#include <algorithm>
#include <string_view>

#include "compiler/importer/message_fields.hpp"
#include "compiler/importer/prototext_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

Item empty_list(Span span) {
  Item list;
  list.kind = Item::Kind::sequence;
  list.span = span;
  return list;
}

/// Fields that LBANN's messages have and nobody reads.
constexpr std::string_view unread_fields[][3] = {
    {"", "training_algorithm", "LBANN reads the trainer's"},
    {"data_reader", "max_par_io_size", "LBANN does not read it either"},
    {"data_reader", "requires_data_set_metadata", "`data_set_metadata` is read where it stands"},
};

class Import {
 public:
  Import(Vocabulary const& vocabulary, Report& report)
      : vocabulary_(vocabulary), report_(report), fields_(report) {}

  Item root(Item const& message) {
    Item root;
    root.kind = Item::Kind::mapping;
    root.span = message.span;
    auto const put = [&](std::string key, Entry const& from, Item value) {
      root.entries.push_back({std::move(key), from.key_span, std::move(value)});
    };
    for (auto const& section : message.entries) {
      if (is_unread("", section)) continue;
      auto const& block = section.value;
      if (block.kind != Item::Kind::mapping) {
        put(section.key, section, block);
      } else if (section.key == "trainer") {
        put(section.key, section,
            fields_.fields(block, "trainer", &vocabulary_.trainer, section.key_span));
      } else if (section.key == "data_reader") {
        put(section.key, section, readers(block));
      } else if (section.key == "model") {
        put(section.key, section, model(section, has_algorithm(message)));
      } else if (section.key == "optimizer") {
        if (block.entries.empty()) continue;  // nothing is trained
        put(section.key, section, fields_.entry(block, "optimizer", vocabulary_.optimizer_list));
      } else if (section.key == "data_set_metadata") {
        put(section.key, section,
            fields_.fields(block, section.key, &vocabulary_.data_set_metadata, section.key_span));
      } else {
        put(section.key, section, block);
      }
    }
    return root;
  }

 private:
  static bool has_algorithm(Item const& message) {
    auto const* trainer = message.find("trainer");
    return trainer != nullptr && trainer->value.find("training_algorithm") != nullptr;
  }

  bool is_unread(std::string_view message, Entry const& entry) {
    for (auto const& [owner, field, reason] : unread_fields)
      if (owner == message && field == entry.key) {
        report_.add(diagnostics::no_effect, entry.key_span, {entry.key, std::string(reason)});
        return true;
      }
    return false;
  }

  Item readers(Item const& block) {
    auto list = empty_list(block.span);
    for (auto const& each : block.entries) {
      if (is_unread("data_reader", each)) continue;
      if (each.key != "reader" || each.value.kind != Item::Kind::mapping) {
        report_.add(diagnostics::unknown_field, each.key_span, {each.key, "data_reader"})
            .suggestions = nearest(each.key, {"reader"});
        continue;
      }
      if (auto item = reader(each); item.kind == Item::Kind::mapping)
        list.items.push_back(std::move(item));
    }
    return list;
  }

  /// `reader { name: "numpy" ... }` as `numpy: {...}`.
  Item reader(Entry const& entry) {
    auto body = entry.value;
    auto const name = std::find_if(body.entries.begin(), body.entries.end(),
                                   [](Entry const& each) { return each.key == "name"; });
    if (name == body.entries.end() || name->value.kind != Item::Kind::scalar) {
      report_.add(diagnostics::missing_field, entry.key_span, {"reader", "`name`"});
      return {};
    }
    auto const type_name = name->value.text;
    auto const type_span = name->value.span;
    body.entries.erase(name);
    auto const* type = vocabulary_.find_reader(type_name);
    auto fields = fields_.fields(body, "reader." + type_name, type ? &type->declaration : nullptr,
                                 entry.key_span);
    return single_entry(type_name, type_span, std::move(fields), entry.value.span);
  }

  Item model(Entry const& section, bool algorithm) {
    Item block, mapping;
    block.kind = Item::Kind::mapping;
    block.span = section.value.span;
    auto layers = empty_list(section.key_span), weights = layers, objective = layers,
         metrics = layers, callbacks = layers;
    auto const blocks = [&](Entry const& entry, Item& list, auto const& one) {
      if (entry.value.kind != Item::Kind::mapping)
        block.entries.push_back(entry);  // reported as what it is not
      else if (auto item = one(entry); item.kind == Item::Kind::mapping)
        list.items.push_back(std::move(item));
    };
    for (auto const& entry : section.value.entries) {
      if (entry.key == "layer")
        blocks(entry, layers, [&](Entry const& e) { return layer(e, layers.items.size() + 1); });
      else if (entry.key == "weights")
        blocks(entry, weights, [&](Entry const& e) { return weights_item(e); });
      else if (entry.key == "objective_function" && entry.value.kind == Item::Kind::mapping)
        for (auto const& term : entry.value.entries)
          objective.items.push_back(
              fields_.entry(single_entry(term.key, term.key_span, term.value, term.value.span),
                            "objective", vocabulary_.objective_list));
      else if (entry.key == "metric")
        blocks(entry, metrics, [&](Entry const& e) {
          return fields_.entry(e.value, "metric", vocabulary_.metric_list);
        });
      else if (entry.key == "callback")
        blocks(entry, callbacks, [&](Entry const& e) {
          return fields_.entry(e.value, "callback", vocabulary_.callback_list);
        });
      else
        block.entries.push_back(entry);
    }
    mapping = fields_.fields(block, "model", &vocabulary_.model, section.key_span);
    // The trainer's algorithm has the last word; without one, LBANN trains for `num_epochs`.
    auto const epochs = mapping.find("num_epochs");
    if (epochs == nullptr && !algorithm) {
      Item none;
      none.kind = Item::Kind::scalar;
      none.text = "0";
      none.span = section.key_span;
      mapping.entries.push_back({"num_epochs", section.key_span, std::move(none)});
    }
    auto const put = [&](std::string key, Item& list) {
      if (!list.items.empty() || key == "layers")
        mapping.entries.push_back({std::move(key), section.key_span, std::move(list)});
    };
    put("layers", layers);
    put("weights", weights);
    put("objective_function", objective);
    put("metrics", metrics);
    put("callbacks", callbacks);
    return mapping;
  }

  Item weights_item(Entry const& entry) {
    Item plain = entry.value;
    Item initializer, optimizer;
    for (auto const& each : entry.value.entries) {
      if (each.value.kind != Item::Kind::mapping) continue;
      if (each.key == "initializer")
        initializer = fields_.entry(each.value, "initializer", vocabulary_.initializer_list);
      if (each.key == "optimizer")
        optimizer = fields_.entry(each.value, "optimizer", vocabulary_.optimizer_list);
    }
    std::erase_if(plain.entries, [](Entry const& each) {
      return each.value.kind == Item::Kind::mapping &&
             (each.key == "initializer" || each.key == "optimizer");
    });
    auto mapping = fields_.fields(plain, "weights", &vocabulary_.weights, entry.key_span);
    auto const put = [&](std::string_view key, Item item) {
      // An empty message says nothing.
      if (auto const* written = entry.value.find(key); written != nullptr && !item.entries.empty())
        mapping.entries.push_back({std::string(key), written->key_span, std::move(item)});
    };
    put("initializer", std::move(initializer));
    put("optimizer", std::move(optimizer));
    return mapping;
  }

  /// The type is the one block that is no field of every layer.
  Item layer(Entry const& entry, std::size_t number) {
    Item common;
    common.kind = Item::Kind::mapping;
    common.span = entry.value.span;
    Item types = common;
    for (auto const& each : entry.value.entries)
      (is_common(each) ? common : types).entries.push_back(each);
    if (types.entries.empty()) {
      report_.add(diagnostics::missing_field, entry.key_span, {"layer", "a type, e.g. `relu {}`"});
      return {};
    }
    if (types.entries.size() > 1) {
      auto const& second = types.entries[1];
      report_.add(diagnostics::unknown_field, second.key_span, {second.key, "layer"})
          .labels.push_back({types.entries.front().key_span, "the type"});
      return {};
    }
    auto type = types.entries.front();
    if (type.key == "operator_layer") {
      // Types of an operator's operands are those of its layer.
      if (auto const* ops = type.value.find("ops"); ops != nullptr && !common.find("datatype"))
        if (auto const* given = ops->value.find("output_datatype"))
          common.entries.push_back({"datatype", given->key_span, given->value});
      type = operator_of(type);
    }
    if (auto const* rename = rename_of("layer", type.key)) type.key = rename->name;
    auto const* known = vocabulary_.layers.find(type.key);
    auto body = fields_.fields(common, "layer", &vocabulary_.layer, entry.key_span);
    finish_names(body, known, entry, number);
    spatial_lists(type);
    if (type.key == "input" && type.value.find("data_field") == nullptr)
      type.value.entries.push_back(samples_field(type.key_span));
    auto own = fields_.fields(type.value, "layer." + type.key,
                              known ? &known->declaration : nullptr, type.key_span);
    for (auto& field : own.entries) body.entries.push_back(std::move(field));
    return single_entry(type.key, type.key_span, std::move(body), entry.value.span);
  }

  bool is_common(Entry const& entry) const {
    auto const named = [&](auto const& each) { return each.name == entry.key; };
    auto const& layer = vocabulary_.layer;
    return std::any_of(layer.fields.begin(), layer.fields.end(), named) ||
           std::any_of(layer.parts.begin(), layer.parts.end(), named) ||
           entry.value.kind != Item::Kind::mapping;
  }

  /// `operator_layer { ops { parameters { [.../lbann_data.AddOperator] {} } } }` as `add: {}`.
  Entry operator_of(Entry const& layer) {
    auto const* ops = layer.value.find("ops");
    auto const* parameters = ops != nullptr ? ops->value.find("parameters") : nullptr;
    if (parameters == nullptr || parameters->value.entries.size() != 1 ||
        layer.value.entries.size() != 1) {
      report_.add(diagnostics::wrong_type, layer.value.span,
                  {"operator_layer", "one operator in `ops { parameters { ... } }`",
                   std::to_string(layer.value.entries.size()) + " fields"});
      return layer;
    }
    auto const& held = parameters->value.entries.front();
    Entry result{message_name(held.key), held.key_span, held.value};
    for (auto const& each : ops->value.entries)
      if (each.key != "parameters" && each.key != "device_allocation" &&
          each.key != "input_datatype" && each.key != "output_datatype")
        result.value.entries.push_back(each);
    return result;
  }

  /// What an input layer of LBANN takes where it is not told.
  static Entry samples_field(Span place) {
    Item name;
    name.kind = Item::Kind::scalar;
    name.quoted = true;
    name.text = "samples";
    name.span = place;
    return {"data_field", place, std::move(name)};
  }

  /// LBANN calls a layer without a name by its number; a layer without parents has none.
  void finish_names(Item& body, LayerType const* type, Entry const& entry, std::size_t number) {
    auto& entries = body.entries;
    if (body.find("name") == nullptr) {
      Item name;
      name.kind = Item::Kind::scalar;
      name.quoted = true;
      name.text = "layer" + std::to_string(number);
      name.span = entry.key_span;
      entries.insert(entries.begin(), {"name", entry.key_span, std::move(name)});
    }
    bool const takes_parents = type == nullptr || type->parents.most != 0;
    if (body.find("parents") == nullptr && takes_parents)
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

  Vocabulary const& vocabulary_;
  Report& report_;
  MessageFields fields_;
};

/// One message of several files: blocks are joined, the last optimizer holds.
Item joined(std::span<Document const> files) {
  Item root = files.front().root;
  root.entries.clear();
  for (auto const& file : files) {
    for (auto const& entry : file.root.entries) {
      auto const found = std::find_if(root.entries.begin(), root.entries.end(),
                                      [&](Entry const& each) { return each.key == entry.key; });
      if (found == root.entries.end()) {
        root.entries.push_back(entry);
      } else if (entry.key == "optimizer" || entry.value.kind != Item::Kind::mapping) {
        found->value = entry.value;
        found->key_span = entry.key_span;
      } else {
        auto& held = found->value.entries;
        held.insert(held.end(), entry.value.entries.begin(), entry.value.entries.end());
      }
    }
  }
  return root;
}

}  // namespace

Document import_prototext(std::span<Document const> files, Vocabulary const& vocabulary,
                          Report& report) {
  Document document;
  document.file = files.front().file;
  document.root = Import(vocabulary, report).root(joined(files));
  return document;
}

}  // namespace lbann::compiler
