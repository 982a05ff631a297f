// Every diagnostic as users see it: `<code>/experiment.yaml` must give `<code>/expected.txt`.
//
// `arguments.txt` beside it holds command line arguments, one per line. ACCEPT_EXPECTED=1 rewrites
// what differs and exits as skipped. `uncovered.txt` lists codes without an example, with a reason.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "compiler/compile.hpp"
#include "compiler/diagnostics/render.hpp"

namespace {

using namespace lbann;
using namespace lbann::compiler;
namespace fs = std::filesystem;

std::string read(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

CompileOptions options_of(fs::path const& folder) {
  CompileOptions options;
  options.name = "experiment.yaml";
  options.text = read(folder / "experiment.yaml");
  options.folder = folder.string();
  std::istringstream arguments(read(folder / "arguments.txt"));
  for (std::string line; std::getline(arguments, line);) {
    if (line.starts_with("--set ")) options.overrides.push_back(line.substr(6));
    if (line.starts_with("--field ")) options.fields.push_back(line.substr(8));
  }
  return options;
}

std::set<std::string> uncovered(fs::path const& list) {
  std::set<std::string> codes;
  std::istringstream lines(read(list));
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && line[0] != '#') codes.insert(line.substr(0, line.find(' ')));
  return codes;
}

struct Outcome {
  int examined = 0, wrong = 0, rewritten = 0;
};

void examine(fs::path const& folder, Vocabulary const& vocabulary, bool accept, Outcome& outcome) {
  ++outcome.examined;
  auto const code = folder.filename().string();
  auto const complain = [&](std::string const& words) {
    ++outcome.wrong;
    std::cout << code << ": " << words << "\n";
  };
  auto const compiled = compile(options_of(folder), vocabulary);
  if (compiled.fault) return complain(compiled.fault->message);
  auto const words = render(compiled.report, compiled.sources, false);
  auto const& diagnostics = compiled.report.diagnostics();
  if (std::none_of(diagnostics.begin(), diagnostics.end(),
                   [&](Diagnostic const& d) { return d.info->code == code; }))
    complain("the example does not give this code");
  if (compiled.report.has_errors() == compiled.plan.has_value())
    complain("errors and a plan, or neither");
  if (words == read(folder / "expected.txt")) return;
  if (accept) {
    std::ofstream(folder / "expected.txt", std::ios::binary) << words;
    ++outcome.rewritten;
    return;
  }
  complain("differs; expected\n" + read(folder / "expected.txt") + "but found\n" + words);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  fs::path const root = argv[1];
  auto const* switched = std::getenv("ACCEPT_EXPECTED");
  bool const accept = switched != nullptr && std::string_view(switched) == "1";
  Vocabulary const vocabulary;
  Outcome outcome;
  std::set<fs::path> folders;
  for (auto const& entry : fs::directory_iterator(root))
    if (entry.is_directory()) folders.insert(entry.path());
  for (auto const& folder : folders) examine(folder, vocabulary, accept, outcome);

  auto const exempt = uncovered(root / "uncovered.txt");
  for (auto const* info : catalogue()) {
    std::string const code(info->code);
    bool const shown = folders.contains(root / code);
    if (shown == exempt.contains(code)) {
      ++outcome.wrong;
      std::cout << code
                << (shown ? ": has an example; remove it from uncovered.txt\n"
                          : ": no example shows it\n");
    }
  }
  for (auto const& code : exempt)
    if (diagnostic_named(code) == nullptr) {
      ++outcome.wrong;
      std::cout << code << ": in uncovered.txt, but not in the catalogue\n";
    }
  std::cout << outcome.examined << " examples, " << outcome.wrong << " complaints, "
            << outcome.rewritten << " rewritten\n";
  if (outcome.wrong > 0 || outcome.examined == 0) return 1;
  if (accept) {
    std::cout << "skipped: expected files are being accepted\n";
    return 77;
  }
  return 0;
}
