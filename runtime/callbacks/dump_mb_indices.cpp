// The samples of each mini-batch, by their numbers in the data.
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
  bool reads(Iteration const& place) const override { return place.step % fields_.interval == 0; }

  /// One number per line, under LBANN's names.
  Result<Success> read(Iteration const& place) override {
    auto const name = fmt::format("{}_e{}_s{}_r{}-MB_Sample_Indices.txt", name_of(place.mode),
                                  place.epoch, place.step, run_.executor.rank());
    auto text = fmt::format("{}", fmt::join(place.indices, "\n"));
    if (!place.indices.empty()) text += '\n';
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
