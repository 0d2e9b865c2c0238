// Journals, their merge, and tables.

#include "camber/study/journal.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>

#include "camber/core/file.h"
#include "camber/core/process.h"
#include "camber/core/require.h"
#include "camber/core/temporary_folder.h"
#include "camber/study/coordinator.h"
#include "camber/study/merge.h"
#include "camber/study/parquet.h"
#include "camber/study/samples_table.h"
#include "camber/study/study_folder.h"
#include "camber/study/worker.h"

namespace camber::study {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

SampleResult make_result(long k) {
  return {.k = k,
          .status = k % 5 == 4 ? SampleStatus::kFailed : SampleStatus::kDone,
          .passed = k % 2 == 0,
          .reason = k % 5 == 4 ? "rolled \"over\", \\ at t = 3 s" : "",
          .time = 10.0 / 3 + static_cast<double>(k),
          .values = {0.1 * static_cast<double>(k), 1e-300},
          .figures = {static_cast<double>(k) / 7, k % 3 == 0 ? kNan : -2.5e17},
          .curves = {{0.1F, 1.0F / 3, std::numeric_limits<float>::quiet_NaN()}},
          .hash = "fnv1a64:0123456789abcdef"};
}

JournalHead make_head(const std::string& study) {
  return {.study = study,
          .program = "camber test",
          .build = "b",
          .kernel = "scalar",
          .instructions = "sse2",
          .host = "h"};
}

// All lanes are taken while there are samples for all workers. Before, a worker was given one sample at a
// time at the end, and a study of 16 samples was slower in lanes than in doubles.
TEST(Worker, IsGivenSamplesThatFillLanes) {
  using enum KernelKind;
  EXPECT_EQ(find_batch_size(4096, 2, 2, kLanes), 64U);
  EXPECT_EQ(find_batch_size(150, 2, 1, kLanes), 16U);
  EXPECT_EQ(find_batch_size(16, 1, 1, kLanes), 8U);
  EXPECT_EQ(find_batch_size(16, 2, 2, kLanes), 8U);
  EXPECT_EQ(find_batch_size(8, 2, 1, kLanes), 8U);
  EXPECT_EQ(find_batch_size(9, 2, 2, kLanes), 5U);
  EXPECT_EQ(find_batch_size(7, 2, 2, kLanes), 4U);
  EXPECT_EQ(find_batch_size(3, 2, 1, kLanes), 3U);
  EXPECT_EQ(find_batch_size(1, 4, 3, kLanes), 1U);
  EXPECT_EQ(find_batch_size(4096, 2, 2, kScalar), 8U);
  EXPECT_EQ(find_batch_size(16, 2, 2, kScalar), 2U);
  EXPECT_EQ(find_batch_size(5, 2, 1, kScalar), 1U);
}

constexpr const char* kStudyText = R"(kind = "study"
name = "small"
scenario = "../../../scenarios/step-steer.toml"
[[input]]
name = "a"
key = "vehicle.start.speed"
distribution = { kind = "uniform", low = 20, high = 22 }
[[input]]
name = "b"
key = "driver.speed.target"
distribution = { kind = "uniform", low = 20, high = 22 }
[plan]
kind = "random"
samples = 20
)";

/// A folder of a study with two figures that nobody drives.
StudyFolder make_folder(const std::string& path) {
  make_folders(path + "/in/a/b");
  make_folders(path + "/scenarios");
  std::filesystem::copy_file("scenarios/step-steer.toml", path + "/scenarios/step-steer.toml");
  std::filesystem::copy("models", path + "/models", std::filesystem::copy_options::recursive);
  const std::string file = path + "/in/a/b/study.toml";
  write_file_atomically(file, kStudyText);
  CheckedStudy checked{.study = {},
                       .facts = {.figures = {{"y0", "m"}, {"y1", "s"}},
                                 .curve_names = {"c"},
                                 .curve_units = {"m"},
                                 .duration = 1},
                       .files = {file, path + "/scenarios/step-steer.toml"}};
  // Models are read by nobody here; the scenario's reader looks whether they are there.
  checked.files.push_back(path + "/models/hmmwv.toml");
  checked.files.push_back(path + "/models/equipment/hmmwv.toml");
  checked.files.push_back(path + "/models/tires/hmmwv-tmeasy.toml");
  return StudyFolder::create(path + "/out", checked,
                             {.program = "camber test",
                              .build = "b",
                              .instructions = "sse2",
                              .host = "h",
                              .machine = "m"});
}

TEST(Crc32, HasTheCheckValueOfItsCatalog) { EXPECT_EQ(crc32("123456789"), 0xcbf43926U); }

