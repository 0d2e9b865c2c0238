#include "camber/record/run_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/file.h"

namespace camber::record {
namespace {

namespace fs = std::filesystem;

class Folder : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "camber_runs_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

template <class Error>
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_F(Folder, CountsOnFromTheHighestNumber) {
  const std::string runs = path("out/runs");
  EXPECT_EQ(RunFolder::make_numbered(runs, "mule").path(), runs + "/mule-001");
  EXPECT_EQ(RunFolder::make_numbered(runs, "mule").path(), runs + "/mule-002");
  EXPECT_EQ(RunFolder::make_numbered(runs, "mule-6x6").path(), runs + "/mule-6x6-001");
  fs::create_directory(runs + "/mule-041");
  std::ofstream(runs + "/mule-042") << "a file";
  fs::create_directory(runs + "/mule-final");
  fs::create_directory(runs + "/mule-99-old");
  fs::remove(runs + "/mule-001");
  EXPECT_EQ(RunFolder::make_numbered(runs, "mule").path(), runs + "/mule-043");
  fs::create_directory(runs + "/mule-999");
  EXPECT_EQ(RunFolder::make_numbered(runs, "mule").path(), runs + "/mule-1000");
}

TEST_F(Folder, IsNeverGivenToTwo) {
  std::vector<std::vector<std::string>> made(8);
  std::vector<std::thread> threads;
  threads.reserve(made.size());
  for (auto& mine : made) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        mine.push_back(RunFolder::make_numbered(folder_.string(), "run").path());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> all;
  for (const auto& mine : made) all.insert(mine.begin(), mine.end());
  EXPECT_EQ(all.size(), 160U);
}

TEST_F(Folder, OverwritesNothing) {
  EXPECT_EQ(RunFolder::make_at(path("a/b")).path(), path("a/b"));
  EXPECT_EQ(RunFolder::make_at(path("a/b")).path(), path("a/b"));  // still empty
  std::ofstream(path("a/b/log.h5")) << "x";
  EXPECT_EQ(message_of<std::invalid_argument>([&] { RunFolder::make_at(path("a/b")); }),
            path("a/b") + ": the folder is not empty; remove it or choose another");
  EXPECT_EQ(message_of<std::invalid_argument>([&] { RunFolder::make_at(path("a/b/log.h5")); }),
            path("a/b/log.h5") + ": is there and no folder");
}

TEST_F(Folder, SaysWhyItCannotBeMade) {
  std::ofstream(path("file")) << "x";
  EXPECT_EQ(message_of<FileError>([&] { RunFolder::make_at(path("file/run")); }),
            path("file/run") + ": cannot make the folder: Not a directory");
  EXPECT_EQ(message_of<FileError>([&] { RunFolder::make_at("/proc/run"); }),
            "/proc/run: cannot make the folder: No such file or directory");
  EXPECT_EQ(message_of<std::invalid_argument>([&] { RunFolder::make_numbered("runs", "a/b"); }),
            "run folder: \"a/b\" is not a name");
}

TEST_F(Folder, HoldsSummaryAndReport) {
  const RunFolder run = RunFolder::make_at(path("run"));
  run.write_summary("{}\n");
  run.write_report("<p>");
  EXPECT_EQ(read_file(path("run/summary.json"), 99), "{}\n");
  EXPECT_EQ(read_file(path("run/report.html"), 99), "<p>");
  EXPECT_EQ(run.log_path(), path("run/log.h5"));
}

}  // namespace
}  // namespace camber::record
