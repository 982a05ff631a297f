// Options: the plan, processes and threads, where things are.
#include <CLI/CLI.hpp>

#include "runtime/command/options.hpp"
#include "runtime/command/validators.hpp"
#include "runtime/execution/threads.hpp"

namespace lbann::runtime {

void add_run_options(CLI::App& app, CommandLine& line) {
  auto& run = line.run;
  app.add_option("plan", run.plan, "Plan written by lbann-compile; needed by all but --report")
      ->check(not_empty());
  app.add_option(
         "--work-dir", run.folders.base,
         "Folder in which the run makes its own, <model>_<time> ($LBANN_EXPERIMENT_DIR, or .)")
      ->check(not_empty());
  app.add_option("--threads", run.threads,
                 "Threads to compute with ($OMP_NUM_THREADS, or this rank's share of the cores)")
      ->check(CLI::Range(std::int64_t{1}, most_threads));
  app.add_option("--io-threads", run.io_threads, "Threads that prepare data")
      ->check(CLI::Range(1, 1024));
  app.add_option("--procs-per-trainer", line.per_trainer, "Ranks that train one model (all)")
      ->check(CLI::Range(1, 1 << 30));
  auto* const mesh = app.add_option_function<std::string>(
      "--mesh",
      [&run](std::string const& text) {
        auto const request = parse_mesh(text);
        if (!request) throw CLI::ValidationError("--mesh", request.problem().message);
        run.mesh = request.value();
      },
      "Arrangement of the ranks of a trainer, over whose rows and columns weights of "
      "model-parallel "
      "layers are split: rows=2,columns=2 (that with the fewest bytes sent)");
  app.add_option("--trainer-grid-height", run.mesh.rows,
                 "Rows of the mesh; all other ranks of a trainer are its columns, as in LBANN")
      ->check(CLI::Range(1, 1 << 30))
      ->excludes(mesh)
      ->each([&run](std::string const&) { run.mesh.data = 1; });
  app.add_flag(
      "--no-shared-memory", run.no_shared_memory,
      "Let ranks on one node sum all gradients over messages, as ranks of several nodes do");
  app.add_flag("--plan-per-trainer,--generate_multi_proto", run.plan_per_trainer,
               "Each trainer reads a plan of its own: PLAN names that of trainer 0, with "
               "`trainer0` in the name of the file, the others have their numbers there")
      ->needs(app.get_option("--procs-per-trainer"));
  app.add_option("--data-root", run.data_root,
                 "Folder that relative data paths are looked up in first")
      ->check(not_empty());
  app.add_option("--python", run.python,
                 "Interpreter of readers that run Python ($LBANN_PYTHON, or python3)");
  app.add_option_function<std::string>(
         "--device",
         [&run](std::string const& name) {
           run.device = name == "cpu"    ? DeviceChoice::cpu
                        : name == "cuda" ? DeviceChoice::cuda
                                         : DeviceChoice::automatic;
         },
         "Device to run on: cpu, cuda (lbann-run-cuda beside this program), or auto (cuda where "
         "that and a driver are there)")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
  app.add_flag("--tf32", run.tf32,
               "Let a GPU round the factors of products of matrices and of convolutions in f32 to "
               "TF32: 10 bits of 23, several times as fast");
  app.add_option_function<std::string>(
         "--kernels",
         [&run](std::string const& name) {
           run.selection =
               name == "reference" ? kernels::Selection::reference : kernels::Selection::best;
         },
         "Kernels to use: best, or reference (slow, plain loops)")
      ->check(CLI::IsMember({"best", "reference"}));
  app.add_option("--steps", run.step_limit, "At most so many steps of each pass (a smoke run)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 62));
  app.add_option_function<std::string>(
         "--layout", [&run](std::string const& name) { run.outputs_in_base = name == "lbann"; },
         "Where callbacks write: in the folder of the run (run), or in --work-dir itself, "
         "where the next run replaces it (lbann)")
      ->check(CLI::IsMember({"run", "lbann"}));
  app.add_option("--stall-timeout", run.stall_timeout,
                 "Seconds that ranks wait for one that does not come, before the job is ended")
      ->check(CLI::PositiveNumber);
  app.add_option_function<std::string>(
         "--log-style",
         [&run](std::string const& name) {
           if (name != "auto") run.log_style = name == "table" ? LogStyle::table : LogStyle::lbann;
         },
         "What the console shows of epochs: a table, LBANN's lines, or auto (a table on a "
         "terminal, else LBANN's lines)")
      ->check(CLI::IsMember({"auto", "table", "lbann"}));
  app.add_flag("--quiet", run.quiet, "Print nothing; the log file still has every line");
}

}  // namespace lbann::runtime
