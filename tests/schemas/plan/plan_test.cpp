// Encoding and decoding plans; what damaged files do.
#include "schemas/plan/plan.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <set>

#include "schemas/callbacks/list.hpp"
#include "schemas/callbacks/load_model.hpp"
#include "schemas/data_readers/text.hpp"
#include "schemas/metrics/python_metric.hpp"
#include "schemas/plan/header.hpp"
#include "schemas/plan/paths.hpp"
#include "schemas/specialization/specialize.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/small_plan.hpp"

using namespace lbann;
using testing::contains;

namespace {

/// The bytes with a header that fits them.
std::vector<std::uint8_t> sealed(std::vector<std::uint8_t> bytes) {
  write_header(bytes);
  return bytes;
}

/// Gives a field of a declaration another value, whatever its range.
void set(Declared& declared, std::string_view field, Value value) {
  auto const found =
      std::ranges::find(declared.record.fields, field,
                        [](auto const& each) -> std::string_view { return each.first; });
  REQUIRE(found != declared.record.fields.end());
  found->second = std::move(value);
}

/// A metric that a Python function tells.
Measure asked_metric() {
  metrics::python_metric metric;
  metric.module = "asked";
  return {"asked", "", {}, {}, {}, Declared{to_record(metric), Span{0, 1, 3}}};
}

/// Decodes; what is accepted must also specialise, or say why it cannot.
bool survives(std::vector<std::uint8_t> const& bytes) {
  auto const plan = decode(bytes);
  if (!plan) {
    CHECK_FALSE(plan.problem().message.empty());
    return false;
  }
  Placement placement;
  placement.mini_batch = plan.value().mini_batch_size;
  auto const program = specialize(plan.value(), placement);
  if (!program) CHECK_FALSE(program.problem().message.empty());
  return true;
}

}  // namespace

TEST_CASE("the small plan is sound") {
  auto const fault = verify(tests::small_plan());
  CHECK(fault.value_or("") == "");
}

TEST_CASE("decode gives back what encode was given") {
  auto plan = tests::small_plan();
  plan.unimplemented = {"early_stopping", "amp"};
  plan.training.mini_batches = {{0, 2}, {2, 5}};
  plan.metrics.push_back(asked_metric());
  plan.staging = {"/l/ssd", 2.5, 7};
  plan.mesh = {1, 2, 3};
  plan.data[0].mixing = {{"labels", "samples"}, 0.25};
  auto const bytes = encode(plan);
  auto const decoded = decode(bytes);
  if (!decoded) FAIL(decoded.problem().message);
  auto const& back = decoded.value();
  CHECK(back.experiment == "small");
  CHECK(back.sources == plan.sources);
  CHECK(back.overrides == plan.overrides);
  CHECK(back.mini_batch_size == 5);
  CHECK(back.training.max_seconds == 1.5);
  CHECK(back.training.mini_batches == plan.training.mini_batches);
  CHECK(to_text(back.program) == to_text(plan.program));
  CHECK(back.program.tensors[7].origin == plan.program.tensors[7].origin);
  CHECK(back.objective.step_value == plan.objective.step_value);
  CHECK_FALSE(back.metrics.at(0).step_value.valid());
  CHECK_FALSE(back.metrics.at(0).external.has_value());
  CHECK(back.metrics.at(1).external.value().record == plan.metrics.at(1).external.value().record);
  CHECK(back.metrics.at(1).external.value().span == plan.metrics.at(1).external.value().span);
  CHECK(back.weights.at(2).dims == std::vector<std::int64_t>{3, 4});
  CHECK(back.layers.at(0).weights == std::vector<std::string>{"w1", "b1"});
  CHECK(back.layers.at(2).datatype == DataType::f32);
  CHECK(back.layers.at(2).span == Span{0, 27, 30});
  CHECK(back.data.at(0).reader.record == plan.data.at(0).reader.record);
  CHECK(back.data.at(0).fields.at(1).tensor == plan.data.at(0).fields.at(1).tensor);
  CHECK(back.callbacks.at(0).record == plan.callbacks.at(0).record);
  CHECK(back.unimplemented == plan.unimplemented);
  CHECK(back.staging.value().local_dir == "/l/ssd");
  CHECK(back.staging.value().limit == 2.5);
  CHECK(back.staging.value().streams == 7);
  CHECK(back.mesh == MeshRequest{1, 2, 3});
  CHECK(back.data.at(0).mixing.value().fields == plan.data[0].mixing->fields);
  CHECK(back.data.at(0).mixing.value().alpha == 0.25);
  CHECK(meaning_digest(back) == meaning_digest(plan));
  plan.mesh.rows = -1;
  CHECK(verify(plan) == "what is said of the mesh is impossible");
  plan.mesh = {};
  plan.staging.reset();
  CHECK(meaning_digest(back) == meaning_digest(plan));
  for (auto const& impossible : {Staging{"", 1, 1}, {"a", -1, 1}, {"a", 1, 0}, {"a", 1, 1025}}) {
    plan.staging = impossible;
    CHECK(verify(plan) == "what is said of staging is impossible");
  }
  CHECK(encode(back) == bytes);
}

