// Every example of the catalogue: the wrong experiment must give its code and the words in
// `expected.txt`, and the repair must compile without giving that code.
//
// ACCEPT_EXPECTED=1 rewrites what differs and exits as skipped.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "compiler/compile.hpp"
#include "compiler/diagnostics/render.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/diagnostics/examples.hpp"

namespace {

using namespace lbann;
using namespace lbann::compiler;
namespace fs = std::filesystem;

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
    if (line.starts_with("--field ")) options.fields.push_back(line.substr(8));
    if (line == "--allow-unbuilt") options.allow_unbuilt = true;
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
  Examiner(fs::path root, bool accept) : root_(std::move(root)), accept_(accept) {}

  void examine(DiagnosticExample const& example) {
    ++examined;
    auto const folder = root_ / example.code;
    auto const wrong = compile(
        options_of(example.file, example.experiment, example.arguments, folder), vocabulary_);
    if (wrong.fault) return complain(example, wrong.fault->message);
    if (!gives(wrong, example.code)) complain(example, "the example does not give this code");
    if (wrong.report.has_errors() == wrong.plan.has_value())
      complain(example, "errors and a plan, or neither");
    auto const words = render(wrong.report, wrong.sources, false);
    if (words != example.expected && accept_) {
      std::ofstream(folder / "expected.txt", std::ios::binary) << words;
      ++rewritten;
    } else if (words != example.expected) {
      complain(example,
               "differs; expected\n" + std::string(example.expected) + "but found\n" + words);
    }
    examine_repair(example, folder);
  }

  int examined = 0, wrong = 0, rewritten = 0;

 private:
  void complain(DiagnosticExample const& example, std::string const& words) {
    ++wrong;
    std::cout << example.code << ": " << words << "\n";
  }

  void examine_repair(DiagnosticExample const& example, fs::path const& folder) {
    auto const name = "repair" + fs::path(example.file).extension().string();
    auto const text = example.repair.empty() ? example.experiment : example.repair;
    auto const repaired =
        compile(options_of(name, text, example.repair_arguments, folder), vocabulary_);
    if (text == example.experiment && example.arguments == example.repair_arguments)
      complain(example, "the repair changes nothing");
    if (!repaired.plan || gives(repaired, example.code))
      complain(example, "the repair does not compile, or gives the same code\n" +
                            render(repaired.report, repaired.sources, false));
  }

  fs::path root_;
  bool accept_;
  Vocabulary vocabulary_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  auto const* switched = std::getenv("ACCEPT_EXPECTED");
  bool const accept = switched != nullptr && std::string_view(switched) == "1";
  Examiner examiner(argv[1], accept);
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
  std::cout << examiner.examined << " examples, " << examiner.wrong << " complaints, "
            << examiner.rewritten << " rewritten\n";
  if (examiner.wrong > 0 || examiner.examined == 0) return 1;
  if (accept) {
    std::cout << "skipped: expected files are being accepted\n";
    return 77;
  }
  return 0;
}
