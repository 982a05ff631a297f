// What can be wrong with shapes, weights and what passes establish.
#pragma once

#include "schemas/diagnostics/diagnostic_info.hpp"

namespace lbann::diagnostics {

inline constexpr DiagnosticInfo statistics_group{
    "statistics-group",
    Stage::passes,
    Severity::warning,
    "groups of {ranks} ranks are asked for, but statistics are taken over the whole mini-batch",
    "Results do not depend on the number of ranks; leave `statistics_group_size` out.",
    "Results do not depend on the number of ranks, which LBANN's default of 1 makes them do.",
    true};

inline constexpr DiagnosticInfo axis_inside{
    "axis-inside", Stage::passes, Severity::error,
    "`dim` {axis} of `{layer}` is neither the first nor the last axis of {dims}",
    "With `single_dim_mode: true` any axis can be normalised over."};

inline constexpr DiagnosticInfo single_entry{
    "single-entry", Stage::passes, Severity::error,
    "`{layer}` divides by the number of entries less 1, which is 0 for {dims}",
    "With `biased: true` it divides by their number."};

inline constexpr DiagnosticInfo labels_dims{
    "labels-dims", Stage::passes, Severity::error,
    "with `use_labels` the truth of `{layer}` has dims {dims} for probabilities "
    "{probabilities_dims}, not {needed_dims}",
    "There is one label at each position, along the first axis a single one."};

inline constexpr DiagnosticInfo smoothing_dims{
    "smoothing-dims", Stage::passes, Severity::error,
    "`label_smoothing` of `{layer}` takes a truth with dims [classes], not {dims}",
    "`reshape: {dims: [-1]}` before it makes one distribution of a sample. Labels of several "
    "positions are numbers of classes, with `use_labels: true`."};

inline constexpr DiagnosticInfo ambiguous_output{
    "ambiguous-output",
    Stage::passes,
    Severity::error,
    "`{layer}` has {outputs} and is named without one by {child}",
    "Write which output is meant, e.g. `parents: parts.0`.",
    "The `children` of a layer take its outputs in their order: name them all, each once."};

inline constexpr DiagnosticInfo unknown_data_field{
    "unknown-data-field", Stage::passes, Severity::error,
    "no data reader gives the field `{field}`",
    "The data field of an input layer is one of those its reader gives."};

inline constexpr DiagnosticInfo unknown_field_dims{
    "unknown-field-dims",
    Stage::passes,
    Severity::unknown,
    "the dims of data field `{field}` are not known",
    "Write them at the reader, `fields: {samples: {dims: [3, 224, 224]}}`, or pass `--field "
    "samples=3x224x224`.",
    "Pass them, e.g. `--field samples=3x224x224`."};

inline constexpr DiagnosticInfo missing_data_file{
    "missing-data-file",
    Stage::passes,
    Severity::unknown,
    "{reason} the dims of data field `{field}`",
    "Correct the path. Where the data lie elsewhere, write the dims at the reader, `fields: "
    "{samples: {dims: [3, 224, 224]}}`, or pass `--field samples=3x224x224`.",
    "Correct the path or, where the data lie elsewhere, pass the dims, e.g. `--field "
    "samples=3x224x224`."};

inline constexpr DiagnosticInfo field_dims_clash{
    "field-dims-clash", Stage::passes, Severity::error,
    "data field `{field}` has dims {dims} in the {role} data but {other_dims} in the {other_role} "
    "data",
    "All readers of a model give samples of the same dims."};

inline constexpr DiagnosticInfo no_data_reader{
    "no-data-reader",
    Stage::passes,
    Severity::error,
    "the model has an input layer but the experiment has no training data",
    "List readers under `data_reader:`.",
    "Readers are messages `reader { ... }` of `data_reader`."};

inline constexpr DiagnosticInfo unequal_inputs{"unequal-inputs", Stage::passes, Severity::error,
                                               "the inputs of `{layer}` must have equal dims: "
                                               "input 0 has {first_dims}, input {input} has {dims}",
                                               "Change the layer that gives one of them, for "
                                               "example its `num_neurons`, or `reshape` it."};

inline constexpr DiagnosticInfo not_a_number{
    "not-a-number", Stage::passes, Severity::error,
    "a metric takes one number per sample, not {dims}",
    "Metrics are layers such as cross_entropy or categorical_accuracy with a single output entry."};

inline constexpr DiagnosticInfo not_one_number{
    "not-one-number", Stage::passes, Severity::error,
    "`{callback}` takes one number of each sample from `{layer}`, whose output has dims {dims}",
    "`categorical_accuracy` gives 1 for each sample that was recognised, else 0."};

inline constexpr DiagnosticInfo rate_expression{
    "rate-expression", Stage::passes, Severity::error, "{problem} in the expression `{expression}`",
    "A rate is at least 0. Expressions of rates know numbers, `step`, `epoch`, `steps_per_epoch`, "
    "`max_epochs`, `first`, `pi`, `+ - * / // % **`, comparisons, `and or not`, `a if b else c` "
    "and functions such as `min`, `max`, `exp`, `log`, `sqrt`, `cos` and `floor`."};

inline constexpr DiagnosticInfo mini_batch_capped{
    "mini-batch-capped", Stage::passes, Severity::warning,
    "the mini-batch of {mini_batch} samples is larger than the training data of {samples}, "
    "which is taken as a whole",
    "As LBANN does; use at most as many samples as there are."};

inline constexpr DiagnosticInfo mini_batch_limited{
    "mini-batch-limited", Stage::passes, Severity::warning,
    "mini-batches of {size} samples are more than the {largest} of `mini_batch_size`, which are "
    "taken",
    "`mini_batch_size` of the trainer is the largest size that a callback can ask for."};

inline constexpr DiagnosticInfo mini_batch_sizes_twice{
    "mini-batch-sizes-twice", Stage::passes, Severity::error,
    "{second} changes the mini-batch size a second time",
    "One `step_minibatch` or `minibatch_schedule`, and one size for an epoch."};

inline constexpr DiagnosticInfo mixed_twice{
    "mixed-twice", Stage::passes, Severity::error, "{second} mixes samples a second time",
    "One `mixup` mixes all input layers, or those that it names."};

inline constexpr DiagnosticInfo not_an_input{
    "not-an-input", Stage::passes, Severity::error,
    "`{callback}` acts on samples as they are read, and `{layer}` is of type `{type}`",
    "Name `input` layers, or leave `layers` out: all of them are meant."};

inline constexpr DiagnosticInfo entries_added{
    "entries-added", Stage::passes, Severity::warning,
    "the objective adds up all entries of a layer with dims {dims}",
    "As LBANN does; say what is meant with a `reduction` layer, or a loss with a single output "
    "entry."};

inline constexpr DiagnosticInfo field_dims_assumed{
    "field-dims-assumed",
    Stage::passes,
    Severity::warning,
    "the dims of data field `{field}` are not known; {dims} are assumed, as `{layer}` takes them",
    "Write them at the reader, e.g. `fields: {samples: {dims: [3, 224, 224]}}`. The run compares "
    "them with the data.",
    "Pass them, e.g. `--field samples=3x224x224`. The run compares them with the data."};

inline constexpr DiagnosticInfo reshape_size{
    "reshape-size", Stage::passes, Severity::error,
    "dims {dims} do not hold the entries of {input_dims} in `{layer}`",
    "Dims are those of one sample, without the mini-batch; their product stays the same, and "
    "one of them may be -1."};

inline constexpr DiagnosticInfo list_length{"list-length", Stage::passes, Severity::error,
                                            "`{field}` has {count} values, but there are {axes} "
                                            "spatial axes in `{layer}` with input {input_dims}",
                                            "One value holds for all axes."};

inline constexpr DiagnosticInfo values_and_parents{
    "values-and-parents", Stage::passes, Severity::error,
    "`{field}` has {count} values, but `{layer}` has {parents} parents",
    "Give one value for each parent, in their order."};

inline constexpr DiagnosticInfo bounds_crossed{
    "bounds-crossed", Stage::passes, Severity::error,
    "`{lower_field}` {lower} of `{layer}` is above `{upper_field}` {upper}", ""};

inline constexpr DiagnosticInfo number_too_large{
    "number-too-large", Stage::passes, Severity::error,
    "the numbers of `{layer}` are too large to count its entries", ""};

inline constexpr DiagnosticInfo too_many_to_list{
    "too-many-to-list", Stage::passes, Severity::error,
    "`{layer}` has a scale and a bias for each of {entries} entries, and at most {most} can begin "
    "as they must",
    "`channelwise_scale_bias` has one of each for a channel."};

inline constexpr DiagnosticInfo too_many_axes{
    "too-many-axes", Stage::passes, Severity::error,
    "`{layer}` gives {dims}, which has {axes} axes; a tensor has at most {most} beside that of "
    "samples",
    "Reshape the data, or what comes before the layer, so that neighbouring axes become one."};

inline constexpr DiagnosticInfo sample_too_large{
    "sample-too-large", Stage::passes, Severity::error,
    "{samples} samples of data field `{field}` with dims {dims} are more numbers than a tensor can "
    "hold",
    "Correct the dims, or give smaller samples or mini-batches."};

inline constexpr DiagnosticInfo window_too_large{
    "window-too-large", Stage::passes, Severity::error,
    "the window of `{layer}` reaches over {reach} entries, but the padded input has {extent} "
    "(input {input_dims})",
    "Use a smaller window or more padding, or pool less before it."};

inline constexpr DiagnosticInfo padding_too_large{
    "padding-too-large", Stage::passes, Severity::error,
    "padding {padding} is not smaller than the window {window} of `{layer}`",
    "A window that sees only padding has no value."};

inline constexpr DiagnosticInfo not_an_image{
    "not-an-image", Stage::passes, Severity::error,
    "`{layer}` needs one channel axis and one to three spatial axes, not {dims}",
    "A reshape layer gives samples the axes they need."};

inline constexpr DiagnosticInfo num_dims_clash{
    "num-dims-clash", Stage::passes, Severity::error,
    "`num_dims` is {num_dims}, but the input of `{layer}` is {axes}",
    "Leave `num_dims` out to take it from the input."};

inline constexpr DiagnosticInfo groups_do_not_divide{
    "groups-do-not-divide", Stage::passes, Severity::error,
    "{groups} groups divide not both the {input_channels} input channels and the {output_channels} "
    "output channels of `{layer}`",
    ""};

inline constexpr DiagnosticInfo channels_do_not_divide{
    "channels-do-not-divide", Stage::passes, Severity::error,
    "{groups} groups do not divide the {channels} channels of the input of `{layer}`", ""};

inline constexpr DiagnosticInfo heads_do_not_divide{
    "heads-do-not-divide", Stage::passes, Severity::error,
    "{heads} heads do not divide the {entries} entries of each row of input {input} of `{layer}`",
    ""};

inline constexpr DiagnosticInfo output_padding_too_large{
    "output-padding-too-large", Stage::passes, Severity::error,
    "output padding {output_padding} is not smaller than the stride {stride} of `{layer}`",
    "It chooses among the sizes that the convolution takes to the input's: one less than the "
    "stride at most."};

inline constexpr DiagnosticInfo nothing_left{
    "nothing-left", Stage::passes, Severity::error,
    "the padding {padding} of `{layer}` removes all entries that input {input_dims} gives",
    "Each entry of `padding` takes away one at both ends of an axis of the output."};

inline constexpr DiagnosticInfo input_axes{
    "input-axes", Stage::passes, Severity::error,
    "input {input} of `{layer}` needs {axes} axes, not {dims}",
    "A reshape layer gives samples the axes they need."};

inline constexpr DiagnosticInfo input_dims{
    "input-dims", Stage::passes, Severity::error,
    "input {input} of `{layer}` needs dims {needed_dims}, not {dims}", ""};

inline constexpr DiagnosticInfo matrices_do_not_fit{
    "matrices-do-not-fit", Stage::passes, Severity::error,
    "`{layer}` cannot multiply {first_dims} by {second_dims}: {reason}",
    "The columns of the first are the rows of the second, after `transpose_a` and `transpose_b`."};

inline constexpr DiagnosticInfo axis_out_of_range{
    "axis-out-of-range", Stage::passes, Severity::error,
    "axis {axis} of `{layer}` is outside of input {input_dims}",
    "The batch is not an axis of a sample."};

inline constexpr DiagnosticInfo cannot_concatenate{
    "cannot-concatenate", Stage::passes, Severity::error,
    "`{layer}` cannot join input 0 of {first_dims} with input {input} of {dims} along axis {axis}",
    "All axes but the joined one must be equal."};

inline constexpr DiagnosticInfo slice_point{"slice-point", Stage::passes, Severity::error,
                                            "slice point {point} of `{layer}` {reason}", ""};

inline constexpr DiagnosticInfo too_few_pieces{
    "too-few-pieces", Stage::passes, Severity::error,
    "slice points of `{layer}`: {points} are too few for {children}",
    "n pieces need n + 1 points."};

inline constexpr DiagnosticInfo dims_do_not_fit{
    "dims-do-not-fit", Stage::passes, Severity::error,
    "{field} of `{layer}` do not fit input {dims}: {reason}", ""};

inline constexpr DiagnosticInfo rows_of_no_weights{
    "rows-of-no-weights", Stage::passes, Severity::error,
    "`{layer}` takes the rows of weights, but no layer before it uses weights that it names",
    "Name them in `weights`, and the layer that uses them as `hint_layer`."};

inline constexpr DiagnosticInfo hint_clash{
    "hint-clash", Stage::passes, Severity::error,
    "`{layer}` gives {dims}, but its hint layer `{hint_layer}` gives {hint_dims}", ""};

inline constexpr DiagnosticInfo weights_count{
    "weights-count", Stage::passes, Severity::error, "`{layer}` uses {uses}, but {given} given",
    "The weights of a layer are named in the order of its reference page."};

inline constexpr DiagnosticInfo weights_dims_clash{
    "weights-dims-clash", Stage::passes, Severity::error,
    "weights `{weights}` have dims {dims} in layer `{layer}` but {other_dims} in layer "
    "`{other_layer}`",
    "Layers share weights only if both need the same dims."};

inline constexpr DiagnosticInfo weights_freeze_clash{
    "weights-freeze-clash", Stage::passes, Severity::error,
    "weights `{weights}` are frozen in layer `{layer}` but not in layer `{other_layer}`",
    "Freeze both layers or neither."};

inline constexpr DiagnosticInfo keeps_nothing{
    "keeps-nothing", Stage::passes, Severity::warning,
    "`{layer}` keeps no entry: in training its output is 0",
    "`keep_prob` is how likely an entry is kept, 1 minus what other frameworks call the rate."};

inline constexpr DiagnosticInfo unused_weights{
    "unused-weights", Stage::passes, Severity::error, "no layer uses the weights `{weights}`",
    "Name them in the `weights` of a layer, or remove the entry."};

inline constexpr DiagnosticInfo no_fans{
    "no-fans", Stage::passes, Severity::error,
    "`{initializer}` needs to know fan-in and fan-out, which `{layer}` does not define",
    "Use constant_initializer, uniform_initializer or normal_initializer."};

inline constexpr DiagnosticInfo untrained_regularization{
    "untrained-regularization", Stage::passes, Severity::warning,
    "weights {weights} are not trained, so regularizing them does nothing", ""};

inline constexpr DiagnosticInfo regularized_twice{
    "regularized-twice", Stage::passes, Severity::warning,
    "weights `{weights}` are named twice, so their squares count twice",
    "Name them once; `scale_factor` says how much they count."};

inline constexpr DiagnosticInfo nothing_to_train{
    "nothing-to-train", Stage::passes, Severity::warning,
    "the model has an objective but no weights to train",
    "Give the experiment an `optimizer`, or see which layers are frozen."};

inline constexpr DiagnosticInfo never_acts{"never-acts", Stage::passes, Severity::warning,
                                           "`{callback}` never acts: {reason}",
                                           "Change what it waits for, or remove the entry."};

inline constexpr DiagnosticInfo no_objective{
    "no-objective", Stage::passes, Severity::warning,
    "the model has no objective, so training changes nothing",
    "Name the layer of the loss: `objective_function: [layer_term: {layer: loss}]`; "
    "`max_epochs: 0` trains nothing on purpose."};

inline constexpr DiagnosticInfo unreached_weights{
    "unreached-weights", Stage::passes, Severity::warning,
    "nothing of the objective depends on `{layer}`, so its weights are not trained",
    "Let a layer before a loss take its output, or say by `freeze: true` that it is meant."};

inline constexpr DiagnosticInfo scores_as_probabilities{
    "scores-as-probabilities", Stage::passes, Severity::warning,
    "`{loss}` takes the logarithm of probabilities, and `{layer}`, a `{type}`, gives any numbers",
    "Put a `softmax` between them, or a `sigmoid` where each entry is a probability by itself; "
    "both together cost no more and are exact."};

inline constexpr DiagnosticInfo logarithms_as_probabilities{
    "logarithms-as-probabilities", Stage::passes, Severity::warning,
    "`{loss}` takes the logarithm itself, and `{layer}`, a `{type}`, gives logarithms",
    "Use `softmax` or `sigmoid` in its place."};

inline constexpr DiagnosticInfo probabilities_as_scores{
    "probabilities-as-scores", Stage::passes, Severity::warning,
    "`{loss}` applies a sigmoid itself, and `{layer}`, a `{type}`, gives probabilities already",
    "Leave that layer out, or take `binary_cross_entropy`."};

inline constexpr DiagnosticInfo swapped_parents{
    "swapped-parents", Stage::passes, Severity::warning,
    "the first parent of `{loss}` is the prediction and the second the truth; here weights act on "
    "`{layer}`, the second, alone",
    "Write them the other way round."};

inline constexpr DiagnosticInfo mean_of_one{
    "mean-of-one", Stage::passes, Severity::warning,
    "{when} `{layer}` takes a mean of one number, so that its output says nothing of its input",
    "Use other mini-batches, or a normalisation of single samples such as `layer_norm`."};

inline constexpr DiagnosticInfo unused_layer{
    "unused-layer", Stage::passes, Severity::warning,
    "no layer, objective, metric or callback takes what `{layer}` gives",
    "Name it among the `parents` of the layer that should take it, or remove it."};

inline constexpr DiagnosticInfo unused_data_field{
    "unused-data-field", Stage::passes, Severity::warning,
    "the reader gives `{field}`, and no input layer takes it",
    "Write an `input` layer with this `data_field`, or leave the field out where the reader names "
    "it."};

inline constexpr DiagnosticInfo mini_batch_too_large{
    "mini-batch-too-large", Stage::passes, Severity::error,
    "the mini-batch of {mini_batch} samples is larger than the training data of {samples}",
    "Use at most as many samples as there are."};

inline constexpr DiagnosticInfo uneven_micro_batches{
    "uneven-micro-batches", Stage::passes, Severity::error,
    "a mini-batch of {mini_batch} samples has no {count} equal micro-batches",
    "Use a divisor of the mini-batch's samples as `accumulate`."};

inline constexpr DiagnosticInfo observed_micro_batches{
    "observed-micro-batches", Stage::passes, Severity::error,
    "`{callback}` reads values of samples in training steps, which `accumulate` computes one "
    "micro-batch at a time",
    "Leave `accumulate` out, or let the callback act in validation and testing alone."};

inline constexpr DiagnosticInfo value_count{
    "value-count", Stage::passes, Severity::error,
    "{count} numbers are given for the {entries} entries of weights `{weights}` with dims {dims}",
    "One number for every entry; constant_initializer writes the same to all."};

inline constexpr DiagnosticInfo no_statistics{
    "no-statistics", Stage::passes, Severity::error,
    "weights `{weights}` with dims {dims} cannot be statistics of `{data_field}`: {why}",
    "An input layer takes the field, and the training reader gives it; weights have an entry for "
    "each of its channels (first axis), or for each entry of a sample."};

inline constexpr DiagnosticInfo unlike_weights{
    "unlike-weights", Stage::passes, Severity::error,
    "the weights of {destination} cannot be replaced by those of {source}: {reason}",
    "Each layer takes the weights of the one in its place of the other list, of the same dims."};

inline constexpr DiagnosticInfo too_many_classes{
    "too-many-classes", Stage::passes, Severity::error,
    "`{callback}` counts pairs of at most {most} classes, not of {dims}",
    "Every process holds a number for each pair; name layers of fewer classes."};

inline constexpr DiagnosticInfo no_image{
    "no-image", Stage::passes, Severity::error,
    "`{callback}` writes images, but the output of `{layer}` has dims {dims}",
    "An image has dims [height, width], or [channels, height, width] with 1 or 3 channels, at most "
    "4096 rows and columns, or as many pixels as a square; a `reshape` layer gives other outputs "
    "such dims."};

inline constexpr DiagnosticInfo phase_without_data{
    "phase-without-data", Stage::passes, Severity::error,
    "`{callback}` acts after a {phase}, but no reader gives data for one",
    "Write a reader of that role; for validation, `validation_fraction` of the training reader "
    "holds back a part of its samples."};

inline constexpr DiagnosticInfo over_memory_limit{
    "over-memory-limit", Stage::passes, Severity::error,
    "a rank needs {needed}, and `memory_limit` is {limit}{edits}",
    "The run judged is that of `--ranks`, `--mesh` and `--threads`."};

inline constexpr DiagnosticInfo recompute_chosen{
    "recompute-chosen", Stage::passes, Severity::note,
    "`recompute: auto` is `{level}` here: a rank needs {needed} of {limit}", ""};

}  // namespace lbann::diagnostics
