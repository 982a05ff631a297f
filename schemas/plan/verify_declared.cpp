// Ranges, contradictions and references of what an experiment declares.
#include "schemas/plan/verify_declared.hpp"

#include <algorithm>

#include "schemas/callbacks/execution_modes.hpp"
#include "schemas/callbacks/list.hpp"
#include "schemas/callbacks/model_view.hpp"
#include "schemas/callbacks/observed_values.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/data_readers/list.hpp"
#include "schemas/files/file_name.hpp"
#include "schemas/metrics/list.hpp"
#include "schemas/plan/location.hpp"
#include "schemas/vocabulary/field_check.hpp"

namespace lbann {

namespace {

using callbacks::Referent;
using Fault = std::optional<std::string>;

/// The first path that would be written to out of the folder of the run.
std::optional<FieldProblem> find_path_outside(std::span<FieldView const> fields) {
  for (auto const& field : fields) {
    if (!field.terms->written) continue;
    auto const path = std::get<std::string>(field.value());
    if (!stays_within(path))
      return FieldProblem{field.terms->name, "would write to `" + path +
                                                 "`, which leads out of the folder of the run"};
  }
  return std::nullopt;
}

/// The fields of an object as their declaration wants them.
template <class T>
Fault verify_fields(T const& object) {
  static T const untouched;
  auto const fields = fields_of(object);
  auto const defaults = fields_of(untouched);
  auto fault = verify(fields, defaults);
  if (!fault) fault = find_unimplemented(fields, defaults);
  if (!fault) fault = find_path_outside(fields);
  if (fault) return "`" + std::string(fault->field) + "` " + fault->words;
  if constexpr (requires { object.conflict(); })
    if (auto const conflict = object.conflict())
      return "`" + std::string(conflict->field) + "`: " + conflict->words;
  return std::nullopt;
}

/// What is wrong with a record that must be of one of these types: with its type, its fields, or
/// what `check` says of the object.
template <class... Ts, class Check>
Fault verify_record(Record const& record, std::variant<Ts...> const*, Check const& check) {
  Fault fault = "this program has none of this type";
  auto const attempt = [&]<class T>(T const*) {
    if (T::name != record.type) return;
    auto const object = from_record<T>(record);
    if (!object)
      fault = "its fields are not those that this program knows";
    else if (fault = verify_fields(*object); !fault)
      fault = check(*object);
  };
  (attempt(static_cast<Ts const*>(nullptr)), ...);
  return fault;
}

callbacks::ModelView model_of(Plan const& plan) {
  callbacks::ModelView model;
  model.has_objective = plan.objective.step_value.valid();
  model.max_epochs = plan.training.max_epochs;
  for (auto const& source : plan.data) model.add_reader(source.role, source.reader.record);
  for (auto const& weights : plan.weights)
    model.weights.push_back({weights.name, weights.dims, !weights.optimizer.empty()});
  for (auto const& layer : plan.layers) {
    model.layers.push_back({layer.name, layer.dims, {}});
    for (auto const& name : layer.weights)
      if (auto const id = model.find_weights(name); id.valid())
        model.layers.back().weights.push_back(id);
  }
  return model;
}

class DeclaredVerifier {
 public:
  explicit DeclaredVerifier(Plan const& plan) : plan_(plan), model_(model_of(plan)) {}

  Fault run() const {
    for (auto const& source : plan_.data)
      if (auto fault = verify_reader(source)) return told("reader", source.reader, *fault);
    for (auto const& callback : plan_.callbacks)
      if (auto fault = verify_callback(callback.record)) return told("callback", callback, *fault);
    for (auto const& metric : plan_.metrics)
      if (metric.external)
        if (auto fault = verify_record(metric.external->record,
                                       static_cast<ExternalMetric const*>(nullptr), no_more_checks))
          return told("metric", *metric.external, *fault);
    return std::nullopt;
  }

 private:
  Plan const& plan_;
  callbacks::ModelView model_;

  static constexpr auto no_more_checks = [](auto const&) -> Fault { return std::nullopt; };

  std::string told(std::string const& kind, Declared const& declared,
                   std::string const& words) const {
    return located(plan_.sources, declared.span,
                   kind + " `" + declared.record.type + "`: " + words);
  }

  Fault verify_reader(DataSource const& source) const {
    auto const& record = source.reader.record;
    // A plan that asks for what is not supported yet is only described, never run.
    if (!plan_.unimplemented.empty()) return std::nullopt;
    for (auto const& applied : source.transforms)
      if (auto fault = verify_record(applied.transform.record,
                                     static_cast<Transform const*>(nullptr), no_more_checks))
        return "transform `" + applied.transform.record.type + "`: " + *fault;
    for (auto const& dataset : source.datasets)
      if (auto fault = verify_record(
              dataset.record, static_cast<std::variant<data_readers::hdf5_dataset> const*>(nullptr),
              no_more_checks))
        return "dataset: " + *fault;
    return verify_record(record, static_cast<DataReader const*>(nullptr),
                         [&](data_readers::reader const& common) -> Fault {
                           if (common.role == source.role) return std::nullopt;
                           return "`role` is not that of its samples";
                         });
  }

