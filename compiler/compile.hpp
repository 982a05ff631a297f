// The whole way from the text of an experiment to its plan.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/experiment/vocabulary.hpp"
#include "schemas/plan/plan.hpp"

namespace lbann::compiler {

struct CompileOptions {
  std::string name;                    ///< of the text, as messages show it
  std::string text;                    ///< the experiment
  std::string folder;                  ///< where it lies; data files are looked for here too
  std::string data_root;               ///< `--data-root`
  std::vector<std::string> overrides;  ///< `--set`, each `path=value`
  std::vector<std::string> fields;     ///< `--field`, each `samples=1x28x28`
  std::string stop_after;              ///< name of a stage or pass; empty: the plan
  std::string dump_after;              ///< what is there after this stage or pass goes to `dump`
};

/// One stage of the way, as `--list-stages` prints it.
struct StageInfo {
  std::string_view name, folder, takes, gives, excludes;
};
std::span<StageInfo const> stages();

/// Whether a stage or pass has this name.
bool is_stopping_place(std::string_view name);

struct Compiled {
  std::vector<Source> sources;  ///< what spans of the report index
  Report report;
  std::optional<Plan> plan;      ///< none after errors or where the way stopped before it
  std::string dump;              ///< what `dump_after` asked for
  std::optional<Problem> fault;  ///< ours, not the user's: a pass broke what it must hold
};

/// Never throws for anything the user gives.
Compiled compile(CompileOptions const& options, Vocabulary const& vocabulary);

}  // namespace lbann::compiler
