// No default of the language silently replaces a zero of LBANN's messages: every field whose
// default is not zero has a rule, and every rule has its field.
#include "compiler/importer/prototext_rules.hpp"

#include <doctest/doctest.h>

#include <set>

#include "compiler/experiment/declarations.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

/// Fields the language has beyond LBANN's messages.
std::set<std::string> const own = {
    "reader.digits.num_samples",
    "reader.digits.size",
    "reader.python.data_fields",
    "reader.python.num_workers",
    "reader.python.sample_timeout",
    "reader.python.start_timeout",
    "callback.load_model.partial",
    "callback.save_images.num_images",
    "callback.summarize_images.dir",
    "callback.summary.dir",
    "trainer.accumulate",
    "layer.lstm.num_layers",
    "layer.external.num_outputs",
    "layer.external.differentiable",
    "layer.scaled_dot_product_attention.num_heads",
    "layer.unpooling.pool_pads",
    "reader.imagenet.channels",
    "reader.image_folder.channels",
    "reader.image_folder.scale",
    "reader.cifar100.scale",
    "reader.python_dataset.num_workers",
    "reader.python_dataset.sample_timeout",
    "reader.python_dataset.start_timeout",
    "reader.mesh.channels",
    "reader.mesh.target_name",
    "reader.mesh.suffix",
    "reader.mesh.data_height",
    "reader.mesh.data_width",
    "reader.mesh.index_length",
};

bool zero_by_itself(FieldInfo const& field) {
  struct Visitor {
    FieldInfo const& field;
    bool operator()(bool value) const { return !value; }
    bool operator()(std::int64_t value) const {
      return value == 0 || !field.range.holds(static_cast<double>(value));
    }
    bool operator()(double value) const { return value == 0 || !field.range.holds(value); }
    // The first enumerator is what proto3 takes; LBANN's own texts are patched where they are used.
    bool operator()(std::string const& value) const {
      return value.empty() || field.kind == FieldKind::choice;
    }
    bool operator()(std::vector<std::int64_t> const& value) const { return value.empty(); }
    bool operator()(std::vector<double> const& value) const { return value.empty(); }
    bool operator()(std::vector<std::string> const& value) const { return value.empty(); }
    bool operator()(Shape const&) const { return true; }
    bool operator()(Expression const&) const { return true; }
  };
  return std::visit(Visitor{field}, field.default_value);
}

struct Check {
  std::set<std::string> names;  ///< of all declared fields

  void type(DeclarationType const& type, std::string const& message) {
    for (auto const& field : type.fields) {
      auto const name = message + "." + std::string(field.name);
      names.insert(name);
      if (zero_by_itself(field) || field.presence == Presence::required || own.contains(name))
        continue;
      bool ruled = false;
      for (auto const* rule : rules_of(message)) ruled = ruled || rule->field == field.name;
      CHECK_MESSAGE(ruled, name, " has no rule");
    }
  }
  void types(std::vector<DeclarationType const*> const& list, std::string const& kind) {
    for (auto const* each : list) type(*each, kind + "." + std::string(each->name));
  }
};

}  // namespace

TEST_CASE("prototext_rules know every field that is not zero by default") {
  Declarations const declarations;
  Check check;
  check.types(declarations.optimizer_list, "optimizer");
  check.types(declarations.initializer_list, "initializer");
  check.types(declarations.objective_list, "objective");
  check.types(declarations.metric_list, "metric");
  check.types(declarations.callback_list, "callback");
  check.types(declarations.reader_list, "reader");
  check.types(declarations.training_algorithm_list, "algorithm");
  check.types(declarations.layer_list, "layer");
  check.types(declarations.reader_list.front()->parts.front().types, "transform");
  check.type(declarations.trainer, "trainer");
  check.type(declarations.model, "model");
  for (auto const* section : {&declarations.trainer, &declarations.model})
    for (auto const& part : section->parts)
      if (!part.typed()) check.type(*part.types.front(), std::string(part.types.front()->name));

  // Rules for layers that are not declared yet wait for them.
  for (auto const& rule : prototext_rules()) {
    std::string const message(rule.message);
    bool const declared_layer =
        !message.starts_with("layer.") || declarations.layers.find(message.substr(6)) != nullptr;
    if (!declared_layer || message.ends_with('*') || message == "jag_linear_normalization" ||
        message == "callback.categorical_accuracy" || message == "callback.track_sample_ids")
      continue;
    CHECK_MESSAGE(check.names.contains(message + "." + std::string(rule.field)), message, ".",
                  rule.field, " is declared nowhere");
  }
}
