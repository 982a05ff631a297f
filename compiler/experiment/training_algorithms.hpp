// Training algorithms: what happens between the first and the last step.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/vocabulary/field.hpp"
#include "schemas/vocabulary/part.hpp"

namespace lbann::compiler {

enum class InverseStrategy : std::uint8_t { all, each, root };

namespace sections {

/// A training algorithm: steps along gradients until the first of its limits.
struct sgd {
  static constexpr std::string_view name = "sgd";
  static constexpr std::string_view summary =
      "Trains by mini-batches until the first limit; validates after every epoch.";

  std::string name_ = "sgd";
  std::int64_t max_epochs = -1;
  std::int64_t max_batches = -1;
  double max_seconds = -1;
  bool suppress_timer_output = false;

  static constexpr auto fields() {
    return std::tuple{
        ignored(field("name", &sgd::name_, "Name of the algorithm."),
                "a run has one training algorithm, and its log goes by the model's `name`"),
        field("max_epochs", &sgd::max_epochs,
              "Most passes over the training data; 0: none, only what follows training.",
              Presence::optional, "epochs", at_least_zero),
        field("max_batches", &sgd::max_batches, "Most steps.", Presence::optional, "steps",
              at_least_zero),
        field("max_seconds", &sgd::max_seconds, "Longest training time.", Presence::optional,
              "seconds", at_least_zero),
        unimplemented(
            field("suppress_timer_output", &sgd::suppress_timer_output, "Print no times."))};
  }
};

struct kfac {
  static constexpr std::string_view name = "kfac";
  static constexpr std::string_view summary =
      "Gradient steps preconditioned by Kronecker factors (Martens and Grosse, 2015).";
  static constexpr Support support = Support::unimplemented;

  std::string name_ = "kfac";
  std::vector<double> damping_act = {0.03};
  std::vector<double> damping_err = {0.03};
  std::vector<double> damping_bn_act = {0.03};
  std::vector<double> damping_bn_err = {0.03};
  std::vector<std::int64_t> kfac_use_interval;
  std::int64_t damping_warmup_steps = 100;
  double kronecker_decay = 0.99;
  bool print_time = false;
  bool print_matrix = false;
  bool print_matrix_summary = false;
  bool use_pi = false;
  std::vector<std::int64_t> update_intervals = {1};
  std::int64_t update_interval_steps = 100;
  InverseStrategy inverse_strategy = InverseStrategy::all;
  std::vector<std::string> disable_layers;
  double learning_rate_factor = 1;
  double learning_rate_factor_gru = 1;
  std::int64_t compute_interval = 1;
  bool distribute_precondition_compute = false;
  bool use_eigen_decomposition = false;
  bool enable_copy_errors = false;
  bool enable_copy_activations = false;

  static constexpr auto fields() {
    return std::tuple{
        field("name", &kfac::name_, "Name in the run's record."),
        field("damping_act", &kfac::damping_act,
              "Damping of the factors of activations: first and target value.", at_least_zero),
        field("damping_err", &kfac::damping_err,
              "Damping of the factors of errors: first and target value.", at_least_zero),
        field(
            "damping_bn_act", &kfac::damping_bn_act,
            "Damping of the factors of activations of batch normalization: first and target value.",
            at_least_zero),
        field("damping_bn_err", &kfac::damping_bn_err,
              "Damping of the factors of errors of batch normalization: first and target value.",
              at_least_zero),
        field("kfac_use_interval", &kfac::kfac_use_interval,
              "First and last step that are preconditioned; all if left out.", at_least_zero),
        field("damping_warmup_steps", &kfac::damping_warmup_steps,
              "Steps from the first to the target damping.", Presence::optional, "steps",
              at_least_zero),
        field("kronecker_decay", &kfac::kronecker_decay,
              "Part of the factors that is kept in a step.", zero_to_one),
        field("print_time", &kfac::print_time, "Print times."),
        field("print_matrix", &kfac::print_matrix, "Print the factors."),
        field("print_matrix_summary", &kfac::print_matrix_summary,
              "Print statistics of the factors."),
        field("use_pi", &kfac::use_pi, "Scale dampings by the ratio of traces."),
        field("update_intervals", &kfac::update_intervals,
              "Steps between two inversions: first and target value.", at_least_one),
        field("update_interval_steps", &kfac::update_interval_steps,
              "Steps from the first to the target interval.", Presence::optional, "steps",
              at_least_zero),
        field("inverse_strategy", &kfac::inverse_strategy, "Which ranks invert which factors."),
        field("disable_layers", &kfac::disable_layers,
              "Names of layers that are not preconditioned."),
        field("learning_rate_factor", &kfac::learning_rate_factor,
              "Factor of the learning rate of preconditioned layers.", at_least_zero),
        field("learning_rate_factor_gru", &kfac::learning_rate_factor_gru,
              "The same for recurrent layers.", at_least_zero),
        field("compute_interval", &kfac::compute_interval,
              "Steps between two computations of the factors.", Presence::optional, "steps",
              at_least_one),
        field("distribute_precondition_compute", &kfac::distribute_precondition_compute,
              "Spread the preconditioning over ranks."),
        field("use_eigen_decomposition", &kfac::use_eigen_decomposition,
              "Invert through eigenvalues."),
        field("enable_copy_errors", &kfac::enable_copy_errors, "Copy errors to the second grid."),
        field("enable_copy_activations", &kfac::enable_copy_activations,
              "Copy activations to the second grid.")};
  }

