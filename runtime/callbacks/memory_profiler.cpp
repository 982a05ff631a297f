// Memory of a rank, by purpose.
#include <fmt/format.h>

#include <functional>
#include <map>
#include <numeric>

#include "runtime/callbacks/factories.hpp"
#include "schemas/reports/memory.hpp"

namespace lbann::runtime {

namespace {

class MemoryProfiler final : public Callback {
 public:
  MemoryProfiler(callbacks::memory_profiler const& fields, CallbackContext const& run)
      : detailed_(fields.detailed_first_step), run_(run) {}

  Result<Success> train_begin() override {
    auto const report = report_memory(run_.executor.program());
    std::string classes;
    for (std::size_t i = 0; i < memory_class_count; ++i)
      if (report.bytes[i] > 0)
        classes += fmt::format(" {} {},", memory_class_names[i], bytes_text(report.bytes[i]));
    run_.log.line(fmt::format("memory profile :{} together {}", classes, bytes_text(report.total)));
    if (!detailed_) return Success{};
    for (auto const& line : layers()) run_.log.line(line);
    return Success{};
  }

 private:
  /// A line for each layer. Layers reuse the memory of outputs, so that the sum is larger than the
  /// arenas.
  std::vector<std::string> layers() const {
    auto const& plan = run_.plan;
    auto const number = [](DataType type) { return static_cast<std::int64_t>(bytes_of(type)); };
    auto const samples = run_.executor.local_samples(run_.executor.program().mini_batch);
    auto const entries = [](std::vector<std::int64_t> const& dims) {
      return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>{});
    };
    std::map<std::string_view, std::int64_t> weights;
    for (auto const& info : plan.weights)
      weights[info.name] = entries(info.dims) * number(plan.program[info.tensor].type.type);
    std::vector<std::string> lines;
    for (auto const& layer : plan.layers) {
      std::int64_t outputs = 0, own = 0;
      for (auto const& dims : layer.dims)
        outputs += entries(dims) * samples * number(layer.datatype);
      for (auto const& name : layer.weights) own += weights[name];
      lines.push_back(fmt::format("memory profile : {} outputs {}, weights {}", layer.name,
                                  bytes_text(outputs), bytes_text(own)));
    }
    return lines;
  }

  bool detailed_;
  CallbackContext const& run_;
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::memory_profiler const& fields,
                                      CallbackContext const& run, Span) {
  return std::make_unique<MemoryProfiler>(fields, run);
}

}  // namespace lbann::runtime
