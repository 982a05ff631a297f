// Tasks of all passes in turn, which write to the same lines.
#include "kernels/host/convolution/im2col_correlation.hpp"

#include <algorithm>

#include "kernels/host/products/microkernel.hpp"
#include "kernels/shapes/division.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host {

namespace {

/// Fewer rows use a packed element too seldom; less depth takes longer to write than to multiply.
constexpr std::int64_t least_rows = 32, least_depth = 32, most_taps = 49;
/// Registers of a sample's columns times taps, what is listed of each of them: a few megabytes.
constexpr std::int64_t most_listed = 1 << 18;
/// Elements of a task that clears.
constexpr std::int64_t cleared_elements = 1 << 16;

}  // namespace

template <class T>
bool Im2colCorrelation<T>::suits(WindowGeometry const& g, bool gradient) {
  auto const rows = gradient ? g.depth() : g.group_filters();
  auto depth = (gradient ? g.group_filters() : g.depth()) * g.taps();
  auto const positions = gradient ? g.entries() : g.positions();
  auto columns = g.samples * positions;
  for (auto const& axis : g.axes)
    if (gradient) {
      depth /= axis.stride;
      columns /= axis.stride;
    }
  return rows >= least_rows && depth >= least_depth && g.taps() <= most_taps &&
         columns >= tile_columns<T> && positions / lanes<T> * g.taps() <= most_listed;
}

template <class T>
Im2colCorrelation<T>::Im2colCorrelation(WindowGeometry const& g, bool gradient) {
  for (auto& pass : correlation_passes(g, gradient))
    if (pass.taps.empty())
      gaps_ = g.samples * g.channels * g.entries();
    else
      passes_.emplace_back(g, gradient, std::move(pass));
  for (auto const& pass : passes_) tasks_ = std::max(tasks_, pass.tasks());
}

template <class T>
std::int64_t Im2colCorrelation<T>::packed_elements() const {
  std::int64_t sum = 0;
  for (auto const& pass : passes_) sum += pass.packed_elements();
  return sum;
}

template <class T>
std::int64_t Im2colCorrelation<T>::slot_elements(bool separate) const {
  std::int64_t most = 0;
  for (auto const& pass : passes_) most = std::max(most, pass.slot_elements(separate));
  return most;
}

template <class T>
std::int64_t Im2colCorrelation<T>::scratch_elements(bool separate) const {
  auto const tasks = tasks_ * static_cast<std::int64_t>(passes_.size());
  return packed_elements() + workers_for(tasks) * slot_elements(separate);
}

template <class T>
void Im2colCorrelation<T>::run(T const* source, T const* kernel, T* result, T* scratch,
                               MapEngine const* epilogue) const {
  for_each_task(ceil_divide(gaps_, cleared_elements), [&](std::int64_t task, std::int64_t) {
    auto const begin = task * cleared_elements;
    std::fill(result + begin, result + std::min(begin + cleared_elements, gaps_), T(0));
  });
  T* packed = scratch;
  for (auto const& pass : passes_) {
    pass.pack(kernel, packed);
    packed += pass.packed_elements();
  }
  auto const slot = slot_elements(result == nullptr);
  auto const count = static_cast<std::int64_t>(passes_.size());
  for_each_task(tasks_ * count, [&](std::int64_t number, std::int64_t worker) {
    auto const task = number / count, last = number % count;
    auto const& pass = passes_[static_cast<std::size_t>(last)];
    if (task >= pass.tasks()) return;
    T const* left = scratch;
    for (std::int64_t i = 0; i < last; ++i)
      left += passes_[static_cast<std::size_t>(i)].packed_elements();
    pass.run(task, source, left, result, packed + worker * slot, epilogue);
  });
}

template class Im2colCorrelation<float>;
template class Im2colCorrelation<double>;

}  // namespace lbann::kernels::host
