// Passes on the graph, in the order they run.
#pragma once

#include "compiler/compilation/compilation.hpp"

namespace lbann::compiler {

/// Appends an evaluation layer `<layer>_eval` for each objective term, then for each metric.
void insert_evaluation_layers(Compilation& compilation);

/// Settles which output of a slice or split each child takes. Children that name none take them in
/// order; an output named by several gets an identity layer `<layer>_identity` that they share.
/// Reports where both readings are possible.
void insert_identity_layers(Compilation& compilation);

/// Appends a dummy layer `<layer>_dummy` for each output that no layer takes.
void insert_dummy_layers(Compilation& compilation);

/// Puts a split layer `<layer>_split` between a layer with one output and its several children.
void insert_split_layers(Compilation& compilation);

/// Puts every layer after its parents and its hint layer, keeping the order of the text otherwise.
void order_layers(Compilation& compilation);

/// Under automatic mixed precision (`model: amp`): gives each layer that says nothing the type it
/// stores its outputs in.
void assign_types(Compilation& compilation);

/// Dims of every output, from the data fields on; reports what does not fit with the chain of
/// shapes that led there.
void infer_shapes(Compilation& compilation);

/// The weights of every layer: those it names, then its own by default names; with dims,
/// initializer and optimizer. Reports clashes between layers that share.
void resolve_weights(Compilation& compilation);

/// Reports callbacks that name layers or weights there are not, or that cannot do with them
/// what they are for.
void check_callback_targets(Compilation& compilation);

/// Warns of models that can be trained, but that hardly anybody means: losses of what is no
/// prediction, and weights that nothing trains.
void check_meaning(Compilation& compilation);

}  // namespace lbann::compiler
