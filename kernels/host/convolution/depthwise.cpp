// Takes planes through their windows, and what comes of them through an epilogue.
#include "kernels/host/convolution/depthwise.hpp"

namespace lbann::kernels::host {

template <class T>
Depthwise<T>::Depthwise(WindowGeometry const& g, bool gradient)
    : planes_(g.samples * g.channels),
      channels_(g.channels),
      taps_(g.taps()),
      source_(gradient ? g.positions() : g.entries()),
      result_(gradient ? g.entries() : g.positions()),
      at_once_(planes_at_once(planes_, g.channels, result_)),
      windows_(g, gradient) {}

template <class T>
std::int64_t Depthwise<T>::scratch_elements(bool separate) const {
  auto const tasks = (planes_ + at_once_ - 1) / at_once_;
  return separate ? std::min(ThreadTeam::size(), tasks) * at_once_ * result_ : 0;
}

template <class T>
void Depthwise<T>::run(T const* source, T const* kernel, T* result, T* scratch,
                       MapEngine const* epilogue) const {
  for_each_planes(
      planes_, at_once_, [&](std::int64_t first, std::int64_t last, std::int64_t worker) {
        T* const results =
            result != nullptr ? result + first * result_ : scratch + worker * at_once_ * result_;
        for (auto plane = first; plane < last; ++plane)
          windows_.run(source + plane * source_, kernel + plane % channels_ * taps_,
                       results + (plane - first) * result_, plane + 1 < last);
        if (epilogue != nullptr) epilogue->run(first * result_, last * result_, results);
      });
}

template class Depthwise<float>;
template class Depthwise<double>;

}  // namespace lbann::kernels::host