TEST_CASE("observations come back, and what they name must be there") {
  auto plan = tests::small_plan();
  auto const layer = plan.layers[0];
  plan.weights[0].file = "values.npy";
  plan.weights[0].inputs_first = true;
  plan.weights[1].statistic = DataStatistic::deviation;
  Tensor result;
  result.name = "observed";
  result.type = {DataType::f32, batched(layer.dims[0])};
  result.role = TensorRole::result;
  result.distribution.split = {{"data"}, {}};
  auto const id = plan.program.add(result);
  auto observed = *plan.program.entry_point("train");
  observed.name = "train.observed";
  auto const shape = result.type.shape;
  auto const source = std::ranges::find_if(plan.program.tensors, [&](Tensor const& tensor) {
    return tensor.role == TensorRole::activation && tensor.type == result.type;
  });
  REQUIRE(source != plan.program.tensors.end());
  TensorId const from(static_cast<std::size_t>(source - plan.program.tensors.begin()));
  observed.instructions.push_back({operators::reshape{shape}, {from}, {id}, {}});
  plan.program.entry_points.push_back(observed);
  plan.observations = {{Observable::output, layer.name, 0, "train", id}};
  auto const fault = verify(plan);
  REQUIRE_MESSAGE(!fault, fault.value_or(""));
  auto const back = decode(encode(plan));
  REQUIRE(back.good());
  CHECK(back.value().weights.at(0).file == "values.npy");
  CHECK(back.value().weights.at(0).inputs_first);
  CHECK_FALSE(back.value().weights.at(1).inputs_first);
  CHECK(back.value().weights.at(1).statistic == DataStatistic::deviation);
  auto const& read = back.value().observations.at(0);
  CHECK(read.observable == Observable::output);
  CHECK(read.name == layer.name);
  CHECK(read.entry == "train");
  CHECK(read.tensor == id);
  for (Observation const& broken :
       {Observation{Observable::output, "nobody", 0, "train", id},
        Observation{Observable::output, layer.name, 7, "train", id},
        Observation{Observable::gradient, layer.name, 0, "train", id},
        Observation{Observable::output, layer.name, 0, "evaluate", id},
        Observation{Observable::output, layer.name, 0, "initialize", id},
        Observation{Observable::output, layer.name, 0, "train", from},
        Observation{Observable::output, layer.name, 0, "train", {}}}) {
    plan.observations = {broken};
    CHECK(verify(plan).has_value());
  }
}

TEST_CASE("variants of entry points write what they may") {
  auto program = tests::small_plan().program;
  auto renamed = *program.entry_point("train");
  for (auto const& [name, sound] :
       {std::pair{"train.observed", true}, std::pair{"gradients.train", false},
        std::pair{"objective.train", false}, std::pair{"evaluate.observed", false}}) {
    renamed.name = name;
    auto with = program;
    with.entry_points.push_back(renamed);
    CHECK(verify(with).has_value() != sound);
  }
}

TEST_CASE("copies of a text come back and must be sound") {
  auto plan = tests::small_plan();
  plan.sources.push_back({"", "", 0, {0, 1, 2}, "in round 1"});
  plan.layers[0].span = {1, 0, 5};
  auto const back = decode(encode(plan));
  REQUIRE(back.good());
  CHECK(back.value().sources == plan.sources);
  CHECK(meaning_digest(plan) == meaning_digest(tests::small_plan()));
  for (Source const& broken :
       {Source{"", "", 1, {0, 1, 2}, "of itself"}, Source{"", "", 0, {1, 1, 2}, "by itself"},
        Source{"named", "", 0, {0, 1, 2}, ""}, Source{"", "", 0, {0, 1, 2000}, "outside"},
        Source{"n", "text of its own for spans", Span::no_file, {0, 1, 2}, ""}}) {
    plan.sources[1] = broken;
    CHECK(verify(plan).has_value());
  }
}

