// Writes what `dot` reads, and runs it.
#include "compiler/export/picture.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "compiler/passes/pipeline.hpp"

namespace lbann::compiler {

namespace {

constexpr std::string_view own_colour = "#dbe9f6", inserted_colour = "#fde0c5",
                           measured_colour = "#d5ead0";

std::string dot_text(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string_view purpose(std::string_view name) {
  for (auto const& pass : pipeline())
    if (pass.name == name) return pass.summary;
  return {};
}

/// Lines of at most so many characters, broken at blanks.
std::string broken_lines(std::string_view text, std::size_t width) {
  std::string result;
  std::size_t used = 0;
  while (!text.empty()) {
    auto const end = std::min(text.find(' '), text.size());
    if (used > 0 && used + 1 + end > width) {
      result += "\\n";
      used = 0;
    } else if (used > 0) {
      result += ' ', ++used;
    }
    result += dot_text(text.substr(0, end));
    used += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string node(Graph const& graph, std::size_t index, std::string const& indentation) {
  auto const& layer = graph.layers[index];
  bool const inserted = !layer.inserted_by.empty();
  bool measured = false;
  std::string label = dot_text(layer.declaration.type->name) + "\\n" + dot_text(layer.name);
  for (std::size_t i = 0; i < layer.outputs.size(); ++i)
    label += (i == 0 ? "\\n" : ", ") + to_text(layer.outputs[i]);
  for (auto const& term : graph.objective_terms)
    if (term.evaluation.index() == index) label += "\\nobjective", measured = true;
  for (auto const& metric : graph.metrics)
    if (metric.evaluation.valid() && metric.evaluation.index() == index)
      label += "\\nmetric \\\"" + dot_text(metric.name) + "\\\"", measured = true;
  if (inserted)
    label += "\\ninserted by " + dot_text(layer.inserted_by) + ":\\n" +
             broken_lines(purpose(layer.inserted_by), 40);
  auto const colour = inserted ? inserted_colour : measured ? measured_colour : own_colour;
  return indentation + "n" + std::to_string(index) + " [label=\"" + label + "\", fillcolor=\"" +
         std::string(colour) + "\"" + (inserted ? ", style=\"filled,dashed\"" : "") + "];\n";
}

/// The layers that a call of a module has written, in frames of the calls within it.
struct Frame {
  std::string name;
  std::vector<std::size_t> layers;
  std::vector<Frame> inner;

  /// The frame of a path of calls.
  Frame& at(std::string_view path) {
    if (path.empty()) return *this;
    auto const first = path.substr(0, path.find('/'));
    auto found = std::ranges::find(inner, first, &Frame::name);
    if (found == inner.end()) found = inner.insert(found, Frame{std::string(first), {}, {}});
    return found->at(path.substr(std::min(first.size() + 1, path.size())));
  }
};

/// What a pass has inserted stands in the frame of what it follows.
Frame frames_of(Graph const& graph) {
  Frame all;
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < graph.layers.size(); ++i) {
    auto const& layer = graph.layers[i];
    bool const follows =
        !layer.inserted_by.empty() && !layer.parents.empty() && layer.parents[0].layer.index() < i;
    paths.push_back(follows ? paths[layer.parents[0].layer.index()] : layer.calls);
    all.at(paths.back()).layers.push_back(i);
  }
  return all;
}

std::string frame_text(Graph const& graph, Frame const& frame, std::string const& path,
                       std::size_t depth) {
  std::string const indentation(2 * depth, ' ');
  std::string text;
  for (auto const index : frame.layers) text += node(graph, index, indentation);
  for (auto const& inner : frame.inner) {
    auto const name = path + "/" + inner.name;
    text += indentation + "subgraph \"cluster" + dot_text(name) + "\" {\n" + indentation +
            "  label=\"" + dot_text(inner.name) + "\"; labelloc=t; style=rounded; " +
            "color=\"#8c8c8c\"; fontname=\"Helvetica\"; fontsize=10;\n" +
            frame_text(graph, inner, name, depth + 1) + indentation + "}\n";
  }
  return text;
}

std::string edge(Graph const& graph, Edge const& edge, std::size_t child) {
  auto const& parent = graph[edge.layer];
  bool const numbered = has_numbered_outputs(*parent.type) && edge.output != Edge::unnamed;
  auto const label = numbered ? " [label=\"" + std::to_string(edge.output) + "\"]" : "";
  return "  n" + std::to_string(edge.layer.index()) + " -> n" + std::to_string(child) + label +
         ";\n";
}

struct Pipe {
  int ends[2] = {-1, -1};
  bool open() { return ::pipe2(ends, O_CLOEXEC) == 0; }
  void close(int end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
  ~Pipe() {
    close(0);
    close(1);
  }
};

/// A nameless file that holds a text, read from its beginning; -1 if there cannot be one.
int file_holding(std::string const& text) {
  char name[] = "/tmp/lbann-picture-XXXXXX";
  int const file = ::mkostemp(name, O_CLOEXEC);
  if (file < 0) return -1;
  ::unlink(name);
  for (std::size_t done = 0; done < text.size();) {
    auto const wrote = ::write(file, text.data() + done, text.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      ::close(file);
      return -1;
    }
    done += static_cast<std::size_t>(wrote);
  }
  ::lseek(file, 0, SEEK_SET);
  return file;
}

}  // namespace

std::string to_dot(Graph const& graph, std::string const& title) {
  std::string text = "digraph model {\n  label=\"" + dot_text(title) +
                     "\";\n  labelloc=t;\n  rankdir=TB;\n  node [shape=box, style=filled, "
                     "fontname=\"Helvetica\", fontsize=10];\n  edge [fontname=\"Helvetica\", "
                     "fontsize=9];\n";
  text += frame_text(graph, frames_of(graph), "", 1);
  for (std::size_t i = 0; i < graph.layers.size(); ++i)
    for (auto const& parent : graph.layers[i].parents) text += edge(graph, parent, i);
  return text + "}\n";
}

Result<std::string> to_svg(std::string const& dot) {
  auto const failed = [](std::string const& what) {
    return Problem{what + ": " + std::strerror(errno)};
  };
  int const input = file_holding(dot);
  if (input < 0) return failed("a temporary file cannot be written");
  Pipe output;
  if (!output.open()) return failed("no pipe can be opened");
  auto const child = ::fork();
  if (child < 0) return failed("`dot` cannot be started");
  if (child == 0) {
    ::dup2(input, STDIN_FILENO);
    ::dup2(output.ends[1], STDOUT_FILENO);
    ::execlp("dot", "dot", "-Tsvg", static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ::close(input);
  output.close(1);
  std::string svg;
  char buffer[65536];
  for (;;) {
    auto const got = ::read(output.ends[0], buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    svg.append(buffer, static_cast<std::size_t>(got));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return Problem{"`dot` is not found: install Graphviz, or use `--emit dot` and draw elsewhere"};
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || svg.empty())
    return Problem{"`dot` failed to draw the graph"};
  return svg;
}

}  // namespace lbann::compiler
