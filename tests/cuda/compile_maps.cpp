// Compiles all maps and reductions of plans as a GPU's process would, on a machine without one.
// Usage: compile_maps FOLDER PLAN...
// Writes the machine code of each text to FOLDER, for resources.py.
#include <array>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <thread>

#include "kernels/jit/compiler.hpp"
#include "kernels/jit/map_text.hpp"
#include "kernels/jit/reduce_function.hpp"
#include "kernels/shapes/reduce_layout.hpp"
#include "tests/cuda/program_calls.hpp"

using namespace lbann;
using kernels::View;

namespace {

/// Text by text, what it is of.
using Texts = std::map<std::string, std::string>;

class PlanTexts {
 public:
  PlanTexts(SpecializedProgram const& program, Texts& texts) : program_(program), texts_(texts) {}

  void add(Instruction const& instruction) {
    instruction_ = &instruction;
    if (auto const* const map = std::get_if<operators::map>(&instruction.op)) {
      auto const shape = map->shape.at(samples());
      add_map({map->expression, map->compute, shape, views(instruction.inputs),
               views(instruction.outputs), false});
    } else if (auto const* const reduce = std::get_if<operators::reduce>(&instruction.op)) {
      add_reduce(*reduce);
    } else if (auto const* const matmul = std::get_if<operators::matmul>(&instruction.op)) {
      add_epilogue(matmul->epilogue);
    } else if (auto const* const pairs = std::get_if<operators::batched_matmul>(&instruction.op)) {
      add_epilogue(pairs->epilogue);
    } else if (auto const* const window = std::get_if<operators::convolution>(&instruction.op)) {
      add_epilogue(window->epilogue);
    }
  }

 private:
  std::int64_t samples() const { return program_.samples_of(*instruction_, program_.mini_batch); }

  std::vector<View> views(std::vector<TensorId> const& ids) const {
    return test::views_without_memory(program_, ids);
  }

  void add_map(kernels::MapRequest const& request) {
    if (auto const code = kernels::assemble(request))
      keep(kernels::jit::map_text(*code).text);
    else
      std::printf("%s: beyond the engine\n", instruction_->origin.name.c_str());
  }

  void add_epilogue(Expression const& epilogue) {
    if (epilogue.empty()) return;
    auto const outputs = views(instruction_->outputs);
    auto operands = views(instruction_->inputs);
    // The product is in the place of the first operand.
    operands.erase(operands.begin());
    operands[0] = outputs[0];
    operands[0].type = program_.tensors[instruction_->inputs[0].index()].type.type;
    operands[0].data = reinterpret_cast<void*>(std::uintptr_t{1} << 35);
    auto const shape = std::span(outputs[0].extents).first(outputs[0].rank);
    add_map({epilogue, operands[0].type, shape, operands, outputs, false});
  }

  void add_reduce(operators::reduce const& op) {
    auto const shape = op.shape.at(samples());
    View value;
    value.type = op.compute;
    std::vector<View> const values(instruction_->outputs.size(), value);
    auto const code = kernels::assemble(
        {op.expression, op.compute, shape, views(instruction_->inputs), values, false});
    if (code) keep(kernels::jit::reduce_text(*code, op.mode));
  }

  void keep(std::string text) {
    texts_.emplace(std::move(text), std::string(name_of(instruction_->op)) + " of `" +
                                        instruction_->origin.name + '`');
  }

  SpecializedProgram const& program_;
  Texts& texts_;
  Instruction const* instruction_ = nullptr;
};

bool add_texts_of(std::string const& path, Texts& texts) {
  auto const program = test::program_of(path);
  if (!program) return false;
  for (auto const& entry : program->entries)
    for (auto const& instruction : entry.instructions) PlanTexts(*program, texts).add(instruction);
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  Texts texts;
  bool good = count > 2;
  for (int i = 2; i < count; ++i) good = add_texts_of(arguments[i], texts) && good;
  std::vector<Texts::value_type const*> all;
  for (auto const& text : texts) all.push_back(&text);
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> compiles = true;
  auto const work = [&] {
    for (auto i = next++; i < all.size(); i = next++) {
      auto const code = kernels::jit::machine_code(all[i]->first, "sm_90");
      if (!code) {
        std::printf("%s does not compile: %s\n", all[i]->second.c_str(),
                    code.problem().message.c_str());
        compiles = false;
        continue;
      }
      auto const file = std::string(arguments[1]) + "/text" + std::to_string(i) + ".o";
      std::ofstream(file, std::ios::binary)
          .write(code.value().data(), static_cast<std::streamsize>(code.value().size()));
      std::ofstream(file + ".cu") << "// " << all[i]->second << '\n' << all[i]->first;
    }
  };
  std::array threads = {std::jthread(work), std::jthread(work)};
  for (auto& thread : threads) thread.join();
  std::printf("%zu texts of maps and reductions\n", all.size());
  return good && compiles && !all.empty() ? 0 : 1;
}
