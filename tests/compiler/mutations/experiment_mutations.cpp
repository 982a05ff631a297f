// Experiments changed at random are compiled: every one ends in a plan or in messages with places,
// within bounded work and memory.
//
//     experiment_mutations SOURCE_ROOT COUNT [FIRST]
#include <malloc.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <set>
#include <string>
#include <vector>

#include "compiler/compile.hpp"
#include "compiler/diagnostics/render.hpp"
#include "schemas/vocabulary/syntax.hpp"
#include "tests/compiler/mutations/text_mutator.hpp"

namespace fs = std::filesystem;
using namespace lbann;
using namespace lbann::compiler;
using lbann::testing::Choices;

namespace {

/// Of one case: far above what any text of these sizes needs, counted and so the same everywhere.
constexpr std::size_t most_allocations = 60'000'000, most_bytes = std::size_t{1} << 30;

struct Usage {
  std::size_t allocations = 0, bytes = 0, peak = 0;
};
Usage usage;
bool exceeded = false;

void* counted(std::size_t size) {
  void* const memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  usage.bytes += ::malloc_usable_size(memory);
  usage.peak = std::max(usage.peak, usage.bytes);
  if ((++usage.allocations > most_allocations || usage.peak > most_bytes) && !exceeded) {
    exceeded = true;
    std::fprintf(stderr, "%zu allocations, %zu bytes at once\n", usage.allocations, usage.peak);
    std::abort();
  }
  return memory;
}

void release(void* memory) {
  if (memory != nullptr) usage.bytes -= std::min(usage.bytes, ::malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void* operator new(std::size_t size, std::nothrow_t const&) noexcept { return counted(size); }
void* operator new[](std::size_t size, std::nothrow_t const&) noexcept { return counted(size); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }

namespace {

struct Text {
  std::string name, folder, content;
};

std::string read(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Every experiment of the repository in one of the syntaxes, in the order of their paths.
std::vector<Text> texts_below(fs::path const& root) {
  std::set<fs::path> paths;
  for (auto const* folder : {"experiments", "tests", "schemas/diagnostics/examples"})
    for (auto const& entry : fs::recursive_directory_iterator(root / folder))
      if (auto const end = entry.path().extension();
          end == ".yaml" || end == ".toml" || end == ".prototext")
        paths.insert(entry.path());
  std::vector<Text> texts;
  for (auto const& path : paths)
    texts.push_back(
        {path.lexically_relative(root).string(), path.parent_path().string(), read(path)});
  return texts;
}

/// Counts what is wrong with the outcomes.
class Examiner {
 public:
  explicit Examiner(fs::path const& root) : texts_(texts_below(root)) {
    for (auto const& text : texts_) {
      contents_.push_back(text.content);
      CompileOptions options;
      options.name = text.name;
      options.folder = text.folder;
      options.text = text.content;
      if (compile(options, declarations_).plan) sound_.push_back(text);
    }
  }

  void run(std::uint64_t number) {
    Choices choices(number);
    // Most changes of what is sound lead far; what is wrong already ends early.
    auto const& base = choices.one_in(4) ? choices.of(texts_) : choices.of(sound_);
    auto const options = changed(base, choices);
    usage = {};
    auto const compiled = compile(options, declarations_);
    ++(compiled.plan ? plans_ : refusals_);
    verify(compiled, options.emit.empty() && options.stop_after.empty(),
           [&](std::string const& words) {
             ++wrong_;
             std::printf("case %llu, from %s: %s\n", static_cast<unsigned long long>(number),
                         base.name.c_str(), words.c_str());
             if (std::getenv("LBANN_SHOW_MUTATED") != nullptr)
               std::printf("%s\n", options.text.c_str());
           });
    // The bytes of what is still held belong to nobody's case.
    usage = {};
  }

  int result() const {
    std::printf("%zu texts, %zu of them sound: %zu plans, %zu without, %zu wrong\n", texts_.size(),
                sound_.size(), plans_, refusals_, wrong_);
    return wrong_ > 0 || sound_.empty() ? 1 : 0;
  }

 private:
  CompileOptions changed(Text const& base, Choices& choices) const {
    CompileOptions options;
    options.name = base.name;
    options.folder = base.folder;
    options.text = testing::mutated(base.content, contents_, choices);
    options.allow_unbuilt = choices.one_in(4);
    if (choices.one_in(4)) options.emit = std::string(choices.of(text_forms));
    if (choices.one_in(8)) {
      auto const parts = choices.of(overrides);
      options.overrides = {testing::mutated(std::string(parts), contents_, choices)};
    }
    if (choices.one_in(8))
      options.fields = {
          given_on_command_line(testing::mutated("samples=1x28x28", contents_, choices))};
    return options;
  }

  template <class Complain>
  void verify(Compiled const& compiled, bool to_the_end, Complain const& complain) const {
    if (compiled.internal_error)
      complain("a fault of the compiler: " + compiled.internal_error->message);
    if (compiled.problem) complain("trouble with the machine: " + compiled.problem->message);
    auto const words = render(compiled.report, compiled.sources, false);
    for (auto const& diagnostic : compiled.report.diagnostics()) {
      auto const& span = diagnostic.span;
      if (diagnostic.message.empty()) complain("a message without words: " + words);
      if (!span.known() || span.file >= compiled.sources.size() || span.begin > span.end ||
          span.end > written_source(compiled.sources, span.file).text.size())
        complain("a message without a place: " + diagnostic.message);
    }
    if (compiled.plan && compiled.report.has_errors()) complain("a plan beside errors: " + words);
    if (!compiled.plan && !compiled.report.has_errors() && to_the_end)
      complain("neither a plan nor an error");
    // What is compiled can be run, as far as a loader can tell.
    if (compiled.plan)
      if (auto const decoded = decode(encode(*compiled.plan)); !decoded)
        complain("its plan is refused: " + decoded.problem().message);
  }

  static constexpr std::array<std::string_view, 4> text_forms = {"yaml", "toml", "graph",
                                                                 "plan-text"};
  static constexpr std::array<std::string_view, 4> overrides = {
      "trainer.mini_batch_size=4", "model.layers[1].fully_connected.num_neurons=3",
      "optimizer={sgd: {learn_rate: 0.1}}", "model.callbacks=[]"};

  std::vector<Text> texts_, sound_;
  std::vector<std::string> contents_;
  Declarations declarations_;
  std::size_t plans_ = 0, refusals_ = 0, wrong_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  auto const cases = testing::cases_of(argc, argv, 1);
  Examiner examiner(argv[1]);
  testing::run_cases(cases, [&](std::uint64_t number) { examiner.run(number); });
  return examiner.result();
}
