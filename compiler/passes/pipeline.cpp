// The ordered list of passes, and running them with a check after each.
#include "compiler/passes/pipeline.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "compiler/graph/verify.hpp"
#include "compiler/lowering/lowering_passes.hpp"
#include "compiler/passes/graph_passes.hpp"
#include "compiler/passes/program_passes.hpp"
#include "schemas/program/distribution.hpp"

namespace lbann::compiler {

namespace {

template <void (*pass)(Program&)>
void on_program(Compilation& compilation) {
  pass(compilation.program);
}

void derive(Compilation& compilation) {
  compilation.state.error_signals =
      derive_backward(compilation.program, compilation.state.loss_scale);
}

void recompute_activations(Compilation& compilation) {
  auto const& experiment = compilation.experiment;
  recompute(compilation.program, experiment.recompute, experiment.micro_batch_size());
}

void attend(Compilation& compilation) {
  auto kept = observed_outputs(compilation);
  for (auto const& update : compilation.state.updates)
    kept.insert(kept.end(), update.inputs.begin(), update.inputs.end());
  recognise_attention(compilation.program, kept);
}

constexpr std::array<Pass, 26> passes = {{
    {"insert_evaluation_layers",
     "Append an evaluation layer for every objective term and every metric.", false,
     insert_evaluation_layers},
    {"insert_identity_layers",
     "Settle which output of a slice or split each child takes, sharing outputs by identity "
     "layers.",
     false, insert_identity_layers},
    {"insert_dummy_layers", "Append a dummy layer for every output that no layer takes.", false,
     insert_dummy_layers},
    {"insert_split_layers", "Put a split layer between one output and its several children.", false,
     insert_split_layers},
    {"order_layers", "Put every layer after its parents.", false, order_layers},
    {"assign_types", "Give layers the types of automatic mixed precision.", false, assign_types},
    {"infer_shapes", "Find the dims of every output, from the data fields on.", false,
     infer_shapes},
    {"resolve_weights", "Give every layer its weights, with dims, initializer and optimizer.",
     false, resolve_weights},
    {"check_callback_targets", "Find the layers and weights that callbacks name.", false,
     check_callback_targets},
    {"check_meaning", "Find losses of what is no prediction, and weights that nothing trains.",
     false, check_meaning},
    {"lower_to_operators",
     "Say what layers, objective and metrics do in operators, for each entry point.", true,
     lower_to_operators},
    {"subsample_convolutions",
     "Copy what strided convolutions with windows of one entry see, and leave their strides out.",
     true, on_program<subsample_convolutions>},
    {"emit_prediction",
     "Copy what layers compute of samples, without objective and metrics, to an entry point of its "
     "own.",
     true, emit_prediction},
    {"recognise_attention",
     "Join products of queries and keys, their softmax and products with values to attention.",
     true, attend},
    {"recognise_composites", "Join instructions that one operator does better.", true,
     on_program<recognise_composites>},
    {"emit_gradient_checks",
     "Copy what the objective depends on to entry points of its own, where a callback checks "
     "gradients.",
     true, emit_gradient_checks},
    {"derive_backward", "Append the gradients of the objective with respect to trained weights.",
     true, derive},
    {"recompute", "Compute activations again in the backward pass, where the experiment says so.",
     true, recompute_activations},
    {"update_state", "Append what layers do with weights that are not trained.", true,
     update_state},
    {"accumulate_gradients",
     "Accumulate gradients over micro-batches, with an entry point for all but the last.", true,
     accumulate_gradients},
    {"update_weights", "Append the optimizers' updates of weights, and count the step.", true,
     update_weights},
    {"gather_weights", "Gather sharded weights where instructions on samples read them.", true,
     on_program<gather_weights>},
    {"observe",
     "Copy entry points of which callbacks read values to variants that keep these as results.",
     true, observe},
    {"orient_weights", "Split weights of model-parallel layers over rows and columns, in turns.",
     true, on_program<orient_weights>},
    {"distribute", "Give tensors their distributions over the mesh and insert collectives.", true,
     on_program<distribute>},
    {"fuse_maps", "Join chains of maps, and maps into the operators before them.", true,
     on_program<fuse_maps>},
}};

Problem broken(Pass const& pass, std::string const& fault, Compilation const& compilation) {
  return {"internal fault: pass `" + std::string(pass.name) + "`: " + fault + "\n" +
          (pass.on_program ? to_text(compilation.program) : to_text(compilation.graph))};
}

}  // namespace

std::span<Pass const> pipeline() { return passes; }

Result<Success> run_passes(Compilation& compilation, std::string_view stop_after,
                           std::function<void(Pass const&, Compilation const&)> const& after) {
  std::vector<std::string_view> established;
  for (auto const& pass : pipeline()) {
    if (compilation.report.has_errors()) break;
    try {
      pass.run(compilation);
    } catch (std::logic_error const& fault) {
      return broken(pass, fault.what(), compilation);
    }
    if (compilation.report.has_errors()) break;
    established.push_back(pass.name);
    auto fault =
        pass.on_program ? verify(compilation.program) : verify(compilation.graph, established);
    if (!fault && std::ranges::find(established, "distribute") != established.end())
      fault = verify_distribution(compilation.program);
    if (fault) return broken(pass, *fault, compilation);
    if (after) after(pass, compilation);
    if (pass.name == stop_after) break;
  }
  return Success{};
}

}  // namespace lbann::compiler
