// Interface of a callback's declaration: fields, references, values read, lowering.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/callbacks/hyperparameter.hpp"
#include "compiler/declarations/declaration.hpp"
#include "compiler/diagnostics/diagnostic.hpp"
#include "schemas/callbacks/model_view.hpp"
#include "schemas/callbacks/observed_values.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/expression/builder.hpp"
#include "schemas/plan/plan.hpp"

namespace lbann::compiler {

/// Passed to `lower` of a callback that changes numbers. Until `at` is called, instructions are
/// part of `train`, between the gradients and the updates of the optimizers.
class CallbackLowering {
 public:
  virtual ~CallbackLowering() = default;

  virtual Declaration const& declaration() const = 0;
  virtual callbacks::ModelView const& model() const = 0;

  virtual TensorId weights(WeightsId id) const = 0;
  virtual TensorId gradient(WeightsId id) const = 0;       ///< of trained weights; of all ranks
  virtual TensorId learning_rate(WeightsId id) const = 0;  ///< f64 scalar; may be shared
  /// The learning rates of these weights, each once.
  std::vector<TensorId> learning_rates(std::vector<WeightsId> const& ids) const;

  /// The f64 scalar of a number that this callback `varies`.
  virtual TensorId hyperparameter(callbacks::Hyperparameter const& of) const = 0;

  virtual TensorId step() const = 0;           ///< i64 scalar: steps finished
  virtual TensorId steps_per_epoch() = 0;      ///< f64 scalar: of the first epoch
  virtual TensorId epoch_samples() = 0;        ///< f64 scalar: at `epoch_end`, of this epoch
  virtual TensorId objective_sum() const = 0;  ///< f64 scalar: over the samples of the epoch
  virtual std::int64_t largest_mini_batch() const = 0;

  /// An f64 scalar that is kept during training, with this initial value.
  virtual TensorId state(std::string_view name, double initial) = 0;
  /// An f64 scalar: `expression` of the scalars `inputs`.
  virtual TensorId scalar(Expression expression, std::vector<TensorId> inputs) = 0;
  /// The sum of the squares of all entries of weights, or of a gradient at this point, in f64.
  virtual TensorId sum_of_squares(TensorId tensor) = 0;
  /// Random numbers of the type and shape of `like`, as by operator `random`: a function of the
  /// run's seed, the step, the callback's type and `purpose`.
  virtual TensorId random(operators::Distribution distribution, TensorId like,
                          std::string_view purpose) = 0;
  /// Assigns `expression` of `inputs` to `target`, which is state or a gradient, in its type.
  virtual void assign(TensorId target, Expression expression, std::vector<TensorId> inputs) = 0;

  /// Multiplies the learning rate of weights by `factor` in the current step.
  virtual void scale_step(WeightsId id, TensorId factor) = 0;
  /// Leaves weights and their optimizer's state unchanged in the current step if `active` is 0.
  virtual void take_turns(WeightsId id, TensorId active) = 0;
  /// `active` of weights given to `take_turns`; an invalid id for others.
  virtual TensorId active(WeightsId id) const = 0;

  /// Begins an entry point that the runtime runs at this time; later instructions are part of it.
  virtual void at(Timing const& timing) = 0;
};

/// Passed to `check` of a callback that only the compiler knows.
struct CallbackCheck {
  Declaration const& declaration;
  callbacks::ModelView const& model;
  std::int64_t largest_mini_batch;
  Report& report;