TEST_CASE("encode depends on the plan alone") {
  auto const first = encode(tests::small_plan());
  std::vector<Plan> elsewhere(3, tests::small_plan());  // other addresses
  CHECK(encode(elsewhere.back()) == first);
  elsewhere.back().random_seed = 43;
  CHECK(encode(elsewhere.back()) != first);
}

TEST_CASE("meaning_digest ignores texts, spans and paths, and nothing else") {
  auto const meaning = meaning_digest(tests::small_plan());
  auto plan = tests::small_plan();
  plan.sources[0].text = "model: small # commented\nlayers: [ip1, ip2]\n";
  plan.overrides.clear();
  plan.layers[0].span = {0, 1, 2};
  plan.program.tensors[7].origin.span = {};
  CHECK(meaning_digest(plan) == meaning);
  set(plan.data[0].reader, "sequence_length", std::int64_t{21});
  CHECK(meaning_digest(plan) != meaning);
  plan = tests::small_plan();
  std::get<operators::matmul>(plan.program.entry_points[1].instructions[15].op).transpose_a = false;
  CHECK(meaning_digest(plan) != meaning);
}

TEST_CASE("of a path, and of a list of paths, only that it is there has a meaning") {
  data_readers::text reader;
  reader.data_filedir = "/here";
  reader.data_filenames = {"a.txt", "b.txt"};
  auto plan = tests::small_plan();
  plan.data[0].reader.record = to_record(reader);
  plan.callbacks[0].record = to_record(callbacks::load_model{.dirs = {"first", "second"}});
  auto const meaning = meaning_digest(plan);
  auto const meaning_with = [&](auto change) {
    auto other = reader;
    change(other);
    auto changed = plan;
    changed.data[0].reader.record = to_record(other);
    return meaning_digest(changed);
  };
  CHECK(meaning_with([](auto& text) { text.data_filedir = "/elsewhere"; }) == meaning);
  CHECK(meaning_with([](auto& text) { text.data_filenames = {"c.txt", "d.txt"}; }) == meaning);
  CHECK(meaning_with([](auto& text) { text.data_filenames = {"a.txt"}; }) != meaning);
  CHECK(meaning_with([](auto& text) { text.vocabulary = "abc"; }) != meaning);
  plan.callbacks[0].record = to_record(callbacks::load_model{.dirs = {"third", "fourth"}});
  CHECK(meaning_digest(plan) == meaning);
}

TEST_CASE("is_path asks the declarations") {
  CHECK(is_path("text", "data_filedir"));
  CHECK(is_path("text", "vocabulary_filenames"));
  CHECK(is_path("save_model", "dir"));
  CHECK(is_path("python_metric", "module_dir"));
  CHECK_FALSE(is_path("text", "vocabulary"));
  CHECK_FALSE(is_path("save_model", "dirs"));
  CHECK_FALSE(is_path("profile", "dir"));
}

