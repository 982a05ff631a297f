// Makes the callbacks of a run from those of the plan and of the command line.
#pragma once

#include "runtime/callbacks/callbacks.hpp"
#include "runtime/callbacks/factories.hpp"

namespace lbann::runtime {

/// Adds a callback or controller if this rank needs it; the trainer root needs all.
template <class Kind>
void add_if_needed(std::unique_ptr<Kind> made, std::string description, CallbackContext const& run,
                   Callbacks& callbacks) {
  if (run.is_root() || made->on_every_rank())
    callbacks.add(std::move(made), std::move(description));
}

/// Adds the callback or controller of a declaration in the plan, if this rank needs it. The problem
/// names the declaration's line.
Result<Success> add_declared(Declared const& declared, CallbackContext const& run,
                             Callbacks& callbacks);

/// How many callbacks of the plan wait for the same ones of all other trainers.
std::int64_t count_comparing_trainers(Plan const& plan);

/// Controllers of the command line: load weights from these folders and files before training, not
/// all of them if `partial`; save them in this folder after it.
void add_load(std::vector<std::filesystem::path> const& paths,
              std::vector<std::string> const& renames, bool partial, CallbackContext const& run,
              Callbacks& callbacks);
void add_save(std::filesystem::path const& folder, CallbackContext const& run,
              Callbacks& callbacks);

}  // namespace lbann::runtime