  /// Adds a diagnostic at a field, or at the type if the field was left to its default.
  Diagnostic& add(DiagnosticInfo const& info, std::string_view field,
                  std::vector<std::string> arguments) const {
    return report.add(info, declaration.place_of(field), std::move(arguments));
  }
};

// A declaration is a struct: in `schemas/callbacks/<name>.hpp` if the runtime executes it
// (`runtime/callbacks/<name>.cpp`), else, if it changes numbers or sizes, in
// `compiler/callbacks/<name>.hpp`/.cpp. Beside name, summary and fields it has what applies:
//
//     static constexpr callbacks::Reference references[] = {...};  // fields that name things
//     ObservedValues observes() const;                             // what the runtime reads
//     std::vector<ReportedFile> reported() const;                  // what a report of runs shows
//     void check(Findings&) const;                                 // fields that contradict
//     void check(ModelView const&, Findings&) const;               // fields that do not fit
//     void check(CallbackCheck const&) const;                      // the same, with parts
//     static constexpr bool changes_learning_rate = true;          // of `weights`, or of all
//     std::vector<std::vector<WeightsId>> groups(ModelView const&) const;
//     std::vector<Hyperparameter> varies(ModelView const&) const;  // numbers that it changes
//     static constexpr bool takes_turns = true;
//     static std::vector<MiniBatchChange> mini_batches(Declaration const&, std::int64_t largest);
//     Mixing mixing(ModelView const&) const;                       // how samples are mixed
//     std::int64_t first_epoch() const;                            // epochs before it acts
//     void lower(CallbackLowering&) const;

/// A callback's type, type-erased; `schemas/callbacks/meson.build` and
/// `compiler/callbacks/meson.build` list them all. What does not apply is null.
struct CallbackType {
  DeclarationType declaration;
  std::span<callbacks::Reference const> references;
  callbacks::ObservedValues (*observes)(void const* callback);
  void (*check_fields)(void const* callback, callbacks::Findings& findings);
  void (*check_model)(void const* callback, callbacks::ModelView const& model,
                      callbacks::Findings& findings);
  void (*check)(void const* callback, CallbackCheck const& check);
  /// Groups of weights that it treats separately: they share no learning rate with other weights.
  std::vector<std::vector<WeightsId>> (*groups)(void const* callback,
                                                callbacks::ModelView const& model);
  /// Numbers of layers and optimizers that it changes.
  std::vector<callbacks::Hyperparameter> (*varies)(void const* callback,
                                                   callbacks::ModelView const& model);
  bool takes_turns;  ///< if so, it is lowered before those that do not
  /// Its schedule of mini-batch sizes by epochs, the first at 0, none above `largest`.
  std::vector<MiniBatchChange> (*mini_batches)(Declaration const& written, std::int64_t largest);
  /// How training samples are mixed; no fields: they are not.
  Mixing (*mixing)(void const* callback, callbacks::ModelView const& model);
  /// Epochs that end before it changes anything.
  std::int64_t (*first_epoch)(void const* callback);
  void (*lower)(void const* callback, CallbackLowering& lowering);
  bool in_plan;  ///< the runtime executes it
};

namespace detail {

template <class T>
std::vector<std::vector<WeightsId>> groups_of(T const& callback,
                                              callbacks::ModelView const& model) {
  if constexpr (requires { callback.groups(model); })
    return callback.groups(model);
  else if constexpr (requires { callback.weights; })
    return {model.trained(callback.weights)};
  else
    return {model.trained({})};
}

}  // namespace detail

template <class T>
CallbackType callback_type(bool in_plan) {
  CallbackType type{};
  type.declaration = declaration_type<T>();
  type.in_plan = in_plan;
  type.references = callbacks::references_of<T>();
  if constexpr (requires { T::takes_turns; }) type.takes_turns = T::takes_turns;
  type.observes = [](void const* callback) {
    return callbacks::observed_by(*static_cast<T const*>(callback));
  };
  if constexpr (requires(T const& t, callbacks::Findings& findings) { t.check(findings); })
    type.check_fields = [](void const* callback, callbacks::Findings& findings) {
      static_cast<T const*>(callback)->check(findings);
    };
  if constexpr (requires(T const& t, callbacks::ModelView const& model,
                         callbacks::Findings& findings) { t.check(model, findings); })
    type.check_model = [](void const* callback, callbacks::ModelView const& model,
                          callbacks::Findings& findings) {
      static_cast<T const*>(callback)->check(model, findings);
    };
  if constexpr (requires(T const& t, CallbackCheck const& check) { t.check(check); })
    type.check = [](void const* callback, CallbackCheck const& check) {
      static_cast<T const*>(callback)->check(check);
    };
  constexpr bool grouped = requires(T const& t, callbacks::ModelView const& m) { t.groups(m); };
  if constexpr (grouped || requires { T::changes_learning_rate; })
    type.groups = [](void const* callback, callbacks::ModelView const& model) {
      return detail::groups_of(*static_cast<T const*>(callback), model);
    };
  if constexpr (requires(T const& t, callbacks::ModelView const& m) { t.varies(m); })
    type.varies = [](void const* callback, callbacks::ModelView const& model) {
      return static_cast<T const*>(callback)->varies(model);
    };
  if constexpr (requires { &T::mini_batches; }) type.mini_batches = &T::mini_batches;
  if constexpr (requires(T const& t, callbacks::ModelView const& m) { t.mixing(m); })
    type.mixing = [](void const* callback, callbacks::ModelView const& model) {
      return static_cast<T const*>(callback)->mixing(model);
    };
  if constexpr (requires(T const& t) { t.first_epoch(); })
    type.first_epoch = [](void const* callback) {
      return static_cast<T const*>(callback)->first_epoch();
    };
  if constexpr (requires(T const& t, CallbackLowering& lowering) { t.lower(lowering); })
    type.lower = [](void const* callback, CallbackLowering& lowering) {
      static_cast<T const*>(callback)->lower(lowering);
    };
  return type;
}

/// All callbacks' types, made once in `main` and passed on; looked up by name.
class CallbackTypes {
 public:
  CallbackTypes();
  CallbackType const* find(std::string_view name) const;
  std::vector<CallbackType> const& all() const { return types_; }

 private:
  std::vector<CallbackType> types_;
};

}  // namespace lbann::compiler
