// Loads the data of a plan's readers and selects the samples of each role.
#include <algorithm>
#include <new>
#include <numeric>
#include <optional>

#include "runtime/data/data_store.hpp"
#include "runtime/data/kept_samples.hpp"
#include "runtime/data/sample_order.hpp"
#include "runtime/data/splits.hpp"
#include "schemas/plan/location.hpp"
#include "schemas/samples/open_samples.hpp"
#include "schemas/samples/transformed_samples.hpp"
#include "schemas/transforms/apply_transforms.hpp"

namespace lbann::runtime {

namespace {

struct Opened {
  data_readers::reader choice;  ///< the common fields
  std::shared_ptr<Samples const> samples;
  std::shared_ptr<DataStore> store;
};

/// The samples of a source as its transforms leave them in a phase.
Result<std::shared_ptr<Samples>> transformed(DataSource const& source,
                                             std::shared_ptr<Samples const> samples,
                                             ExecutionMode role) {
  std::vector<FieldTransforms> fields;
  for (auto const& applied : source.transforms) {
    if (applied.phase && *applied.phase != role) continue;
    auto const& record = applied.transform.record;
    auto transform = transform_of(record);
    if (!transform)
      return Problem{"this program has no transform `" + record.type + "` with these fields"};
    auto found = std::ranges::find(fields, applied.field, &FieldTransforms::field);
    if (found == fields.end()) found = fields.insert(fields.end(), {applied.field, {}});
    found->transforms.push_back(*std::move(transform));
  }
  std::vector<Samples::GivenField> expected;
  for (auto const& field : source.fields) expected.push_back({field.name, field.dims});
  return with_transforms(std::move(samples), std::move(fields), expected, reader_role(role));
}

/// Decodes the declaration of a reader and loads its data.
Result<Opened> open(DataSource const& source, OpenContext const& context, bool checks_all,
                    StoreOptions const* store) {
  auto const reader = reader_of(source);
  if (!reader)
    return Problem{"this program has no reader `" + source.reader.record.type +
                   "` with these fields"};
  auto loaded = load_samples(*reader, context, checks_all);
  if (!loaded) return loaded.problem();
  std::shared_ptr<Samples const> samples = std::move(loaded).value();
  auto const choice =
      std::visit([](data_readers::reader const& common) { return common; }, *reader);
  // Those that share out whole mini-batches lose by being asked for single samples; those that are
  // drawn are others in each epoch; of those that are mixed, ranks read some that others keep.
  if (store != nullptr && !samples->takes_whole_batches() && !samples->is_drawn() &&
      !source.mixing) {
    auto const stored = std::make_shared<DataStore>(samples, *store);
    return Opened{choice, stored, stored};
  }
  return Opened{choice, samples->is_costly() ? keep(samples) : samples, nullptr};
}

/// The field of `source` with the labels that `gan_labelling` makes by the place in a mini-batch.
std::optional<std::size_t> halved_labels(DataSource const& source,
                                         data_readers::reader const& choice) {
  auto const found = std::ranges::find(source.fields, "labels", &DataField::name);
  if (!choice.gan_labelling || choice.gan_label_value != 0 || found == source.fields.end())
    return std::nullopt;
  return static_cast<std::size_t>(found - source.fields.begin());
}

/// The mixing of a source by the places of its fields.
std::optional<SplitMixing> split_mixing(DataSource const& source) {
  if (!source.mixing) return std::nullopt;
  SplitMixing mixing{{}, source.mixing->alpha};
  for (auto const& name : source.mixing->fields)
    mixing.fields.push_back(static_cast<std::size_t>(
        std::ranges::find(source.fields, name, &DataField::name) - source.fields.begin()));
  return mixing;
}

std::string dims_text(std::vector<std::int64_t> const& dims) { return to_text(Shape(dims)); }

/// For each field of `source`, its index in the fields of `samples`.
Result<std::vector<std::size_t>> match_fields(DataSource const& source, Samples const& samples) {
  std::vector<std::size_t> numbers;
  auto const& given = samples.fields();
  for (auto const& field : source.fields) {
    auto const found = std::ranges::find(given, field.name, &data_readers::GivenField::name);
    if (found == given.end())
      return Problem{"reader `" + source.reader.record.type + "` gives no field `" + field.name +
                     "`"};
    if (!found->dims.empty() && found->dims != field.dims)
      return Problem{"a sample of field `" + field.name + "` is " + dims_text(found->dims) +
                     " in the data, but " + dims_text(field.dims) +
                     " in the plan; compile the experiment again where the data can be seen, or "
                     "correct the dims"};
    numbers.push_back(static_cast<std::size_t>(found - given.begin()));
  }
  return numbers;
}

/// The samples that `choice` selects, shuffled once; of a sequence, the first ones in order.
Result<std::vector<std::int64_t>> choose(data_readers::reader const& choice, Samples const& samples,
                                         std::int64_t seed) {
  auto const count = samples.count();
  auto const keep = choice.used(count);
  if (keep > count)
    return Problem{"absolute_sample_count is " + std::to_string(keep) + ", the data holds " +
                   std::to_string(count) + " samples"};
  if (keep < 1)
    return Problem{"no sample is left of the " + std::to_string(count) + " in the data"};
  if (count > data_readers::most_samples)
    return Problem{"the data holds " + std::to_string(count) + " samples, more than the " +
                   std::to_string(data_readers::most_samples) + " that a run can keep in order"};
  std::vector<std::int64_t> indices;
  try {
    indices.resize(static_cast<std::size_t>(count));
  } catch (std::bad_alloc const&) {
    return Problem{"no memory for the order of " + std::to_string(count) +
                   " samples, 8 bytes each"};
  }
  std::iota(indices.begin(), indices.end(), std::int64_t{0});
  if (choice.shuffle && samples.overlap() < 0) {
    auto const role = reader_role(choice.role);
    shuffle(indices, random_key(seed, random_name("choice/" + role)), 0);
  }
  indices.resize(static_cast<std::size_t>(keep));
  return indices;
}

}  // namespace

Result<std::vector<Split>> open_splits(Plan const& plan, OpenContext const& context,
                                       bool checks_all, StoreOptions const* store) {
  std::vector<Split> splits;
  auto const declares = [&](ExecutionMode role) {
    return std::ranges::find(plan.data, role, &DataSource::role) != plan.data.end();
  };
  for (auto const& source : plan.data) {
    if (source.role == ExecutionMode::prediction) continue;
    auto const problem = [&](std::string const& message) {
      return Problem{located(plan.sources, source.reader.span,
                             "reader `" + source.reader.record.type + "`: " + message)};
    };
    auto own_context = context;
    own_context.seed = plan.random_seed;
    auto opened = open(source, own_context, checks_all, store);
    if (!opened) return problem(opened.problem().message);
    auto const& choice = opened.value().choice;
    auto const& samples = opened.value().samples;
    if (source.samples >= 0 && source.samples != samples->count())
      return problem("the data holds " + std::to_string(samples->count()) +
                     " samples, the plan was made for " + std::to_string(source.samples) +
                     "; compile the experiment again");
    auto own = transformed(source, samples, source.role);
    if (!own) return problem(own.problem().message);
    auto fields = match_fields(source, *own.value());
    if (!fields) return problem(fields.problem().message);
    auto chosen = choose(choice, *samples, plan.random_seed);
    if (!chosen) return problem(chosen.problem().message);
    auto indices = std::move(chosen).value();
    auto const chosen_count = static_cast<std::int64_t>(indices.size());

    Split split{source.role,
                &source,
                std::move(own).value(),
                {},
                choice.shuffle,
                std::move(fields).value(),
                opened.value().store,
                halved_labels(source, choice),
                split_mixing(source)};
    auto const validation_count = data_readers::part_of_samples(
        choice.validation_fraction, static_cast<std::int64_t>(indices.size()));
    if (source.role == ExecutionMode::training && choice.validation_fraction > 0) {
      // Samples that share data with a held-out one are dropped.
      auto const shared = std::max<std::int64_t>(samples->overlap(), 0);
      if (validation_count < 1 ||
          validation_count + shared >= static_cast<std::int64_t>(indices.size()))
        return problem("validation_fraction " + std::to_string(choice.validation_fraction) +
                       " of " + std::to_string(indices.size()) +
                       " samples leaves none for training or none "
                       "for validation");
      auto const cut = indices.end() - validation_count;
      if (!declares(ExecutionMode::validation)) {
        auto held_back = transformed(source, samples, ExecutionMode::validation);
        if (!held_back) return problem(held_back.problem().message);
        if (auto same = match_fields(source, *held_back.value()); !same)
          return problem("held back for validation: " + same.problem().message);
        Split validation{ExecutionMode::validation,
                         &source,
                         std::move(held_back).value(),
                         {cut, indices.end()},
                         false,
                         split.fields,
                         opened.value().store,
                         split.halved_labels};
        splits.push_back(std::move(validation));
      }
      indices.erase(cut - shared, indices.end());
    }
    if (source.role == ExecutionMode::training && choice.tournament_fraction > 0) {
      auto const held_out =
          data_readers::part_of_samples(choice.tournament_fraction, chosen_count) +
          std::max<std::int64_t>(samples->overlap(), 0);
      if (held_out >= static_cast<std::int64_t>(indices.size()))
        return problem("tournament_fraction " + std::to_string(choice.tournament_fraction) +
                       " leaves no samples for training");
      indices.erase(indices.end() - held_out, indices.end());
    }
    split.indices = std::move(indices);
    splits.push_back(std::move(split));
  }
  std::ranges::stable_sort(splits, {}, &Split::role);
  return splits;
}

}  // namespace lbann::runtime
