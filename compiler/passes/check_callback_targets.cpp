// Pass: the layers and weights that callbacks name.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "compiler/graph/check_callbacks.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "compiler/lowering/callback_targets.hpp"
#include "compiler/lowering/mini_batch_changes.hpp"
#include "compiler/passes/graph_passes.hpp"
#include "schemas/callbacks/list.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

class TargetCheck {
 public:
  explicit TargetCheck(Compilation& compilation)
      : experiment_(compilation.experiment),
        graph_(compilation.graph),
        report_(compilation.report) {
    for (std::size_t i = 0; i < graph_.layers.size(); ++i)
      layers_.emplace(graph_.layers[i].name, LayerId(i));
    for (std::size_t i = 0; i < graph_.weights.size(); ++i)
      weights_.emplace(graph_.weights[i].name, WeightsId(i));
  }

  template <class... Ts>
  void check_as_declared(Declaration const& callback, std::variant<Ts...> const*) {
    auto const visit = [&]<class T>(T const*) {
      if (T::name != callback.type->name) return false;
      check_references(callback);
      check(callback, callback.as<T>());
      return true;
    };
    (void)(visit(static_cast<Ts const*>(nullptr)) || ...);
  }

 private:
  template <class T>
  using Places = std::unordered_map<std::string_view, T>;

  /// Those of these names that there are.
  template <class T>
  static std::vector<T> find(Places<T> const& places, std::vector<std::string> const& names) {
    std::vector<T> found;
    for (auto const& name : names)
      if (auto const place = places.find(name); place != places.end())
        found.push_back(place->second);
    return found;
  }

  /// Complains of names in `field` that nothing has.
  template <class T>
  void check_names(Declaration const& callback, std::string_view field, Places<T> const& places,
                   DiagnosticInfo const& unknown) {
    for (auto const& name : texts_in(callback, field)) {
      if (places.contains(name)) continue;
      std::vector<std::string_view> accepted;
      for (auto const& [known, id] : places) accepted.push_back(known);
      std::ranges::sort(accepted);
      report_.add(unknown, callback.place_of(field), {name}).suggestions = nearest(name, accepted);
    }
  }

  void check_references(Declaration const& callback) {
    for (auto const& [field, referent] : callbacks::references_of(callback.type->name)) {
      if (referent == callbacks::Referent::layer)
        check_names(callback, field, layers_, diagnostics::unknown_layer);
      if (referent == callbacks::Referent::weights)
        check_names(callback, field, weights_, diagnostics::unknown_weights);
    }
  }

  void no_effect(Declaration const& callback, std::string reason, Span span) {
    report_.add(diagnostics::no_effect, span,
                {std::string(callback.type->name), std::move(reason)});
  }

  /// Any callback, beside its names; weights it names without training them are worth a word.
  template <class T>
  void check(Declaration const& callback, T const& fields) {
    if constexpr (requires { fields.weights; }) {
      auto const place = callback.place_of("weights");
      for (auto const id : find(weights_, fields.weights))
        if (!std::is_same_v<T, callbacks::set_weights_value> &&
            !graph_.weights[id.index()].optimizer)
          no_effect(callback, "weights `" + graph_.weights[id.index()].name + "` are not trained",
                    place);
    }
    if constexpr (std::is_same_v<T, callbacks::poly_learning_rate>)
      if (fields.num_epochs == 0 && fields.max_iter == 0 && experiment_.training.max_epochs == 0)
        report_.add(diagnostics::missing_field, callback.type_span,
                    {std::string(T::name),
                     "`num_epochs` or `max_iter`, since training has no number of epochs"});
  }

  void check(Declaration const& callback, callbacks::perturb_weights const& fields) {
    if (fields.lower > fields.upper)
      report_.add(diagnostics::bounds_crossed, callback.place_of("lower"),
                  {"lower", fmt::format("{}", fields.lower), std::string(fields.name), "upper",
                   fmt::format("{}", fields.upper)});
  }

  void check(Declaration const& callback, callbacks::alternate_updates const& fields) {
    auto const [first, second] = alternate_weights(graph_, fields);
    for (auto const& [weights, field] :
         {std::pair(&first, "layers_1"), std::pair(&second, "layers_2")})
      if (weights->empty())
        no_effect(callback, "no trained weights belong to `" + std::string(field) + "` alone",
                  callback.place_of(field));
  }

  void check(Declaration const& callback, callbacks::replace_weights const& fields) {
    auto const sources = find(layers_, fields.source_layers);
    auto const destinations = find(layers_, fields.destination_layers);
    auto const place = callback.place_of("destination_layers");
    auto const unlike = [&](std::string to, std::string from, std::string why) {
      report_.add(diagnostics::unlike_weights, place,
                  {std::move(to), std::move(from), std::move(why)});
    };
    auto const count = [](std::size_t number, std::string const& what) {
      return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
    };
    if (fields.source_layers.size() != fields.destination_layers.size())
      return unlike(count(fields.destination_layers.size(), "layer"),
                    count(fields.source_layers.size(), "layer"), "they are not as many");
    if (sources.size() != fields.source_layers.size() || destinations.size() != sources.size())
      return;  // names that nothing has
    for (std::size_t i = 0; i < sources.size(); ++i) {
      auto const &from = graph_[sources[i]], &to = graph_[destinations[i]];
      if (from.weights.size() != to.weights.size())
        unlike("`" + to.name + "`", "`" + from.name + "`",
               std::to_string(to.weights.size()) + " of the one, " +
                   std::to_string(from.weights.size()) + " of the other");
      else
        for (std::size_t k = 0; k < from.weights.size(); ++k) {
          auto const& there = graph_.weights[from.weights[k].index()];
          auto const& here = graph_.weights[to.weights[k].index()];
          if (here.dims != there.dims)
            unlike("`" + to.name + "`", "`" + from.name + "`",
                   "`" + here.name + "` has dims " + to_text(here.dims) + ", `" + there.name +
                       "` " + to_text(there.dims));
        }
    }
  }

  Experiment const& experiment_;
  Graph const& graph_;
  Report& report_;
  Places<LayerId> layers_;
  Places<WeightsId> weights_;
};

}  // namespace

void check_callback_targets(Compilation& compilation) {
  TargetCheck targets(compilation);
  for (auto const* callback : all_callbacks(compilation.experiment)) {
    targets.check_as_declared(*callback, static_cast<Callback const*>(nullptr));
    targets.check_as_declared(*callback, static_cast<InstructionCallback const*>(nullptr));
  }
  check_mini_batch_changes(compilation.experiment, compilation.report);
}

}  // namespace lbann::compiler