  Fault verify_callback(Record const& record) const {
    if (!plan_.unimplemented.empty()) return std::nullopt;
    return verify_record(record, static_cast<DeclaredCallback const*>(nullptr),
                         [&]<class T>(T const& callback) -> Fault {
                           for (auto const& reference : callbacks::references_of<T>())
                             if (auto fault = find_missing(record, reference)) return fault;
                           if (auto fault = find_objection(callback)) return fault;
                           return find_unobserved(callbacks::observed_by(callback));
                         });
  }

  /// A name in a field that nothing has.
  Fault find_missing(Record const& record, callbacks::Reference const& reference) const {
    for (auto const& [field, value] : record.fields) {
      if (field != reference.field) continue;
      std::vector<std::string> names;
      if (auto const* list = std::get_if<std::vector<std::string>>(&value)) names = *list;
      if (auto const* one = std::get_if<std::string>(&value)) names = {*one};
      for (auto const& name : names)
        if (!exists(name, reference.referent))
          return "`" + field + "` names `" + name + "`, " + missing(reference.referent);
    }
    return std::nullopt;
  }

  bool exists(std::string const& name, Referent referent) const {
    auto const among = [&](auto const& list, auto member) {
      return std::ranges::find(list, name, member) != list.end();
    };
    switch (referent) {
      case Referent::optional_layer:
        if (name.empty()) return true;
        [[fallthrough]];
      case Referent::layer:
        return among(plan_.layers, &LayerInfo::name);
      case Referent::weights:
      case Referent::trained_weights:
        return among(plan_.weights, &WeightsInfo::name);
      case Referent::metric:
        return among(plan_.metrics, &Measure::name);
      case Referent::measure:
        return name.empty() || name == callbacks::objective_word ||
               among(plan_.metrics, &Measure::name);
      case Referent::phase:
        break;
    }
    return std::ranges::find(callbacks::execution_mode_words, name) !=
           callbacks::execution_mode_words.end();
  }

  static std::string missing(Referent referent) {
    switch (referent) {
      case Referent::layer:
      case Referent::optional_layer:
        return "and the plan has no such layer";
      case Referent::weights:
      case Referent::trained_weights:
        return "and the plan has no such weights";
      case Referent::metric:
      case Referent::measure:
        return "and the plan has no such metric";
      case Referent::phase:
        break;
    }
    return "and a run has no such phase";
  }

  /// What the declaration objects to, by the rules of the compiler.
  template <class T>
  Fault find_objection(T const& callback) const {
    FirstFinding first;
    if constexpr (requires { callback.check(first); }) callback.check(first);
    if constexpr (requires { callback.check(model_, first); }) callback.check(model_, first);
    return first.words;
  }

  /// What the callback reads of layers that it names is observed, with the dims of these layers.
  Fault find_unobserved(callbacks::ObservedValues const& observed) const {
    if (observed.gradient_checks && !plan_.objective.step_value.valid())
      return "the plan has no value of the objective to take differences of";
    for (auto const& [layers, modes] : observed.outputs)
      for (auto const& name : layers)
        for (auto const& [entry, executed_in] : observing_entries)
          if (acts_in_any(modes, executed_in) && !is_observed(name, entry))
            return "output 0 of `" + name + "` is not observed in `" + std::string(entry) + "`";
    return std::nullopt;
  }

  struct Observing {
    std::string_view entry;
    std::vector<ExecutionMode> executed_in;
  };

  static bool acts_in_any(std::vector<std::string> const& modes,
                          std::vector<ExecutionMode> const& executed_in) {
    return std::ranges::any_of(executed_in,
                               [&](ExecutionMode mode) { return callbacks::acts_in(modes, mode); });
  }

  bool is_observed(std::string const& layer, std::string_view entry) const {
    auto const* info = model_.find_layer(layer);
    if (info == nullptr || info->outputs.empty()) return false;
    return std::ranges::any_of(plan_.observations, [&](Observation const& observation) {
      return observation.observable == Observable::output && observation.index == 0 &&
             observation.entry == entry && observation.name == layer &&
             plan_.program[observation.tensor].type.shape == batched(info->outputs[0]);
    });
  }

  /// Takes the first objection, in the words of its diagnostic.
  struct FirstFinding final : callbacks::Findings {
    void add(DiagnosticInfo const& info, std::string_view field,
             std::vector<std::string> arguments) override {
      if (words || info.severity != Severity::error) return;
      words = (field.empty() ? "" : "`" + std::string(field) + "`: ") + std::string(info.code);
      for (auto const& argument : arguments) *words += ", " + argument;
    }
    Fault words;
  };

  std::vector<Observing> const observing_entries = {
      {"train", {ExecutionMode::training}},
      {"evaluate", {ExecutionMode::validation, ExecutionMode::testing}}};
};

}  // namespace

std::optional<std::string> verify_declared(Plan const& plan) {
  return DeclaredVerifier(plan).run();
}

}  // namespace lbann
