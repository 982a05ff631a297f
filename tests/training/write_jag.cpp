// Writes files of JAG simulations for a training: write_jag FILE FIRST COUNT HEIGHT WIDTH CHANNELS
// SCALARS INPUTS. Every seventh simulation failed.
#include <cstdlib>

#include "tests/support/jag_writer.hpp"

int main(int, char** words) {
  auto const number = [&](int i) { return std::atoi(words[i]); };
  lbann::tests::Hdf5Writer file(words[1]);
  for (int i = number(2); i < number(2) + number(3); ++i) {
    lbann::tests::JagSimulation simulation{"run_" + std::to_string(i), i, i % 7 != 6};
    simulation.height = static_cast<hsize_t>(number(4));
    simulation.width = static_cast<hsize_t>(number(5));
    simulation.channels = static_cast<hsize_t>(number(6));
    simulation.scalars = number(7);
    simulation.inputs = number(8);
    simulation.write(file);
  }
}