  static constexpr auto parts() {
    return std::tuple{Part<PartForm::section, sgd>{"sgd", "The steps that are preconditioned."}};
  }
};

struct null_mutation {
  static constexpr std::string_view name = "null_mutation";
  static constexpr std::string_view summary = "The model stays as it is.";
  static constexpr Support support = Support::unimplemented;

  static constexpr auto fields() { return std::tuple<>{}; }
};

struct replace_activation {
  static constexpr std::string_view name = "replace_activation";
  static constexpr std::string_view summary = "An activation layer is replaced by another.";
  static constexpr Support support = Support::unimplemented;

  static constexpr auto fields() { return std::tuple<>{}; }
};

struct replace_convolution {
  static constexpr std::string_view name = "replace_convolution";
  static constexpr std::string_view summary =
      "A convolution gets another kernel or number of channels.";
  static constexpr Support support = Support::unimplemented;

  static constexpr auto fields() { return std::tuple<>{}; }
};

struct hybrid_mutation {
  static constexpr std::string_view name = "hybrid_mutation";
  static constexpr std::string_view summary = "An activation or a convolution is changed.";
  static constexpr Support support = Support::unimplemented;

  static constexpr auto fields() { return std::tuple<>{}; }
};

struct sendrecv_weights {
  static constexpr std::string_view name = "sendrecv_weights";
  static constexpr std::string_view summary = "Weights go as messages.";
  static constexpr Support support = Support::unimplemented;

  bool exchange_hyperparameters = false;

  static constexpr auto fields() {
    return std::tuple{field("exchange_hyperparameters", &sendrecv_weights::exchange_hyperparameters,
                            "The optimizer's numbers go with them.")};
  }
};

struct checkpoint_binary {
  static constexpr std::string_view name = "checkpoint_binary";
  static constexpr std::string_view summary = "The whole state goes as a message.";
  static constexpr Support support = Support::unimplemented;

  static constexpr auto fields() { return std::tuple<>{}; }
};

struct checkpoint_file {
  static constexpr std::string_view name = "checkpoint_file";
  static constexpr std::string_view summary = "The whole state goes through files.";
  static constexpr Support support = Support::unimplemented;

  std::string checkpoint_dir;

  static constexpr auto fields() {
    return std::tuple{
        path(field("checkpoint_dir", &checkpoint_file::checkpoint_dir, "Folder of the files."))};
  }
};

struct exchange_strategy {
  static constexpr std::string_view name = "exchange_strategy";
  static constexpr std::string_view summary = "How models are exchanged.";
  static constexpr Support support = Support::unimplemented;

  std::vector<std::string> weights_name;

  static constexpr auto fields() {
    return std::tuple{field("weights_name", &exchange_strategy::weights_name,
                            "Names of the weights that are exchanged; all if left out.")};
  }

  static constexpr auto parts() {
    return std::tuple{Part<PartForm::entry, sendrecv_weights, checkpoint_binary, checkpoint_file>{
        "by", "The way models take."}};
  }
};

enum class MetricStrategy : std::uint8_t { lower_is_better, higher_is_better };

struct metric_strategy {
  static constexpr std::string_view name = "metric_strategy";
  static constexpr std::string_view summary = "A metric that decides.";
  static constexpr Support support = Support::unimplemented;

