#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/file.h"
#include "camber/core/random.h"
#include "camber/core/test/allocation_count.h"
#include "camber/record/log_file.h"
#include "camber/record/log_reader.h"
#include "camber/record/log_writer.h"
#include "camber/record/test/sample_log.h"

namespace camber::record {
namespace {

namespace fs = std::filesystem;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

class Log : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "camber_log_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name = "log.h5") const { return (folder_ / name).string(); }

  void write_samples(std::size_t count, const LogOptions& options = {}) const {
    const LogLayout layout = make_sample_layout();
    LogWriter log(path(), layout, options);
    SampleSource source(layout);
    for (std::size_t i = 0; i < count; ++i) source.append_to(&log);
    log.close();
  }

  fs::path folder_;
};

TEST_F(Log, ReadsBackWhatWasWritten) {
  for (const std::size_t count : {0, 1, 63, 64, 65, 1000}) {
    SCOPED_TRACE(testing::Message() << count << " samples");
    write_samples(count, {.chunk_samples = 64});
    const LogReader log(path());
    EXPECT_EQ(log.samples(), count);
    EXPECT_TRUE(log.is_complete());
    const std::vector<double> time = log.read("time");
    ASSERT_EQ(time.size(), count);
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(time[i], kSampleStep * double(i));
    const LogLayout layout = make_sample_layout();
    for (std::size_t c = 0; c < layout.channels.size(); ++c) {
      const std::size_t entries = layout.channels[c].entries();
      const std::vector<double> values = log.read(layout.channels[c].name);
      ASSERT_EQ(values.size(), count * entries);
      for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(values[i], sample_value(i / entries, c, i % entries));
      }
    }
    fs::remove(path());
  }
}

TEST_F(Log, KeepsLabelsAndAttributes) {
  write_samples(3);
  const LogReader log(path());
  const LogLayout layout = make_sample_layout();
  EXPECT_EQ(log.attributes(), layout.attributes);
  ASSERT_EQ(log.channels().size(), layout.channels.size());
  for (const Channel& channel : layout.channels) {
    const Channel* found = log.find_channel(channel.name);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->shape, channel.shape);
    EXPECT_EQ(found->units, channel.units);
    EXPECT_EQ(found->names, channel.names);
    EXPECT_EQ(found->row_names, channel.row_names);
    EXPECT_EQ(found->description, channel.description);
  }
  EXPECT_EQ(log.find_channel("bodies"), nullptr);
}

TEST_F(Log, ReadsARange) {
  write_samples(300, {.chunk_samples = 32, .compression = 4});
  const LogReader log(path());
  const std::vector<double> values = log.read("contact/front/force", 29, 70);
  ASSERT_EQ(values.size(), 210U);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(values[i], sample_value(29 + i / 3, 3, i % 3));
  }
  EXPECT_TRUE(log.read("energy", 300, 0).empty());
  EXPECT_EQ(message_of([&] { log.read("energy", 299, 2); }),
            path() + ": samples 299 to 301 asked for, there are 300");
  EXPECT_EQ(message_of([&] { log.read("energi"); }),
            path() + ": no channel \"energi\"; did you mean \"energy\"?");
}

TEST_F(Log, KeepsNumbersThatAreNone) {
  {
    LogWriter log(path(), {.channels = {{.name = "x", .shape = {3}}}});
    log.append(0.25, {std::vector<double>{std::nan(""), -0.0, HUGE_VAL}});
  }
  const std::vector<double> values = LogReader(path()).read("x");
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_TRUE(values[1] == 0.0 && std::signbit(values[1]));
  EXPECT_EQ(values[2], HUGE_VAL);
}

TEST_F(Log, AllocatesNothingPerSample) {
  const LogLayout layout = make_sample_layout();
  LogWriter log(path(), layout, {.chunk_samples = 1000});
  SampleSource source(layout);
  source.append_to(&log);
  const long before = allocation_count();
  for (int i = 0; i < 900; ++i) source.append_to(&log);
  EXPECT_EQ(allocation_count(), before);
}