TEST_CASE("meaning_digest sees every kind of content") {
  using Change = void (*)(Plan&);
  Change const changes[] = {
      [](Plan& plan) { plan.experiment += "x"; },
      [](Plan& plan) { plan.type = DataType::f64; },
      [](Plan& plan) { ++plan.mini_batch_size; },
      [](Plan& plan) { ++plan.random_seed; },
      [](Plan& plan) { plan.training.type += "x"; },
      [](Plan& plan) { ++plan.training.max_epochs; },
      [](Plan& plan) { ++plan.training.max_batches; },
      [](Plan& plan) { plan.training.max_seconds += 0.5; },
      [](Plan& plan) {
        plan.training.mini_batches = {{0, 2}};
      },
      [](Plan& plan) {
        plan.training.mini_batches = {{0, 3}};
      },
      [](Plan& plan) {
        plan.training.mini_batches = {{0, 2}, {1, 2}};
      },
      [](Plan& plan) {
        plan.training.mini_batches = {{0, 2}, {2, 2}};
      },
      [](Plan& plan) { plan.program.tensors[3].name += "x"; },
      [](Plan& plan) { plan.program.tensors[3].type.type = DataType::i32; },
      [](Plan& plan) {
        plan.program.tensors[3].type.shape.extents.push_back({2, false});
      },
      [](Plan& plan) {
        plan.program.tensors[3].type.shape.extents.push_back({2, true});
      },
      [](Plan& plan) { plan.program.tensors[3].role = TensorRole::result; },
      [](Plan& plan) { plan.program.tensors[3].owner = TensorId(1); },
      [](Plan& plan) { ++plan.program.tensors[3].slot; },
      [](Plan& plan) { plan.program.tensors[3].distribution.split = {{"data"}}; },
      [](Plan& plan) {
        plan.program.tensors[3].distribution.split = {{}, {"data"}};
      },
      [](Plan& plan) { plan.program.tensors[3].distribution.partial = {"data"}; },
      [](Plan& plan) { plan.program.tensors[3].origin.name += "x"; },
      [](Plan& plan) { plan.program.tensors[3].origin.pass += "x"; },
      [](Plan& plan) { plan.program.entry_points[0].name += "x"; },
      [](Plan& plan) { plan.program.entry_points[1].instructions.pop_back(); },
      [](Plan& plan) { plan.program.entry_points[1].instructions[0].inputs.emplace_back(1u); },
      [](Plan& plan) { plan.program.entry_points[1].instructions[0].outputs.emplace_back(1u); },
      [](Plan& plan) { plan.program.entry_points[1].instructions[0].origin.name += "x"; },
      [](Plan& plan) { plan.program.entry_points[1].instructions[0].op = operators::argmax{}; },
      [](Plan& plan) { plan.mini_batch = TensorId(9); },
      [](Plan& plan) { plan.first_sample = TensorId(9); },
      [](Plan& plan) { plan.seed = TensorId(9); },
      [](Plan& plan) { plan.step = TensorId(9); },
      [](Plan& plan) { plan.objective.unit += "x"; },
      [](Plan& plan) { plan.objective.train_sum = TensorId(9); },
      [](Plan& plan) { plan.metrics.push_back(plan.objective); },
      [](Plan& plan) {
        plan.metrics.push_back({"asked", "", {}, {}, {}, plan.callbacks[0]});
      },
      [](Plan& plan) { ++plan.weights[0].dims[0]; },
      [](Plan& plan) { plan.weights[0].optimizer += "x"; },
      [](Plan& plan) { plan.weights[0].learning_rate = TensorId(9); },
      [](Plan& plan) { plan.layers[0].type += "x"; },
      [](Plan& plan) { plan.layers[0].children.emplace_back("x"); },
      [](Plan& plan) { plan.layers[0].dims.push_back({1}); },
      [](Plan& plan) { plan.layers[0].datatype = DataType::f64; },
      [](Plan& plan) { plan.layers[0].inserted_by += "x"; },
      [](Plan& plan) { ++plan.data[0].samples; },
      [](Plan& plan) { plan.data[0].role = ExecutionMode::testing; },
      [](Plan& plan) { plan.data[0].fields[0].name += "x"; },
      [](Plan& plan) { ++plan.data[0].fields[0].dims[0]; },
      [](Plan& plan) { plan.data[0].fields[0].tensor = TensorId(9); },
      [](Plan& plan) { plan.callbacks.push_back(plan.data[0].reader); },
      [](Plan& plan) { plan.weights[0].file = "values.npy"; },
      [](Plan& plan) { plan.weights[0].statistic_of = "samples"; },
      [](Plan& plan) { plan.weights[0].statistic = DataStatistic::deviation; },
      [](Plan& plan) { plan.observations.push_back({}); },
      [](Plan& plan) {
        plan.observations.push_back({Observable::gradient, "", 0, "", {}});
      },
      [](Plan& plan) {
        plan.observations.push_back({Observable::output, "w1", 0, "", {}});
      },
      [](Plan& plan) {
        plan.observations.push_back({Observable::output, "", 1, "", {}});
      },
      [](Plan& plan) {
        plan.observations.push_back({Observable::output, "", 0, "train", {}});
      },
      [](Plan& plan) {
        plan.observations.push_back({Observable::output, "", 0, "", TensorId(1)});
      },
  };
  std::set<std::uint64_t> seen = {meaning_digest(tests::small_plan())};
  for (auto change : changes) {
    auto plan = tests::small_plan();
    change(plan);
    seen.insert(meaning_digest(plan));
  }
  CHECK(seen.size() == 1 + std::size(changes));
}

