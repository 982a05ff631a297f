// Checks of values on the command line.
#pragma once

namespace CLI {
class Validator;
}

namespace lbann::runtime {

/// Refuses an empty path: usually an unset variable of the shell.
CLI::Validator not_empty();
CLI::Validator a_name();
CLI::Validator an_interval();
/// Refuses a file that no format of exported weights is known for.
CLI::Validator exportable();
/// Refuses a file that samples cannot be packed to.
CLI::Validator packable();
/// Refuses a file that no format of predictions is known for.
CLI::Validator predictable();

}  // namespace lbann::runtime
