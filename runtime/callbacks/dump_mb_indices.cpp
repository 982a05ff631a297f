// Writes the indices in the data of the samples of each mini-batch.
#include <fmt/format.h>

#include "runtime/callbacks/factories.hpp"
#include "runtime/callbacks/value_files.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

class DumpMbIndices final : public Callback {
 public:
  DumpMbIndices(callbacks::dump_mb_indices fields, CallbackContext const& run, Span span)
      : fields_(std::move(fields)), run_(run), span_(span) {}

  bool on_every_rank() const override { return true; }
  bool reads(Iteration const& iteration) const override {
    return iteration.step % fields_.interval == 0;
  }

  /// One index per line; the file has LBANN's name.
  Result<Success> read(Iteration const& iteration) override {
    auto const name = fmt::format("{}_e{}_s{}_r{}-MB_Sample_Indices.txt", name_of(iteration.mode),
                                  iteration.epoch, iteration.step, run_.executor.rank());
    auto text = fmt::format("{}", fmt::join(iteration.indices, "\n"));
    if (!iteration.indices.empty()) text += '\n';
    auto written = write_file(run_.trainer_folder(fields_.basename) / name, text);
    if (written) return written;
    return Problem{located(run_.plan.sources, span_, written.problem().message)};
  }

 private:
  callbacks::dump_mb_indices fields_;
  CallbackContext const& run_;
  Span span_;
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::dump_mb_indices const& fields,
                                      CallbackContext const& run, Span span) {
  return std::make_unique<DumpMbIndices>(fields, run, span);
}

}  // namespace lbann::runtime
