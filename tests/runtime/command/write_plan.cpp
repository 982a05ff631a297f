// Writes the small plan of the runtime's tests to a file, changed as its arguments say.
#include <cstdio>
#include <fstream>
#include <string>

#include "schemas/callbacks/dump_weights.hpp"
#include "schemas/callbacks/load_model.hpp"
#include "schemas/callbacks/print.hpp"
#include "schemas/callbacks/progress_bar.hpp"
#include "schemas/callbacks/save_model.hpp"
#include "schemas/callbacks/timer.hpp"
#include "tests/runtime/regression.hpp"

int main(int argc, char** argv) {
  using namespace lbann;
  if (argc < 2) return 2;
  auto plan = test::regression_plan();
  for (int i = 2; i + 1 < argc; i += 2) {
    std::string const key = argv[i], value = argv[i + 1];
    if (key == "epochs") plan.training.max_epochs = std::stoll(value);
    if (key == "print") plan.callbacks.push_back({to_record(callbacks::print{}), {}});
    if (key == "progress") plan.callbacks.push_back({to_record(callbacks::progress_bar{}), {}});
    if (key == "bar_width") {
      callbacks::progress_bar bar;
      bar.bar_width = std::stoll(value);
      plan.callbacks.push_back({to_record(bar), Span{0, 9, 15}});
    }
    if (key == "timer") plan.callbacks.push_back({to_record(callbacks::timer{}), {}});
    if (key == "save")
      plan.callbacks.push_back({to_record(callbacks::save_model{.dir = value}), {}});
    if (key == "dump")
      plan.callbacks.push_back({to_record(callbacks::dump_weights{.directory = value}), {}});
    if (key == "weights") plan.weights[0].name = value;
    if (key == "load")
      plan.callbacks.push_back({to_record(callbacks::load_model{.dirs = {value}}), Span{0, 9, 15}});
  }
  auto const bytes = encode(plan);
  std::ofstream file(argv[1], std::ios::binary);
  file.write(reinterpret_cast<char const*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  return file ? 0 : 1;
}
