// Options: predictions of a trained model.
#include <CLI/CLI.hpp>

#include "runtime/command/options.hpp"
#include "runtime/command/validators.hpp"

namespace lbann::runtime {

void add_prediction_options(CLI::App& app, CommandLine& line) {
  constexpr char const* group = "Predictions";
  auto& asked = line.prediction;
  auto* const predict =
      app.add_flag("--predict", asked.predict,
                   "Write what the model of --load-model computes of each sample of the reader of "
                   "role predict (else test, validate, train) to --out, and stop")
          ->group(group);
  auto* const out =
      app.add_option("--out", asked.out, "File of the predictions: .npy, .npz, .csv or .h5")
          ->check(not_empty() & predictable())
          ->group(group)
          ->needs(predict);
  predict->needs(out)->needs(app.get_option("--load-model"));
  app.add_option("--data", asked.data, "File (or folder) to predict instead of the reader's own")
      ->check(not_empty())
      ->group(group)
      ->needs(predict);
  app.add_option("--layers", asked.layers,
                 "Layers whose outputs are predicted, separated by commas (those that nothing but "
                 "losses and metrics take)")
      ->delimiter(',')
      ->check(a_name())
      ->group(group);
  auto* const serve =
      app.add_flag("--serve", asked.serve,
                   "Answer samples in lines of JSON on standard input by what the model of "
                   "--load-model computes of them")
          ->group(group)
          ->needs(app.get_option("--load-model"))
          ->excludes(predict);
  for (auto* const own : {predict, serve}) {
    exclude_from_training(app, *own);
    own->excludes(app.get_option("--load-partial"));
  }
}

}  // namespace lbann::runtime
