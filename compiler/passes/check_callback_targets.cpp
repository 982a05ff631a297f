// Pass: the layers and weights that callbacks name.
#include <algorithm>

#include "compiler/graph/check_callbacks.hpp"
#include "compiler/graph/model_view.hpp"
#include "compiler/passes/graph_passes.hpp"
#include "schemas/callbacks/execution_modes.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

using callbacks::Referent;

class TargetCheck {
 public:
  explicit TargetCheck(Compilation& compilation)
      : compilation_(compilation), model_(model_view(compilation.graph, compilation.experiment)) {
    for (auto const& layer : model_.layers) layers_.push_back(layer.name);
    for (auto const& weights : model_.weights) weights_.push_back(weights.name);
    std::ranges::sort(layers_);
    std::ranges::sort(weights_);
  }

  void check(Declaration const& callback) {
    auto const* type = compilation_.callback_types.find(callback.type->name);
    if (type == nullptr || callback.type->support != Support::implemented) return;
    bool known = true;
    for (auto const& [field, referent] : type->references)
      known = check_names(callback, field, referent) && known;
    if (!known) return;  // rules look up what is named
    auto const* object = callback.object.get();
    if (type->check_model != nullptr) {
      FindingsAt findings(callback, compilation_.report);
      type->check_model(object, model_, findings);
    }
    if (type->check != nullptr)
      type->check(object,
                  {callback, model_, compilation_.experiment.mini_batch_size, compilation_.report});
    if (type->mini_batches != nullptr)
      check_single(callback, sizes_, diagnostics::mini_batch_sizes_twice);
    if (type->mixing != nullptr) check_single(callback, mixing_, diagnostics::mixed_twice);
    if (compilation_.experiment.accumulate > 1) check_micro_batches(callback, *type);
    auto const first = type->first_epoch == nullptr ? 0 : type->first_epoch(object);
    if (model_.max_epochs > 0 && first >= model_.max_epochs)
      compilation_.report.add(
          diagnostics::never_acts, callback.type_span,
          {std::string(callback.type->name), "it begins after epoch " + std::to_string(first) +
                                                 ", and training ends with epoch " +
                                                 std::to_string(model_.max_epochs)});
  }

 private:
  /// Reports names in `field` that nothing has, and weights that are named but not trained. Whether
  /// there is something of each name.
  bool check_names(Declaration const& callback, std::string_view field, Referent referent) {
    bool const layer = referent == Referent::layer || referent == Referent::optional_layer;
    if (!layer && referent != Referent::weights && referent != Referent::trained_weights)
      return true;
    bool all_known = true;
    auto const& known = layer ? layers_ : weights_;
    auto const place = callback.place_of(field);
    for (auto const& name : texts_in(callback, field))
      if (name.empty() && referent == Referent::optional_layer) {
        continue;
      } else if (!std::ranges::binary_search(known, name)) {
        compilation_.report
            .add(layer ? diagnostics::unknown_layer : diagnostics::unknown_weights, place, {name})
            .suggestions = nearest(name, known);
        all_known = false;
      } else if (referent == Referent::trained_weights &&
                 !model_[model_.find_weights(name)].trained) {
        compilation_.report.add(
            diagnostics::no_effect, place,
            {std::string(callback.type->name), "weights `" + name + "` are not trained"});
      }
    return all_known;
  }

  /// `callback` must be the only one that does something; `first`: the one that was met before.
  void check_single(Declaration const& callback, Declaration const*& first,
                    DiagnosticInfo const& twice) {
    if (first != nullptr)
      compilation_.report
          .add(twice, callback.type_span, {"`" + std::string(callback.type->name) + "`"})
          .labels.push_back({first->type_span, "the first"});
    else
      first = &callback;
  }

  /// Values of samples exist for the last micro-batch of a step alone, and mini-batches of every
  /// size have equal micro-batches.
  void check_micro_batches(Declaration const& callback, CallbackType const& type) {
    auto const& experiment = compilation_.experiment;
    auto const observed = type.observes(callback.object.get());
    bool const in_training = std::ranges::any_of(observed.outputs, [](auto const& outputs) {
      return callbacks::acts_in(outputs.execution_modes, ExecutionMode::training);
    });
    if (in_training || observed.error_signals)
      compilation_.report.add(diagnostics::observed_micro_batches, callback.type_span,
                              {std::string(callback.type->name)});
    if (type.mini_batches == nullptr) return;
    for (auto const& change : type.mini_batches(callback, experiment.mini_batch_size))
      if (change.mini_batch % experiment.accumulate != 0) {
        compilation_.report.add(
            diagnostics::uneven_micro_batches, callback.type_span,
            {std::to_string(change.mini_batch), std::to_string(experiment.accumulate)});
        return;
      }
  }

  Compilation& compilation_;
  callbacks::ModelView model_;
  std::vector<std::string_view> layers_, weights_;  ///< names, sorted
  Declaration const* sizes_ = nullptr;   ///< the first callback that tells sizes of mini-batches
  Declaration const* mixing_ = nullptr;  ///< the first one that mixes samples
};

}  // namespace

void check_callback_targets(Compilation& compilation) {
  TargetCheck targets(compilation);
  for (auto const* callback : all_callbacks(compilation.experiment)) targets.check(*callback);
}

}  // namespace lbann::compiler
