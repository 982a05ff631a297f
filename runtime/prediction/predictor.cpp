// Loads weights, binds blocks of samples, runs them.
#include "runtime/prediction/predictor.hpp"

namespace lbann::runtime {

WeightsToLoad weights_to_load(RunOptions const& run) {
  WeightsToLoad load;
  load.renames = run.renames;
  for (auto const& path : run.load_models)
    load.paths.push_back(
        find_weights(path, {run.data_root, std::filesystem::path(), run.folders.base}));
  return load;
}

Result<std::unique_ptr<Predictor>> Predictor::create(PreparedPrediction const& prepared,
                                                     Options const& options) {
  auto const& plan = prepared.plan;
  auto executor = Executor::create(plan, options.most_samples, options.selection);
  if (!executor) return executor.problem();
  std::unique_ptr<Predictor> made(
      new Predictor(prepared, std::move(executor).value(), options.most_samples));
  auto& own = *made->executor_;
  made->mini_batch_ = own.scalar_or_null<double>(plan.mini_batch);
  made->first_sample_ = own.scalar_or_null<std::int64_t>(plan.first_sample);
  if (auto* const seed = own.scalar_or_null<std::int64_t>(plan.seed)) *seed = plan.random_seed;
  auto const initialize = own.bind("initialize", options.most_samples);
  if (!initialize) return initialize.problem();
  if (made->mini_batch_ != nullptr) *made->mini_batch_ = 1;
  if (made->first_sample_ != nullptr) *made->first_sample_ = 0;
  Executor::run(*initialize.value());
  if (plan.weights.empty()) return made;
  auto loaded = load_weights(options.weights, own, plan);
  if (!loaded) return loaded.problem();
  made->loaded_ = std::move(loaded).value();
  return made;
}

std::byte* Predictor::input(DataField const& field) const {
  return executor_->place(field.tensor, 0).as<std::byte>();
}

Result<Success> Predictor::run(std::int64_t samples, std::int64_t first) {
  auto const entry = executor_->bind(predict_entry, samples);
  if (!entry) return entry.problem();
  if (mini_batch_ != nullptr) *mini_batch_ = static_cast<double>(samples);
  if (first_sample_ != nullptr) *first_sample_ = first;
  for (auto const& source : prepared_.plan.data)
    for (auto const& field : source.fields) executor_->put(field.tensor);
  Executor::run(*entry.value());
  return Success{};
}

std::span<std::byte const> Predictor::output(std::size_t index, std::int64_t samples) const {
  auto const view = executor_->read(prepared_.outputs[index].tensor, samples);
  return {view.as<std::byte>(), static_cast<std::size_t>(view.elements()) * bytes_of(view.type)};
}

TensorType const& Predictor::type(std::size_t index) const {
  return prepared_.plan.program[prepared_.outputs[index].tensor].type;
}

}  // namespace lbann::runtime
