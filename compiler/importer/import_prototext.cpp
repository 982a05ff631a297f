// The sections of LBANN's experiment message; what stands in them is translated by declarations.
#include "compiler/importer/import_prototext.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "compiler/experiment/values/scalars.hpp"
#include "compiler/importer/import_layer.hpp"
#include "compiler/importer/message_fields.hpp"
#include "compiler/importer/message_keys.hpp"
#include "compiler/importer/message_table.hpp"
#include "compiler/importer/prototext_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

/// Fields that LBANN's messages have and nobody reads.
constexpr std::string_view unread_fields[][3] = {
    {"", "training_algorithm", "LBANN reads the trainer's"},
    {"data_reader", "max_par_io_size", "LBANN does not read it either"},
    {"data_reader", "requires_data_set_metadata", "`data_set_metadata` is read where it stands"},
};

class Import {
 public:
  Import(Declarations const& declarations, Report& report)
      : vocabulary_(declarations), report_(report), fields_(report) {}

  Node root(Node const& message) {
    Node root;
    root.kind = Node::Kind::mapping;
    root.span = message.span;
    auto const put = [&](std::string key, Entry const& from, Node value) {
      root.entries.push_back({std::move(key), from.key_span, std::move(value)});
    };
    for (auto const& section : message.entries) {
      if (is_unread("", section) || !is_message(section)) continue;
      auto const& block = section.value;
      if (section.key == "trainer") {
        put(section.key, section,
            fields_.fields(block, "trainer", &vocabulary_.trainer, section.key_span));
      } else if (section.key == "data_reader") {
        put(section.key, section, readers(block));
      } else if (section.key == "model") {
        put(section.key, section, model(section, has_algorithm(message)));
      } else if (section.key == "optimizer") {
        if (block.entries.empty()) continue;  // nothing is trained
        auto node = fields_.entry(block, "optimizer", vocabulary_.optimizer_list);
        if (node.kind == Node::Kind::mapping) put(section.key, section, std::move(node));
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
  /// Whether a value is a message, as it must be; one that is not is reported.
  bool is_message(Entry const& entry) {
    if (entry.value.kind == Node::Kind::mapping) return true;
    report_.add(diagnostics::wrong_type, entry.value.span,
                {entry.key, "a message, `" + entry.key + " { ... }`", describe(entry.value)});
    return false;
  }

  static bool has_algorithm(Node const& message) {
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

  Node readers(Node const& block) {
    auto list = empty_list(block.span);
    auto const keys = further_keys("data_reader");
    for (auto const& each : with_known_keys(block, "data_reader", keys, report_).entries) {
      if (is_unread("data_reader", each)) continue;
      if (!is_message(each)) continue;
      if (auto node = reader(each); node.kind == Node::Kind::mapping)
        list.items.push_back(std::move(node));
    }
    return list;
  }

  /// `reader { name: "numpy" ... }` as `numpy: {...}`.
  Node reader(Entry const& entry) {
    auto body = entry.value;
    // LBANN has one message for all readers.
    auto const& message = *find_message_type("Reader");
    if (body.find("name") == nullptr) {
      std::vector<std::string_view> keys;
      for (auto const& field : message.fields) keys.push_back(field.name);
      body = with_known_keys(body, "reader", keys, report_);
    }
    auto const name = std::find_if(body.entries.begin(), body.entries.end(),
                                   [](Entry const& each) { return each.key == "name"; });
    if (name == body.entries.end() || name->value.kind != Node::Kind::scalar) {
      report_.add(diagnostics::missing_field, entry.key_span, {"reader", "`name`"});
      return {};
    }
    auto const type_name = name->value.text;
    auto const type_span = name->value.span;
    body.entries.erase(name);
    auto const* type = vocabulary_.find_reader(type_name);
    if (type != nullptr) {
      auto const keys = message_keys("reader." + type_name, type->declaration);
      std::erase_if(body.entries, [&](Entry const& each) {
        bool const foreign =
            std::ranges::find(keys, each.key) == keys.end() && message.find(each.key) != nullptr;
        if (foreign)
          report_.add(diagnostics::no_effect, each.key_span,
                      {each.key, "`" + type_name + "` does not read it"});
        return foreign;
      });
    }
    auto fields = fields_.fields(body, "reader." + type_name, type ? &type->declaration : nullptr,
                                 entry.key_span);
    return single_entry(type_name, type_span, std::move(fields), entry.value.span);
  }

  /// `dir` of `summarizer { dir: "events" }`, which callbacks have in the language; null: not said.
  Entry const* event_folder(Node const& model) {
    auto const* summarizer = model.find("summarizer");
    if (summarizer == nullptr || !is_message(*summarizer)) return nullptr;
    with_known_keys(summarizer->value, "summarizer", {"dir"}, report_);
    bool const used = std::ranges::any_of(model.entries, [](Entry const& entry) {
      return entry.key == "callback" && std::ranges::any_of(entry.value.entries, [](auto const& c) {
               return writes_event_files(c.key);
             });
    });
    if (!used)
      report_.add(diagnostics::no_effect, summarizer->key_span,
                  {summarizer->key, "no callback writes event files"});
    return summarizer->value.find("dir");
  }

  /// The callback with this folder, if it writes event files.
  static Entry with_event_folder(Entry callback, Entry const* folder) {
    if (folder == nullptr) return callback;
    for (auto& type : callback.value.entries)
      if (writes_event_files(type.key) && type.value.kind == Node::Kind::mapping)
        type.value.entries.push_back(*folder);
    return callback;
  }

  Node model(Entry const& section, bool algorithm) {
    Node block, mapping;
    block.kind = Node::Kind::mapping;
    block.span = section.value.span;
    auto layers = empty_list(section.key_span), weights = layers, objective = layers,
         metrics = layers, callbacks = layers;
    auto const blocks = [&](Entry const& entry, Node& list, auto const& one) {
      if (!is_message(entry)) return;
      if (auto node = one(entry); node.kind == Node::Kind::mapping)
        list.items.push_back(std::move(node));
    };
    // One of a `oneof`.
    auto const chosen = [&](Entry const& entry, std::string_view example,
                            std::vector<DeclarationType const*> const& types) {
      if (!entry.value.entries.empty()) return fields_.entry(entry.value, entry.key, types);
      report_.add(diagnostics::missing_field, entry.key_span,
                  {entry.key, "a type, e.g. `" + std::string(example) + "`"});
      return Node{};
    };
    auto const keys = message_keys("model", vocabulary_.model);
    auto const known = with_known_keys(section.value, "model", keys, report_);
    auto const* event_folder = this->event_folder(known);
    for (auto const& entry : known.entries) {
      if (entry.key == "layer")
        blocks(entry, layers, [&](Entry const& e) {
          return import_layer(e, layers.items.size() + 1, vocabulary_, fields_, report_);
        });
      else if (entry.key == "weights")
        blocks(entry, weights, [&](Entry const& e) { return weights_node(e); });
      else if (entry.key == "objective_function" && is_message(entry))
        for (auto const& term : entry.value.entries)
          blocks(term, objective, [&](Entry const& e) {
            return fields_.entry(single_entry(e.key, e.key_span, e.value, e.value.span),
                                 "objective", vocabulary_.objective_list);
          });
      else if (entry.key == "metric")
        blocks(entry, metrics, [&](Entry const& e) {
          return chosen(e, "layer_metric { layer: ... }", vocabulary_.metric_list);
        });
      else if (entry.key == "callback")
        blocks(entry, callbacks, [&](Entry const& e) {
          return chosen(with_event_folder(e, event_folder), "print {}", vocabulary_.callback_list);
        });
      else if (entry.key != "objective_function" && entry.key != "summarizer")
        block.entries.push_back(entry);
    }
    drop_unused(layers, weights);
    order_weights(layers, objective);
    mapping = fields_.fields(block, "model", &vocabulary_.model, section.key_span);
    // The trainer's algorithm has the last word; without one, LBANN trains for `num_epochs`.
    auto const epochs = mapping.find("num_epochs");
    if (epochs == nullptr && !algorithm) {
      Node none;
      none.kind = Node::Kind::scalar;
      none.text = "0";
      none.span = section.key_span;
      mapping.entries.push_back({"num_epochs", section.key_span, std::move(none)});
    }
    auto const put = [&](std::string key, Node& list) {
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

  /// The order of weights in a term means nothing in LBANN, whose front end writes them in any:
  /// that of the layers that use them.
  static void order_weights(Node const& layers, Node& objective) {
    std::map<std::string_view, std::size_t> order;
    for (auto const& layer : layers.items)
      if (auto const* used = layer.entries.front().value.find("weights"))
        for (auto const& name : used->value.items) order.emplace(name.text, order.size());
    auto const place = [&](Node const& name) {
      auto const found = order.find(name.text);
      return found == order.end() ? order.size() : found->second;
    };
    auto const earlier = [&](Node const& a, Node const& b) { return place(a) < place(b); };
    for (auto& term : objective.items)
      for (auto& field : term.entries.front().value.entries)
        if (field.key == "weights")
          std::stable_sort(field.value.items.begin(), field.value.items.end(), earlier);
  }

  /// Weights that no layer names, LBANN forgets.
  void drop_unused(Node const& layers, Node& weights) {
    std::set<std::string_view> used;
    for (auto const& layer : layers.items)
      if (auto const* named = layer.entries.front().value.find("weights"))
        for (auto const& name : named->value.items) used.insert(name.text);
    std::erase_if(weights.items, [&](Node const& node) {
      auto const* name = node.find("name");
      if (name == nullptr || used.contains(name->value.text)) return false;
      report_.add(diagnostics::no_effect, name->value.span,
                  {"weights", "no layer uses them, and LBANN forgets them"});
      return true;
    });
  }

  Node weights_node(Entry const& entry) {
    auto const given = with_known_keys(entry.value, "weights",
                                       message_keys("weights", vocabulary_.weights), report_);
    Node plain = given;
    Node initializer, optimizer;
    for (auto const& each : given.entries) {
      if ((each.key != "initializer" && each.key != "optimizer") || !is_message(each)) continue;
      if (each.key == "initializer")
        initializer = fields_.entry(each.value, "initializer", vocabulary_.initializer_list);
      if (each.key == "optimizer")
        optimizer = fields_.entry(each.value, "optimizer", vocabulary_.optimizer_list);
    }
    std::erase_if(plain.entries, [](Entry const& each) {
      return each.key == "initializer" || each.key == "optimizer";
    });
    auto mapping = fields_.fields(plain, "weights", &vocabulary_.weights, entry.key_span);
    auto const put = [&](std::string_view key, Node node) {
      // An empty message says nothing.
      if (auto const* written = given.find(key); written != nullptr && !node.entries.empty())
        mapping.entries.push_back({std::string(key), written->key_span, std::move(node)});
    };
    put("initializer", std::move(initializer));
    put("optimizer", std::move(optimizer));
    return mapping;
  }

  Declarations const& vocabulary_;
  Report& report_;
  MessageFields fields_;
};

/// One message of several files: blocks are joined, the last optimizer holds.
Node joined(std::span<Document const> files, Report& report) {
  Node root = files.front().root;
  root.entries.clear();
  auto const keys = further_keys("experiment");
  for (auto const& file : files) {
    for (auto const& entry : with_known_keys(file.root, "experiment", keys, report).entries) {
      auto const found = std::find_if(root.entries.begin(), root.entries.end(),
                                      [&](Entry const& each) { return each.key == entry.key; });
      if (found == root.entries.end()) {
        root.entries.push_back(entry);
      } else if (entry.key == "optimizer" || entry.value.kind != Node::Kind::mapping) {
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

Document import_prototext(std::span<Document const> files, Declarations const& declarations,
                          Report& report) {
  Document document;
  document.file = files.front().file;
  document.root = Import(declarations, report).root(joined(files, report));
  return document;
}

}  // namespace lbann::compiler
