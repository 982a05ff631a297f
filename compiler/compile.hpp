// The whole way from the text of an experiment to its plan.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/experiment/declarations.hpp"
#include "compiler/experiment/probing/given_dims.hpp"
#include "schemas/plan/plan.hpp"
#include "schemas/reports/run_size.hpp"
#include "schemas/vocabulary/syntax.hpp"

namespace lbann::compiler {

struct CompileOptions {
  std::string name;              ///< of the text, as messages show it
  std::string text;              ///< the experiment
  std::vector<Source> further;   ///< more messages of protobuf text, joined with the first
  std::optional<Syntax> syntax;  ///< `--syntax`; else the end of the name tells
  std::map<std::string, std::string> edited;  ///< texts that stand for those of included files
  std::string folder;                         ///< where it lies; data files are looked for here too
  std::string data_root;                      ///< `--data-root`
  std::vector<std::string> overrides;         ///< `--set`, each `path=value`
  std::vector<GivenDims> fields;              ///< `--field`
  bool probe_python = false;                  ///< `--probe-python`: run modules of python readers
  std::string python;                         ///< `--python`: what runs them
  bool allow_unbuilt = false;                 ///< `--allow-unbuilt`
  RunSize size;  ///< `--ranks`, ...: of the run that must not need more than `memory_limit`
  std::string stop_after;  ///< name of a stage or pass; empty: the plan
  std::string emit;        ///< `--emit`: what `dump` shall hold instead of a plan
  std::string dump_after;  ///< what is there after this stage or pass goes to `dump`
};

/// One stage of the way, as `--list-stages` prints it.
struct StageInfo {
  std::string_view name, folder, takes, gives, excludes;
};
std::span<StageInfo const> stages();

/// What `--emit` can write.
inline constexpr std::array<std::string_view, 6> emitted_names = {"yaml", "toml", "graph",
                                                                  "dot",  "svg",  "plan-text"};

/// Whether a stage or pass has this name.
bool is_stopping_place(std::string_view name);

struct Compiled {
  std::vector<Source> sources;  ///< what spans of the report index
  Report report;
  std::vector<std::string> files;  ///< read, or looked for: texts, headers of data, programs
  std::optional<Plan> plan;        ///< none after errors or where the way stopped before it
  std::string dump;                ///< what `dump_after` or `emit` asked for
  std::optional<Problem> problem;  ///< of the machine, not of the experiment: no `dot`, ...
  /// A pass broke what must hold after it: not the user's error.
  std::optional<Problem> internal_error;
  /// No run has as many ranks, such a mesh, ... as `CompileOptions::size` says.
  std::optional<Problem> impossible_size;
};

/// Never throws for anything the user gives.
Compiled compile(CompileOptions const& options, Declarations const& declarations);

}  // namespace lbann::compiler
