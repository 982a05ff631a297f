// Gathers the tables of declared types.
#include "compiler/experiment/declarations.hpp"

#include "compiler/experiment/data_set_metadata.hpp"
#include "compiler/experiment/sections.hpp"
#include "compiler/experiment/training_algorithms.hpp"
#include "schemas/data_readers/list.hpp"
#include "schemas/metrics/list.hpp"
#include "schemas/samples/reader_sources.hpp"

namespace lbann::compiler {

namespace {

template <class Reader>
std::optional<data_readers::FieldConflict> conflict_of(void const* reader) {
  if constexpr (requires(Reader const& any) { any.conflict(); })
    return static_cast<Reader const*>(reader)->conflict();
  else
    return std::nullopt;
}

template <class Reader>
double byte_scale_of(void const* reader) {
  if constexpr (requires(Reader const& any) { any.byte_scale(); })
    return static_cast<Reader const*>(reader)->byte_scale();
  else
    return 1;
}

template <class T>
ReaderType reader_type() {
  ReaderType type{declaration_type<T>(),
                  [](void const* reader) { return given_fields(*static_cast<T const*>(reader)); },
                  [](void const* reader) { return static_cast<T const*>(reader)->samples(); },
                  conflict_of<T>,
                  nullptr,
                  [](void const* reader) -> data_readers::reader const& {
                    return *static_cast<T const*>(reader);
                  },
                  T::runs_user_code,
                  byte_scale_of<T>};
  type.sources = [](void const* reader, OpenContext const& context) {
    return reader_sources(*static_cast<T const*>(reader), context);
  };
  if constexpr (requires(T const& any) { any.schema_files(); }) {
    type.schema_files = [](void const* reader) {
      return static_cast<T const*>(reader)->schema_files();
    };
  }
  if constexpr (requires { T::takes_metadata; }) type.takes_metadata = T::takes_metadata;
  if constexpr (std::is_base_of_v<data_readers::hdf5_records, T>) {
    type.with_datasets = [](void const* reader, std::vector<data_readers::hdf5_dataset> datasets) {
      auto told = std::make_shared<T>(*static_cast<T const*>(reader));
      told->datasets = std::move(datasets);
      return std::shared_ptr<void const>(std::move(told));
    };
  }
  return type;
}

template <class... Ts>
std::vector<ReaderType> reader_types(std::variant<Ts...> const*) {
  std::vector<ReaderType> types;
  for (auto const make : {reader_type<Ts>...}) types.push_back(make());
  return types;
}

template <class T>
MetricType metric_type() {
  return {declaration_type<T>(),
          [](void const* metric) { return static_cast<T const*>(metric)->shown_name(); }};
}

template <class... Ts>
std::vector<MetricType> metric_types(std::variant<Ts...> const*) {
  return {metric_type<Ts>()...};
}

}  // namespace

Declarations::Declarations()
    : readers(reader_types(static_cast<DataReader const*>(nullptr))),
      layer_metrics(metric_types(static_cast<LayerMetric const*>(nullptr))),
      external_metrics(metric_types(static_cast<ExternalMetric const*>(nullptr))),
      trainer(declaration_type<sections::trainer>()),
      model(declaration_type<sections::model>()),
      layer(declaration_type<sections::layer>()),
      weights(declaration_type<sections::weights>()),
      data_set_metadata(declaration_type<sections::data_set_metadata>()),
      training_algorithms{declaration_type<sections::sgd>(), declaration_type<sections::ltfb>(),
                          declaration_type<sections::kfac>()} {
  for (auto const* type : layers.all())
    if (!type->inserted_only) layer_list.push_back(&type->declaration);
  for (auto const* type : optimizers.all()) optimizer_list.push_back(&type->declaration);
  for (auto const* type : initializers.all()) initializer_list.push_back(&type->declaration);
  for (auto const& type : readers) reader_list.push_back(&type.declaration);
  for (auto const& type : callbacks.all()) callback_list.push_back(&type.declaration);
  for (auto const& type : training_algorithms) training_algorithm_list.push_back(&type);
  for (auto const* type : objective_terms.all()) objective_list.push_back(&type->declaration);
  for (auto const* metrics : {&layer_metrics, &external_metrics})
    for (auto const& type : *metrics) metric_list.push_back(&type.declaration);
  trainer.parts = {
      {"training_algorithm", "What happens between the first and the last step.", PartForm::entry,
       training_algorithm_list},
      {"callbacks", "What else happens during training.", PartForm::entries, callback_list},
      {"data_coordinator",
       sections::data_coordinator::summary,
       PartForm::section,
       {detail::inner_type<sections::data_coordinator>()}},
      {"mesh", sections::mesh::summary, PartForm::section, {detail::inner_type<sections::mesh>()}}};
}

ReaderType const* Declarations::find_reader(std::string_view name) const {
  for (auto const& type : readers)
    if (type.declaration.name == name) return &type;
  return nullptr;
}

}  // namespace lbann::compiler