TEST_CASE("decode refuses every damaged byte and every length") {
  auto bytes = encode(tests::small_plan());
  for (auto& byte : bytes) {
    byte ^= 0x5a;
    CHECK_FALSE(decode(bytes).good());
    byte ^= 0x5a;
  }
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_FALSE(decode(std::span(bytes).first(size)).good());
  bytes.push_back(0);
  CHECK_FALSE(decode(bytes).good());
}

TEST_CASE("decode trusts no byte even when the digest fits") {
  auto const bytes = encode(tests::small_plan());
  std::size_t accepted = 0, tried = 0;
  for (std::size_t i = plan_header_bytes; i < bytes.size(); ++i)
    for (std::uint8_t flip : {0x01, 0x80, 0xff}) {
      auto damaged = bytes;
      damaged[i] ^= flip;
      accepted += survives(sealed(damaged)) ? 1 : 0;
      ++tried;
    }
  // Names, constants, spans and counts may be others and still make a plan; structure may not.
  CHECK(accepted > 0);
  CHECK(accepted < tried / 2);
  MESSAGE(accepted, " of ", tried, " sealed flips still make a plan");
}

TEST_CASE("decode survives cut, random and multiply damaged bodies with a fitting digest") {
  auto const bytes = encode(tests::small_plan());
  for (std::size_t size = plan_header_bytes; size < bytes.size(); size += 3)
    CHECK_FALSE(
        survives(sealed({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)})));
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    auto damaged = bytes;
    for (int k = 0; k < 4; ++k)
      damaged[plan_header_bytes + random() % (bytes.size() - plan_header_bytes)] =
          static_cast<std::uint8_t>(random());
    survives(sealed(damaged));
    std::vector<std::uint8_t> noise(plan_header_bytes + random() % 300);
    for (auto& byte : noise) byte = static_cast<std::uint8_t>(random());
    CHECK_FALSE(decode(noise).good());
    CHECK_FALSE(survives(sealed(noise)));
  }
}

TEST_CASE("decode names the version and the remedy") {
  auto bytes = encode(tests::small_plan());
  bytes[8] = 77;
  auto const plan = decode(bytes);
  REQUIRE_FALSE(plan.good());
  CHECK(contains(plan.problem().message, "version 77"));
  CHECK(contains(plan.problem().message, "version " + std::to_string(plan_version)));
  CHECK(contains(plan.problem().message, "lbann-compile"));
}