  std::string metric;
  MetricStrategy strategy = MetricStrategy::lower_is_better;

  static constexpr auto fields() {
    return std::tuple{
        field("metric", &metric_strategy::metric, "Name of the metric.", Presence::required),
        field("strategy", &metric_strategy::strategy, "Which value wins.")};
  }
};

struct random_pairwise_exchange {
  static constexpr std::string_view name = "random_pairwise_exchange";
  static constexpr std::string_view summary =
      "Random pairs of trainers compare models; the better one survives.";
  static constexpr Support support = Support::unimplemented;

  static constexpr auto fields() { return std::tuple<>{}; }

  static constexpr auto parts() {
    return std::tuple{
        Part<PartForm::sections, metric_strategy>{"metric_name_strategy_map",
                                                  "The metrics that decide."},
        Part<PartForm::section, exchange_strategy>{"exchange_strategy", exchange_strategy::summary},
        Part<PartForm::entry, null_mutation, replace_activation, replace_convolution,
             hybrid_mutation>{"mutation_strategy", "How the losing model is changed."}};
  }
};

struct truncation_selection_exchange {
  static constexpr std::string_view name = "truncation_selection_exchange";
  static constexpr std::string_view summary = "The best models replace the others.";
  static constexpr Support support = Support::unimplemented;

  std::int64_t truncation_k = 0;

  static constexpr auto fields() {
    return std::tuple{field("truncation_k", &truncation_selection_exchange::truncation_k,
                            "How many models survive.", at_least_one, Presence::required)};
  }

  static constexpr auto parts() {
    return std::tuple{Part<PartForm::sections, metric_strategy>{"metric_name_strategy_map",
                                                                "The metrics that decide."}};
  }
};

struct regularized_evolution {
  static constexpr std::string_view name = "regularized_evolution";
  static constexpr std::string_view summary =
      "The oldest model is replaced by a mutation of the best of a sample.";
  static constexpr Support support = Support::unimplemented;

  std::string metric_name;
  MetricStrategy metric_strategy_ = MetricStrategy::lower_is_better;
  std::int64_t sample_size = 0;

  static constexpr auto fields() {
    return std::tuple{
        field("metric_name", &regularized_evolution::metric_name,
              "Name of the metric that decides.", Presence::required),
        field("metric_strategy", &regularized_evolution::metric_strategy_, "Which value wins."),
        field("sample_size", &regularized_evolution::sample_size, "Models of the sample.",
              at_least_one, Presence::required)};
  }

  static constexpr auto parts() {
    return std::tuple{
        Part<PartForm::entry, null_mutation, replace_activation, replace_convolution,
             hybrid_mutation>{"mutation_strategy", "How the losing model is changed."}};
  }
};

struct ltfb {
  static constexpr std::string_view name = "ltfb";
  static constexpr std::string_view summary =
      "Trainers train on their own and play tournaments in between (Jacobs et al., 2017).";
  static constexpr Support support = Support::unimplemented;

  std::string name_ = "ltfb";
  std::int64_t max_tournaments = 0;
  bool suppress_timer_output = false;

  static constexpr auto fields() {
    return std::tuple{
        field("name", &ltfb::name_, "Name in the run's record."),
        field("max_tournaments", &ltfb::max_tournaments, "Number of tournaments.", at_least_one,
              Presence::required),
        field("suppress_timer_output", &ltfb::suppress_timer_output, "Print no times.")};
  }

  static constexpr auto parts() {
    return std::tuple{
        Part<PartForm::entry, sgd, kfac>{"local_training_algorithm",
                                         "What a trainer does between tournaments."},
        Part<PartForm::entry, random_pairwise_exchange, truncation_selection_exchange,
             regularized_evolution>{"meta_learning_strategy", "What happens in a tournament."}};
  }
};

}  // namespace sections
}  // namespace lbann::compiler

template <>
inline constexpr auto lbann::enum_names<lbann::compiler::InverseStrategy> =
    std::array<std::string_view, 3>{"all", "each", "root"};

template <>
inline constexpr auto lbann::enum_names<lbann::compiler::sections::MetricStrategy> =
    std::array<std::string_view, 2>{"lower_is_better", "higher_is_better"};