TEST_F(Log, ChoosesChunksOfAboutAMegabyte) {
  const LogLayout wide{.channels = {{.name = "x", .shape = {36, 7}}}, .attributes = {}};
  EXPECT_EQ(LogWriter(path("a"), wide).chunk_samples(), 518U);
  EXPECT_EQ(LogWriter(path("b"), wide, {.expected_samples = 100}).chunk_samples(), 100U);
  EXPECT_EQ(LogWriter(path("c"), {.channels = {{.name = "x"}}}).chunk_samples(), 4096U);
  EXPECT_EQ(LogWriter(path("d"), {.channels = {{.name = "x", .shape = {400'000}}}}).chunk_samples(),
            8U);
}

TEST_F(Log, SaysWhatIsWrongWithALayout) {
  const auto message = [&](std::vector<Channel> channels) {
    return message_of([&] { LogWriter(path(), {.channels = std::move(channels)}); });
  };
  EXPECT_EQ(message({{.name = "/q"}}),
            "log channel \"/q\": a name is a path such as \"coordinates/q\"");
  EXPECT_EQ(message({{.name = "q"}, {.name = "q"}}),
            "log channel \"q\": the name is already taken");
  EXPECT_EQ(message({{.name = "time"}}), "log channel \"time\": the name is already taken");
  EXPECT_EQ(message({{.name = "a/b"}, {.name = "a"}}),
            "log channel \"a/b\" lies inside \"a\", which is a channel, too");
  EXPECT_EQ(message({{.name = "q", .shape = {3}, .names = {"x", "y"}}}),
            "log channel \"q\" has 2 names for 3 columns");
  EXPECT_EQ(message({{.name = "q", .shape = {3}, .units = {"m", "m"}}}),
            "log channel \"q\" has 2 units for 3 columns");
  EXPECT_EQ(message({{.name = "q", .shape = {4, 3}, .row_names = {"a"}}}),
            "log channel \"q\" has 1 row names for 4 rows");
  EXPECT_NE(message({{.name = "q", .shape = {0}}}), "");
  EXPECT_FALSE(fs::exists(path()));
}

TEST_F(Log, SaysWhatIsWrongWithASample) {
  LogWriter log(path(), {.channels = {{.name = "q", .shape = {3}}, {.name = "v", .shape = {2}}}});
  const std::vector<double> three(3), two(2);
  EXPECT_EQ(message_of([&] { log.append(0.5, {three}); }),
            "LogWriter: got 1 channels, the layout has 2");
  EXPECT_EQ(message_of([&] {
              log.append(0.5, {three, three});
            }),
            "LogWriter: channel 1 has 3 values, the layout says 2");
  EXPECT_EQ(message_of([&] { log.append(0.5, {three, two}); }), "");
  log.close();
  EXPECT_EQ(message_of([&] {
              log.append(0.6, {three, two});
            }),
            "LogWriter: " + path() + " is closed");
  EXPECT_EQ(LogReader(path()).samples(), 1U);
}

TEST_F(Log, SaysWhyItCannotBeCreated) {
  const LogLayout layout = make_sample_layout();
  EXPECT_EQ(message_of([&] { LogWriter(path("no/log.h5"), layout); }),
            path("no/log.h5") + ": cannot write: No such file or directory");
  std::ofstream(path("there.h5")) << "mine";
  EXPECT_EQ(message_of([&] { LogWriter(path("there.h5"), layout); }),
            path("there.h5") + ": cannot write: File exists");
  EXPECT_EQ(read_file(path("there.h5"), 99), "mine");
  if (::geteuid() != 0) {  // root writes everywhere
    ::chmod(folder_.c_str(), 0555);
    EXPECT_EQ(message_of([&] { LogWriter(path(), layout); }),
              path() + ": cannot write: Permission denied");
    ::chmod(folder_.c_str(), 0755);
  }
}

// The same through h5py, at random moments, is in log_by_h5py.py.
TEST_F(Log, HoldsWhatWasFlushedWhenTheProcessIsKilled) {
  const pid_t child = ::fork();
  if (child == 0) {
    const LogLayout layout = make_sample_layout();
    LogWriter log(path(), layout);
    SampleSource source(layout);
    for (int i = 0; i < 77; ++i) source.append_to(&log);
    log.flush();
    for (int i = 0; i < 5; ++i) source.append_to(&log);
    std::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const LogReader log(path());
  EXPECT_EQ(log.samples(), 77U);
  EXPECT_FALSE(log.is_complete());
  EXPECT_EQ(log.read("energy").back(), sample_value(76, 2, 0));
}

// What ends without close() has gone wrong: all samples, but not complete.
TEST_F(Log, IsNotCompleteWithoutClose) {
  const LogLayout layout = make_sample_layout();
  try {
    LogWriter log(path(), layout);
    SampleSource source(layout);
    for (int i = 0; i < 77; ++i) source.append_to(&log);
    throw std::runtime_error("somewhere else");
  } catch (const std::runtime_error&) {
  }
  const LogReader log(path());
  EXPECT_EQ(log.samples(), 77U);
  EXPECT_FALSE(log.is_complete());
}

TEST_F(Log, CanBeReadWhileItIsWritten) {
  const LogLayout layout = make_sample_layout();
  LogWriter log(path(), layout, {.chunk_samples = 10});
  SampleSource source(layout);
  for (std::size_t i = 1; i <= 25; ++i) {
    source.append_to(&log);
    EXPECT_EQ(LogReader(path()).samples(), i / 10 * 10);
  }
}

TEST_F(Log, IsWrittenByManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int k = 0; k < 8; ++k) {
    threads.emplace_back([&, k] {
      const LogLayout layout = make_sample_layout();
      LogWriter log(path(std::to_string(k)), layout, {.chunk_samples = 8});
      SampleSource source(layout);
      for (int i = 0; i < 200; ++i) source.append_to(&log);
      log.close();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int k = 0; k < 8; ++k) {
    EXPECT_EQ(read_file(path(std::to_string(k)), 1 << 24), read_file(path("0"), 1 << 24));
  }
  EXPECT_EQ(LogReader(path("7")).samples(), 200U);
}

TEST_F(Log, RefusesWhatIsNoLog) {
  EXPECT_EQ(message_of([&] { LogReader(path("none.h5")); }),
            path("none.h5") + ": cannot read: No such file or directory");
  EXPECT_EQ(message_of([&] { LogReader(folder_.string()); }),
            folder_.string() + ": cannot read: Is a directory");
  std::ofstream(path("text.h5")) << "time,x\n0.1,0.2\n";
  EXPECT_EQ(message_of([&] { LogReader(path("text.h5")); }),
            path("text.h5") + ": is not a log: not an HDF5 file");
  write_file_atomically(path("empty.h5"), "");
  EXPECT_EQ(message_of([&] { LogReader(path("empty.h5")); }),
            path("empty.h5") + ": is not a log: not an HDF5 file");
}

// Cut or changed anywhere, a log gives its values or an error, never a crash. HDF5's checksums see
// to the rest: what lists and describes the data cannot change unnoticed. In a process of its own,
// because HDF5 1.10 does not free what it had read of a damaged file.
TEST_F(Log, NamesTheFileWhenItIsDamaged) {
  write_samples(50, {.chunk_samples = 16});
  const std::string whole = read_file(path(), 1 << 24);
  const auto damage_and_read = [&] {
    RandomStream random(7);
    int errors = 0;
    for (int trial = 0; trial < 400; ++trial) {
      std::string damaged = whole;
      if (trial % 4 == 0) {
        damaged.resize(static_cast<std::size_t>(random.integer(9, whole.size() - 1)));
      } else {
        for (int k = 0; k < 1 + trial % 40; ++k) {
          damaged[static_cast<std::size_t>(random.integer(0, whole.size() - 1))] ^=
              static_cast<char>(random.integer(1, 255));
        }
      }
      std::ofstream(path("damaged.h5"), std::ios::binary) << damaged;
      const std::string message = message_of([&] {
        const LogReader log(path("damaged.h5"));
        for (const Channel& channel : log.channels()) log.read(channel.name);
      });
      if (message.empty()) continue;
      ++errors;
      if (!message.starts_with(path("damaged.h5") + ": ")) {
        std::cerr << "trial " << trial << ": " << message << '\n';
        std::_Exit(1);
      }
    }
    std::cerr << errors << " errors\n";
    std::_Exit(errors > 150 ? 0 : 1);
  };
  EXPECT_EXIT(damage_and_read(), testing::ExitedWithCode(0), "");
}

// The test vectors of lookup3.c: "Four score and seven years ago", and nothing.
TEST(MetadataChecksum, IsJenkinsLookup3) {
  const std::string text = "Four score and seven years ago";
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  EXPECT_EQ(internal::metadata_checksum(bytes, text.size()), 0x17770551U);
  EXPECT_EQ(internal::metadata_checksum(bytes, 0), 0xdeadbeefU);
}

}  // namespace
}  // namespace camber::record
