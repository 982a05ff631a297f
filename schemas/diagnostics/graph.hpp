// What can be wrong with the references between layers.
#pragma once

#include "schemas/diagnostics/diagnostic_info.hpp"

namespace lbann::diagnostics {

inline constexpr DiagnosticInfo duplicate_layer{"duplicate-layer", Stage::graph, Severity::error,
                                                "the layer name `{layer}` is used twice",
                                                "Names of layers are unique in a model."};

inline constexpr DiagnosticInfo duplicate_weights{
    "duplicate-weights", Stage::graph, Severity::error,
    "the weights name `{weights}` is used twice", "Names of weights are unique in a model."};

inline constexpr DiagnosticInfo unknown_layer{
    "unknown-layer", Stage::graph, Severity::error, "there is no layer `{layer}`",
    "Parents, children, objective and metrics name layers of the same model."};

inline constexpr DiagnosticInfo unknown_output{
    "unknown-output", Stage::graph, Severity::error, "layer `{layer}` has no output `{output}`",
    "Outputs are counted from 0; only slice and split have more than one."};

inline constexpr DiagnosticInfo unknown_weights{
    "unknown-weights",
    Stage::graph,
    Severity::error,
    "there is no weights entry `{weights}`",
    "Weights that layers share are entries of `model: weights:`.",
    "Weights are messages `weights { name: ... }` of `model`."};

inline constexpr DiagnosticInfo no_layer_before{
    "no-layer-before", Stage::graph, Severity::error,
    "`{layer}` needs a parent, but no layer stands before it",
    "Write `parents:`, or begin with an input layer."};

inline constexpr DiagnosticInfo parent_count{
    "parent-count",
    Stage::graph,
    Severity::error,
    "`{layer}` takes {takes}, not {given}",
    "A layer without `parents` follows the one before it.",
    "Parents are named on either side: as `parents` of a layer, or as `children` of its parent."};

inline constexpr DiagnosticInfo parent_without_output{
    "parent-without-output", Stage::graph, Severity::error,
    "`{parent}` cannot be the parent of `{layer}`: it has no output", ""};

inline constexpr DiagnosticInfo layer_cycle{
    "layer-cycle", Stage::graph, Severity::error, "layers wait for each other in a circle: {path}",
    "A model has no loops; unroll recurrences or remove one of these edges."};

inline constexpr DiagnosticInfo no_layers{"no-layers",
                                          Stage::graph,
                                          Severity::error,
                                          "the model has no layers",
                                          "List them under `model: layers:`.",
                                          "They are messages `layer { ... }` of `model`."};

inline constexpr DiagnosticInfo unknown_metric{
    "unknown-metric",
    Stage::graph,
    Severity::error,
    "there is no metric `{metric}`",
    "Callbacks name entries of `model: metrics:`; "
    "without a name of its own a metric has that of its "
    "layer.",
    "Callbacks name messages `metric` of `model`; without a name of its own a metric has that of "
    "its layer."};

inline constexpr DiagnosticInfo malformed_renaming{
    "malformed-renaming", Stage::graph, Severity::error, "`{text}` is no renaming: {why}",
    "Write `old -> new`; one `*` on both sides stands for the same text, e.g. `encoder.* -> *`."};
inline constexpr DiagnosticInfo empty_bounds{
    "empty-bounds", Stage::graph, Severity::error, "no number lies between {lower} and {upper}",
    "The lower bound comes first; both belong to what is allowed."};

inline constexpr DiagnosticInfo not_an_interval{
    "not-an-interval", Stage::graph, Severity::error, "`{text}` is no interval between checkpoints",
    "A number and its unit: `500 steps`, `1 epoch`, `90 s`, `10 min` or `2 h`."};

inline constexpr DiagnosticInfo path_leads_out{
    "path-leads-out", Stage::graph, Severity::error,
    "`{field}` must be a path within the folder that a run writes to, `{path}` leads out of it",
    "Write a relative path without `..`; `lbann-run --work-dir` says where it starts."};

}  // namespace lbann::diagnostics
