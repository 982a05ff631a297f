// Ranges, contradictions and references of what an experiment declares.
#include "schemas/plan/verify_declared.hpp"

#include <algorithm>

#include "schemas/callbacks/list.hpp"
#include "schemas/callbacks/phases.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/data_readers/list.hpp"
#include "schemas/metrics/list.hpp"
#include "schemas/plan/location.hpp"
#include "schemas/vocabulary/field_check.hpp"

namespace lbann {

namespace {

using callbacks::Referent;
using Fault = std::optional<std::string>;

/// The fields of an object as their declaration wants them.
template <class T>
Fault find_own_fault(T const& object) {
  static T const untouched;
  auto const fields = fields_of(object);
  auto const defaults = fields_of(untouched);
  auto fault = find_fault(fields, defaults);
  if (!fault) fault = find_unimplemented(fields, defaults);
  if (fault) return "`" + std::string(fault->field) + "` " + fault->words;
  if constexpr (requires { object.conflict(); })
    if (auto const conflict = object.conflict())
      return "`" + std::string(conflict->field) + "`: " + conflict->words;
  return std::nullopt;
}

/// What is wrong with a record that must be of one of these types: with its type, its fields, or
/// what `check` says of the object.
template <class... Ts, class Check>
Fault find_record_fault(Record const& record, std::variant<Ts...> const*, Check const& check) {
  Fault fault = "this program has none of this type";
  auto const attempt = [&]<class T>(T const*) {
    if (T::name != record.type) return;
    auto const object = from_record<T>(record);
    if (!object)
      fault = "its fields are not those that this program knows";
    else if (fault = find_own_fault(*object); !fault)
      fault = check(*object);
  };
  (attempt(static_cast<Ts const*>(nullptr)), ...);
  return fault;
}

class DeclaredVerifier {
 public:
  explicit DeclaredVerifier(Plan const& plan) : plan_(plan) {}

  Fault run() const {
    for (auto const& source : plan_.data)
      if (auto fault = find_reader_fault(source)) return told("reader", source.reader, *fault);
    for (auto const& callback : plan_.callbacks)
      if (auto fault = find_callback_fault(callback.record))
        return told("callback", callback, *fault);
    for (auto const& metric : plan_.metrics)
      if (metric.external)
        if (auto fault =
                find_record_fault(metric.external->record,
                                  static_cast<ExternalMetric const*>(nullptr), no_more_checks))
          return told("metric", *metric.external, *fault);
    return std::nullopt;
  }

 private:
  static constexpr auto no_more_checks = [](auto const&) -> Fault { return std::nullopt; };

  std::string told(std::string const& kind, Declared const& declared,
                   std::string const& words) const {
    return located(plan_.sources, declared.span,
                   kind + " `" + declared.record.type + "`: " + words);
  }

  Fault find_reader_fault(DataSource const& source) const {
    auto const& record = source.reader.record;
    // A plan that asks for what is not supported yet is only described, never run.
    if (!plan_.unimplemented.empty()) return std::nullopt;
    return find_record_fault(record, static_cast<DataReader const*>(nullptr),
                             [&](data_readers::reader const& common) -> Fault {
                               if (common.role == source.role) return std::nullopt;
                               return "`role` is not that of its samples";
                             });
  }

  Fault find_callback_fault(Record const& record) const {
    if (!plan_.unimplemented.empty()) return std::nullopt;
    return find_record_fault(record, static_cast<Callback const*>(nullptr),
                             [&]<class T>(T const& callback) -> Fault {
                               for (auto const& reference : callbacks::references_of<T>())
                                 if (auto fault = find_missing(record, reference)) return fault;
                               return find_further_fault(callback);
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
      case Referent::layer:
        return among(plan_.layers, &LayerInfo::name);
      case Referent::weights:
        return among(plan_.weights, &WeightsInfo::name);
      case Referent::metric:
        return among(plan_.metrics, &Measure::name);
      case Referent::phase:
        break;
    }
    return std::ranges::find(callbacks::execution_mode_words, name) !=
           callbacks::execution_mode_words.end();
  }

  static std::string missing(Referent referent) {
    switch (referent) {
      case Referent::layer:
        return "and the plan has no such layer";
      case Referent::weights:
        return "and the plan has no such weights";
      case Referent::metric:
        return "and the plan has no such metric";
      case Referent::phase:
        break;
    }
    return "and a run has no such phase";
  }

  template <class T>
  Fault find_further_fault(T const&) const {
    return std::nullopt;
  }

  /// What is compared with differences is there.
  Fault find_further_fault(callbacks::check_gradients const&) const {
    if (plan_.objective.step_value.valid()) return std::nullopt;
    return "the plan has no value of the objective to take differences of";
  }

  /// Both layers are observed in all steps, as values of the same classes for each sample.
  Fault find_further_fault(callbacks::confusion_matrix const& matrix) const {
    for (auto const* entry : {"train", "evaluate"}) {
      std::vector<Shape> shapes;
      for (auto const& name : {matrix.prediction, matrix.label})
        for (auto const& observation : plan_.observations)
          if (observation.observable == Observable::output && observation.index == 0 &&
              observation.entry == entry && observation.name == name)
            shapes.push_back(plan_.program[observation.tensor].type.shape);
      auto const sound = [](Shape const& shape) {
        return shape.has_batch() && shape.elements(1) <= callbacks::confusion_matrix::most_classes;
      };
      if (shapes.size() != 2 || shapes[0] != shapes[1] || !sound(shapes[0]))
        return "`prediction` and `label` are not observed in `" + std::string(entry) +
               "` as values of at most " +
               std::to_string(callbacks::confusion_matrix::most_classes) + " classes each";
    }
    return std::nullopt;
  }

  Plan const& plan_;
};

}  // namespace

std::optional<std::string> find_declared_fault(Plan const& plan) {
  return DeclaredVerifier(plan).run();
}

}  // namespace lbann