TEST(SampleResult, ReadsBackToTheSameBits) {
  for (long k = 0; k < 20; ++k) {
    const SampleResult result = make_result(k), again = parse_result(to_text(result));
    EXPECT_EQ(to_text(again), to_text(result));
    EXPECT_EQ(again.values, result.values);
    EXPECT_EQ(again.figures[0], result.figures[0]);
    EXPECT_EQ(std::isnan(again.figures[1]), std::isnan(result.figures[1]));
    EXPECT_EQ(again.curves[0][1], 1.0F / 3);
    EXPECT_EQ(again.reason, result.reason);
  }
  for (const char* text :
       {"", "{}", "[1]", "{\"k\":-1}", "{\"k\":1,\"status\":\"odd\"}", "nonsense"})
    EXPECT_THROW(parse_result(text), std::invalid_argument) << text;
}

// Whatever length is left of a journal, each whole line counts, and nothing else does.
TEST(Journal, CanBeCutAtEveryByte) {
  const TemporaryFolder folder;
  std::string path;
  {
    JournalWriter writer(folder.path().string(), "w", make_head("s"));
    for (long k = 0; k < 6; ++k) {
      writer.begin(k);
      writer.append(make_result(k));
    }
    path = writer.path();
  }
  const std::string text = read_file(path, 1 << 20);
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const std::string_view cut = std::string_view(text).substr(0, size);
    const Journal journal = parse_journal(cut, path);
    std::size_t results = 0, begun = 0;
    for (std::size_t line = 0, at = 0; (at = cut.find('\n', at)) != std::string_view::npos;
         ++at, ++line)
      if (line > 0) (line % 2 == 1 ? begun : results) += 1;
    EXPECT_EQ(journal.results.size(), results) << size;
    EXPECT_EQ(journal.begun.size(), begun - results) << size;
    EXPECT_EQ(journal.is_torn, size > 0 && cut.back() != '\n') << size;
    EXPECT_EQ(journal.damaged, 0) << size;
  }
}

// A byte that is flipped anywhere costs the line that it is in, and no other.
TEST(Journal, NoticesEveryFlippedByte) {
  const TemporaryFolder folder;
  std::string text = journal_line(
      "{\"journal\":1,\"study\":\"s\",\"program\":\"\",\"build\":\"\",\"kernel\":\"\","
      "\"instructions\":\"\",\"host\":\"\"}");
  for (long k = 0; k < 3; ++k) text += journal_line(to_text(make_result(k)));
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x15);
    const Journal journal = parse_journal(damaged, "j");
    EXPECT_LE(journal.results.size(), 3U);
    for (const SampleResult& result : journal.results)
      EXPECT_EQ(to_text(result), to_text(make_result(result.k))) << i;
    EXPECT_TRUE(journal.damaged > 0 || journal.is_torn || journal.results.size() < 3) << i;
    EXPECT_GE(journal.results.size(), damaged.find('\n') == std::string::npos ? 0U : 1U) << i;
  }
}

TEST(Journal, TakesNoFractionAsNumberOfASample) {
  for (const char* record : {R"({"begin":1e308})", R"({"died":0.5})",
                             R"({"k":3.0,"status":"done","passed":true,"time":1,"x":[],"y":[]})"}) {
    const auto read = [&] { return parse_journal(journal_line(record), "j"); };
    try {
      const Journal journal = read();
      EXPECT_EQ(journal.damaged, 1) << record;
      EXPECT_TRUE(journal.begun.empty() && journal.died.empty()) << record;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("not the result of a sample"), std::string::npos);
    }
  }
}

TEST(Merge, DropsEqualRepeatsAndReportsUnequalOnes) {
  const TemporaryFolder root;
  const StudyFolder folder = make_folder(root.path().string());
  const auto write = [&](const std::vector<SampleResult>& results) {
    JournalWriter writer(folder.journals(), "w", make_head(folder.id()));
    for (const SampleResult& result : results) writer.append(result);
  };
  write({make_result(0), make_result(1), make_result(2)});
  write({make_result(1), make_result(3)});
  Merged merged = merge_journals(folder);
  EXPECT_EQ(merged.results.size(), 4U);
  EXPECT_EQ(merged.repeats, 1);
  EXPECT_TRUE(merged.conflicts.empty());
  SampleResult other = make_result(2);
  other.figures[0] = std::nextafter(other.figures[0], 1);
  write({other});
  merged = merge_journals(folder);
  ASSERT_EQ(merged.conflicts.size(), 1U);
  EXPECT_EQ(merged.conflicts[0].k, 2);
  EXPECT_NE(merged.conflicts[0].first, merged.conflicts[0].second);
  EXPECT_FALSE(merged.conflicts[0].first.empty());
  // A result counts more than a note that the sample was given up.
  SampleResult crashed = make_crashed(folder.facts(), {.k = 3, .values = {1, 2}}, "why");
  write({crashed});
  EXPECT_EQ(merge_journals(folder).results.at(3).status, SampleStatus::kDone);
  EXPECT_EQ(merge_journals(folder).conflicts.size(), 1U);
}

