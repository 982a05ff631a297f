// Every example of the catalogue: the wrong experiment must give its code and the words in
// `expected.txt`, and the repair must compile without giving that code.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <set>
#include <sstream>

#include "compiler/compile.hpp"
#include "compiler/diagnostics/render.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/diagnostics/examples.hpp"
#include "tests/support/expected.hpp"

namespace {

using namespace lbann;
using namespace lbann::compiler;
namespace fs = std::filesystem;

fs::path const examples = "schemas/diagnostics/examples";

/// Options that lie in `folder`, where files that an experiment names are found.
CompileOptions options_of(std::string_view file, std::string_view text, std::string_view arguments,
                          fs::path const& folder) {
  CompileOptions options;
  options.name = file;
  options.text = text;
  options.folder = folder.string();
  std::istringstream lines{std::string(arguments)};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("--set ")) options.overrides.push_back(line.substr(6));
    if (line.starts_with("--field "))
      options.fields.push_back(given_on_command_line(line.substr(8)));
    if (line == "--allow-unbuilt") options.allow_unbuilt = true;
    if (line == "--probe-python") options.probe_python = true;
  }
  return options;
}

bool gives(Compiled const& compiled, std::string_view code) {
  auto const& diagnostics = compiled.report.diagnostics();
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [&](Diagnostic const& d) { return d.info->code == code; });
}

class Examiner {
 public:
  /// `root`: of the sources.
  explicit Examiner(fs::path const& root) : root_(fs::absolute(root)) {}

  void examine(DiagnosticExample const& example) {
    ++examined;
    auto const folder = root_ / examples / example.code;
    fs::current_path(folder);  // where Python looks for modules
    auto const wrong = compile(
        options_of(example.file, example.experiment, example.arguments, folder), declarations_);
    if (wrong.internal_error) return complain(example, wrong.internal_error->message);
    if (!gives(wrong, example.code)) complain(example, "the example does not give this code");
    if (wrong.report.has_errors() == wrong.plan.has_value())
      complain(example, "errors and a plan, or neither");
    auto const words = render(wrong.report, wrong.sources, false);
    auto const path = (examples / example.code / "expected.txt").string();
    if (auto const differs = tests::difference(path, words); !differs.empty())
      complain(example, differs);
    examine_repair(example, folder);
  }

  int examined = 0, wrong = 0;

 private:
  void complain(DiagnosticExample const& example, std::string const& words) {
    ++wrong;
    std::cout << example.code << ": " << words << "\n";
  }

  void examine_repair(DiagnosticExample const& example, fs::path const& folder) {
    auto const name = "repair" + fs::path(example.file).extension().string();
    auto const text = example.repair.empty() ? example.experiment : example.repair;
    auto const repaired =
        compile(options_of(name, text, example.repair_arguments, folder), declarations_);
    if (text == example.experiment && example.arguments == example.repair_arguments)
      complain(example, "the repair changes nothing");
    if (!repaired.plan || gives(repaired, example.code))
      complain(example, "the repair does not compile, or gives the same code\n" +
                            render(repaired.report, repaired.sources, false));
  }

  fs::path root_;
  Declarations declarations_;
};

}  // namespace

int main() {
  auto const* const root = std::getenv("LBANN_SOURCE_ROOT");
  if (root == nullptr) return 2;
  Examiner examiner(root);
  for (auto const& example : diagnostic_examples()) {
    examiner.examine(example);
    if (diagnostic_named(example.code) == nullptr) {
      ++examiner.wrong;
      std::cout << example.code << ": an example, but not in the catalogue\n";
    }
  }
  for (auto const* info : catalogue())
    if (example_of(info->code) == nullptr) {
      ++examiner.wrong;
      std::cout << info->code << ": no example shows it\n";
    }
  std::cout << examiner.examined << " examples, " << examiner.wrong << " complaints\n";
  return examiner.wrong > 0 || examiner.examined == 0 ? 1 : 0;
}