TEST_CASE("verify of a plan names what does not fit") {
  auto const fault_after = [](auto change) {
    auto plan = tests::small_plan();
    change(plan);
    auto const bytes = encode(plan);
    CHECK_FALSE(decode(bytes).good());
    return verify(plan).value_or("");
  };
  CHECK(contains(fault_after([](Plan& p) { p.mini_batch_size = 0; }), "mini-batch"));
  CHECK(contains(fault_after([](Plan& p) { p.type = DataType::i32; }), "model cannot compute"));
  CHECK(contains(fault_after([](Plan& p) { p.training.max_epochs = -1; }), "limit"));
  for (auto const& wrong :
       {MiniBatchChange{.epoch = 0}, MiniBatchChange{.epoch = 5, .mini_batch = 0},
        MiniBatchChange{.epoch = 5, .mini_batch = 1000}}) {
    auto plan = tests::small_plan();
    plan.training.mini_batches = {{0, 2}, {4, 5}, wrong};
    CHECK(contains(verify(plan).value_or(""), "change of the mini-batch size"));
  }
  CHECK(
      contains(fault_after([](Plan& p) { p.mini_batch_size = INT64_MAX / 2; }), "size of tensor"));
  CHECK(contains(fault_after([](Plan& p) { p.step = TensorId(); }), "step"));
  CHECK(contains(fault_after([](Plan& p) { p.seed = p.first_sample; }), "seed"));
  CHECK(contains(fault_after([](Plan& p) { p.weights[0].tensor = TensorId(9999); }), "w1"));
  CHECK(contains(fault_after([](Plan& p) { p.weights[1].name = "w1"; }), "twice"));
  CHECK(contains(fault_after([](Plan& p) { p.weights[0].dims = {6, 4}; }), "w1"));
  for (auto const* field : {"nothing", "samples"})
    CHECK(contains(fault_after([&](Plan& p) { p.weights[0].statistic_of = field; }),
                   "no such data field"));
  CHECK(contains(fault_after([](Plan& p) { p.weights[0].learning_rate = TensorId(); }), "rate"));
  CHECK(contains(fault_after([](Plan& p) { p.layers[0].span.end = 9999; }), "ip1"));
  CHECK(contains(fault_after([](Plan& p) { p.layers[0].dims = {{-3}}; }), "ip1"));
  CHECK(contains(fault_after([](Plan& p) { p.layers[0].datatype = DataType::i32; }),
                 "layer `ip1` cannot compute in i32"));
  CHECK(contains(fault_after([](Plan& p) { p.layers[1].name = "ip1"; }), "twice"));
  CHECK(contains(fault_after([](Plan& p) { p.data[0].samples = -2; }), "text"));
  for (double alpha : {0.0, -1.0, std::nan("")})
    CHECK(contains(fault_after([&](Plan& p) {
                     p.data[0].mixing = {{"samples"}, alpha};
                   }),
                   "what is said of mixing samples of reader `text` is impossible"));
  CHECK(contains(fault_after([](Plan& p) {
                   p.data[0].role = ExecutionMode::validation;
                   p.data[0].mixing = {{"samples"}, 1};
                 }),
                 "impossible"));
  CHECK(contains(fault_after([](Plan& p) {
                   p.data[0].mixing = {{"samples", "samples"}, 1};
                 }),
                 "`samples` of reader `text` cannot be mixed"));
  CHECK(contains(fault_after([](Plan& p) {
                   p.data[0].mixing = {{"pixels"}, 1};
                 }),
                 "`pixels` of reader `text` cannot be mixed"));
  CHECK(contains(fault_after([](Plan& p) { p.data[0].fields[0].dims = {7}; }), "samples"));
  CHECK(contains(fault_after([](Plan& p) { p.data[0].fields[1].name = "samples"; }), "twice"));
  CHECK(contains(fault_after([](Plan& p) { p.metrics[0].train_sum = TensorId(3); }), "accuracy"));
  CHECK(contains(fault_after([](Plan& p) { p.metrics[0].external = p.callbacks[0]; }), "asked"));
  CHECK(contains(fault_after([](Plan& p) { p.callbacks[0].span.begin = 4; }), "print"));
  CHECK(fault_after([](Plan& p) { p.program.entry_points[1].instructions[0].inputs.pop_back(); }) !=
        "");
}

TEST_CASE("a plan does not say where a run may write") {
  auto const fault_of = [](auto const& callback) {
    auto plan = tests::small_plan();
    plan.callbacks.push_back({to_record(callback), {}});
    return verify(plan).value_or("");
  };
  for (auto const* path : {"/abs", "../x", "a/../../x"}) {
    CHECK(contains(fault_of(callbacks::save_model{.dir = path}), path));
    CHECK(contains(fault_of(callbacks::confusion_matrix{"a", "b", path}), path));
    callbacks::dump_outputs dump;
    dump.directory = path;
    CHECK(contains(fault_of(dump), path));
  }
  CHECK(fault_of(callbacks::save_model{.dir = "a/b"}).empty());
  CHECK(fault_of(callbacks::load_model{.dirs = {"/abs"}}).empty());
}

TEST_CASE("read_plan names the file") {
  auto const* folder = std::getenv("TMPDIR");
  auto const path = std::string(folder != nullptr ? folder : "/tmp") + "/plan_test.plan";
  auto const bytes = encode(tests::small_plan());
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<char const*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  CHECK(read_plan(path).good());
  std::ofstream(path, std::ios::binary) << "model:\n";
  auto const other = read_plan(path);
  REQUIRE_FALSE(other.good());
  CHECK(contains(other.problem().message, path));
  std::remove(path.c_str());
  auto const missing = read_plan(path);
  REQUIRE_FALSE(missing.good());
  CHECK(contains(missing.problem().message, path));
  CHECK_FALSE(read_plan("/tmp").good());
}
