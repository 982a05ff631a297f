// Gathers the tables of declared types.
#include "compiler/experiment/vocabulary.hpp"

#include "compiler/experiment/sections.hpp"
#include "schemas/callbacks/list.hpp"
#include "schemas/data_readers/list.hpp"

namespace lbann::compiler {

namespace {

template <class... Ts>
std::vector<ReaderType> reader_types(std::variant<Ts...> const*) {
  return {{declaration_type<Ts>(),
           [](void const* reader) { return static_cast<Ts const*>(reader)->gives(); },
           [](void const* reader) { return static_cast<Ts const*>(reader)->samples(); }}...};
}

template <class... Ts>
std::vector<DeclarationType> declaration_types(std::variant<Ts...> const*) {
  return {declaration_type<Ts>()...};
}

/// Layers that passes insert and no user writes.
bool internal(std::string_view layer) { return layer == "evaluation"; }

}  // namespace

Vocabulary::Vocabulary()
    : readers(reader_types(static_cast<DataReader const*>(nullptr))),
      callbacks(declaration_types(static_cast<Callback const*>(nullptr))),
      trainer(declaration_type<sections::trainer>()),
      training_algorithm(declaration_type<sections::sgd>()),
      model(declaration_type<sections::model>()),
      layer(declaration_type<sections::layer>()),
      weights(declaration_type<sections::weights>()),
      layer_term(declaration_type<sections::layer_term>()),
      l2_weight_regularization(declaration_type<sections::l2_weight_regularization>()),
      layer_metric(declaration_type<sections::layer_metric>()) {
  for (auto const* type : layers.all())
    if (!internal(type->declaration.name)) layer_list.push_back(&type->declaration);
  for (auto const* type : optimizers.all()) optimizer_list.push_back(&type->declaration);
  for (auto const* type : initializers.all()) initializer_list.push_back(&type->declaration);
  for (auto const& type : readers) reader_list.push_back(&type.declaration);
  for (auto const& type : callbacks) callback_list.push_back(&type);
  training_algorithm_list = {&training_algorithm};
  objective_list = {&layer_term, &l2_weight_regularization};
  metric_list = {&layer_metric};
}

ReaderType const* Vocabulary::find_reader(std::string_view name) const {
  for (auto const& type : readers)
    if (type.declaration.name == name) return &type;
  return nullptr;
}

}  // namespace lbann::compiler
