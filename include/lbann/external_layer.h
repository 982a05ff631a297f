/* What a shared library offers to be a layer of an experiment (the layer `external`).
 *
 * For `external: {filename: libdouble.so, layer_name: double}` the library exports a function of C
 *
 *     char const* setup_double(lbann_tensor const* inputs, int32_t input_count,
 *                              lbann_tensor const* outputs, int32_t output_count,
 *                              lbann_external_layer* layer);
 *
 * which looks at types and extents (their data is not there yet), fills `layer` and returns NULL,
 * or returns a sentence that says why it cannot: the run ends with it before anything is trained.
 *
 * It is called several times, for different numbers of samples and from different threads, one
 * after the other; each time it sets up a layer of its own, on which `forward` or `backward` is
 * called any number of times. What `backward` needs of `forward` must stand in the inputs or the
 * outputs. Each sample must be treated by itself: a rank sees only its own. Functions must not
 * throw.
 */
#ifndef LBANN_EXTERNAL_LAYER_H
#define LBANN_EXTERNAL_LAYER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What this header says; a library that says otherwise is refused. */
#define LBANN_EXTERNAL_LAYER_VERSION 1

enum lbann_data_type { LBANN_FLOAT32 = 0, LBANN_FLOAT64 = 1 };
enum lbann_memory { LBANN_HOST = 0, LBANN_CUDA = 1 };

/* A tensor in C order without gaps. */
typedef struct lbann_tensor {
  void* data;
  int64_t const* extents; /* the first is the number of samples, which may be 0 */
  int32_t rank;
  int32_t type;   /* of lbann_data_type */
  int32_t memory; /* of lbann_memory: where data lies */
} lbann_tensor;

typedef struct lbann_external_layer {
  int32_t version; /* LBANN_EXTERNAL_LAYER_VERSION */
  void* state;     /* given back with every call */

  /* Writes every entry of all outputs. */
  void (*forward)(void* state, lbann_tensor const* inputs, lbann_tensor const* outputs);

  /* Writes every entry of all input_gradients, which are shaped as the inputs; output_gradients are
   * shaped as the outputs, which are those that `forward` wrote. NULL: there is no gradient (and
   * the experiment says `differentiable: false`). */
  void (*backward)(void* state, lbann_tensor const* inputs, lbann_tensor const* outputs,
                   lbann_tensor const* output_gradients, lbann_tensor const* input_gradients);

  /* Releases `state`; may be NULL. */
  void (*destroy)(void* state);
} lbann_external_layer;

typedef char const* (*lbann_setup_function)(lbann_tensor const* inputs, int32_t input_count,
                                            lbann_tensor const* outputs, int32_t output_count,
                                            lbann_external_layer* layer);

#ifdef __cplusplus
}
#endif

#endif
