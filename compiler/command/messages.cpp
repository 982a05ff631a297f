// Messages printed or kept.
#include "compiler/command/messages.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "compiler/command/exit_codes.hpp"
#include "compiler/diagnostics/render.hpp"
#include "compiler/source/files.hpp"

namespace lbann::compiler {

namespace {

bool colour_wanted() {
  auto const* refused = std::getenv("NO_COLOR");
  auto const* terminal = std::getenv("TERM");
  bool const dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return (refused == nullptr || *refused == '\0') && !dumb && ::isatty(STDERR_FILENO) == 1;
}

}  // namespace

void Messages::add(std::string const& name, Compiled const& compiled) {
  if (format_ != Format::human) {
    experiments_.push_back({name, located_findings(compiled.report, compiled.sources)});
    return;
  }
  auto const words = render(compiled.report, compiled.sources, prints() && colour_wanted());
  if (prints())
    std::fputs(words.c_str(), stderr);
  else
    text_ += words;
}

int Messages::add_failure(std::string const& name, int code, std::string const& message) {
  auto const line = "lbann-compile: " + message + "\n";
  if (prints())
    std::fputs(line.c_str(), stderr);
  else if (format_ == Format::human)
    text_ += line;
  else {
    if (experiments_.empty() || experiments_.back().file != name)
      experiments_.push_back({name, {}});
    experiments_.back().findings.push_back(finding_of_file(
        code == internal_error ? internal_error_code : unreadable_code, name, message));
  }
  return code;
}

int Messages::finish() {
  if (prints()) return good;
  auto const text = format_ == Format::human ? text_ : formatted(format_, experiments_);
  if (file_.empty()) return give(text);
  auto const written = write_file(file_, text);
  return written ? good : fail(file_problem, written.problem().message);
}

}  // namespace lbann::compiler