TEST(Merge, RefusesAJournalOfAnotherStudy) {
  const TemporaryFolder root;
  const StudyFolder folder = make_folder(root.path().string());
  { JournalWriter writer(folder.journals(), "w", make_head("another")); }
  EXPECT_THROW(merge_journals(folder), std::invalid_argument);
}

TEST(Merge, GivesUpASampleThatEndsItsWorkerTooOften) {
  const TemporaryFolder root;
  const StudyFolder folder = make_folder(root.path().string());
  const auto attempt = [&](const char* record) {
    JournalWriter writer(folder.journals(), "w", make_head(folder.id()));
    writer.begin(7);
    std::ofstream(writer.path(), std::ios::app) << (*record == '\0' ? "" : journal_line(record));
  };
  attempt("{\"died\":7}");
  EXPECT_EQ(find_crash(folder.study(), merge_journals(folder), 7), "");
  attempt("{\"died\":7}");
  EXPECT_EQ(find_crash(folder.study(), merge_journals(folder), 7), "ended its worker 2 times");
  EXPECT_EQ(find_crash(folder.study(), merge_journals(folder), 8), "");
  for (int i = 0; i < 7; ++i) attempt("");
  EXPECT_EQ(merge_journals(folder).begun.at(7), 7);
}

TEST(StudyFolder, RefusesAnotherStudyAndChangedFiles) {
  const TemporaryFolder root;
  const std::string path = root.path().string();
  const StudyFolder folder = make_folder(path);
  EXPECT_THROW(StudyFolder::open(path + "/nothing"), std::invalid_argument);
  write_file_atomically(path + "/in/a/b/study.toml", std::string(kStudyText) + "# changed\n");
  CheckedStudy checked{.study = {},
                       .facts = folder.facts(),
                       .files = {path + "/in/a/b/study.toml", path + "/scenarios/step-steer.toml"}};
  EXPECT_THROW(StudyFolder::create(path + "/out", checked, {.program = "camber test"}),
               std::invalid_argument);
  write_file_atomically(path + "/out/files/scenarios/step-steer.toml", "kind = \"scenario\"\n");
  EXPECT_THROW(StudyFolder::open(path + "/out"), std::invalid_argument);
}

SamplesTable make_table() {
  using Kind = TableColumn::Kind;
  SamplesTable table{.rows = 11,
                     .columns = {{"sample", Kind::kInteger},
                                 {"passed", Kind::kBoolean},
                                 {"speed, \"v\"", Kind::kNumber},
                                 {"word", Kind::kText}}};
  for (long k = 0; k < 11; ++k) {
    table.columns[0].integers.push_back(k * 1000000007);
    table.columns[1].integers.push_back(k % 3 == 0 ? 1 : 0);
    table.columns[2].numbers.push_back(k == 5 ? kNan : 1.0 / static_cast<double>(k + 3));
    table.columns[3].texts.push_back(k == 2 ? "a,\"b\"\nc"
                                            : std::string(static_cast<std::size_t>(k), 'x'));
  }
  return table;
}

// Read back by Python's csv.
TEST(SamplesTable, IsReadByOthersAsCsv) {
  const TemporaryFolder folder;
  const std::string path = folder.path().string() + "/t.csv";
  write_file_atomically(path, to_csv(make_table()));
  const ProcessResult python = run_process(
      {"/usr/bin/python3", "-c",
       concat("import csv\nrows = list(csv.reader(open('", path,
              "', newline='')))\n"
              "assert rows[0] == ['sample', 'passed', 'speed, \"v\"', 'word'], rows[0]\n"
              "assert len(rows) == 12\n"
              "for k, row in enumerate(rows[1:]):\n"
              "  assert int(row[0]) == k * 1000000007\n"
              "  assert row[1] == ('true' if k % 3 == 0 else 'false')\n"
              "  assert row[2] == '' if k == 5 else float(row[2]) == 1.0 / (k + 3)\n"
              "  assert row[3] == ('a,\"b\"\\nc' if k == 2 else 'x' * k)\n")});
  EXPECT_EQ(python.status, 0) << python.output;
}

TEST(Parquet, HasItsFrame) {
  const std::string file = to_parquet(make_table());
  EXPECT_EQ(file.substr(0, 4), "PAR1");
  EXPECT_EQ(file.substr(file.size() - 4), "PAR1");
  const std::string empty = to_parquet({.rows = 0, .columns = {{"a"}}});
  EXPECT_GT(empty.size(), 20U);
}

}  // namespace
}  // namespace camber::study
