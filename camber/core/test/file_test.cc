#include "camber/core/file.h"

#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

namespace camber {
namespace {

namespace fs = std::filesystem;

class File : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "camber_file_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      found.push_back(entry.path().filename().string());
    }
    return found;
  }

  fs::path folder_;
};

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

TEST_F(File, ReadsBackWhatWasWritten) {
  const std::string text("a\0b\r\n\xff longer than nothing", 24);
  write_file_atomically(path("log.csv"), text);
  EXPECT_EQ(read_file(path("log.csv"), 24), text);
  write_file_atomically(path("log.csv"), "short");
  EXPECT_EQ(read_file(path("log.csv"), 24), "short");
  EXPECT_EQ(names(), std::vector<std::string>{"log.csv"});
}

TEST_F(File, ComesInPiecesThatMakeTheWhole) {
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += static_cast<char>(i % 251);
  write_file_atomically(path("map.raw"), text);
  std::string found;
  std::size_t pieces = 0;
  read_file_in_pieces(path("map.raw"), [&](std::span<const std::byte> piece) {
    found.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    ++pieces;
  });
  EXPECT_EQ(found, text);
  EXPECT_GT(pieces, 1U);
  EXPECT_NE(message_of([&] { read_file_in_pieces(path("none"), [](auto) {}); }), "");
}

TEST_F(File, IsKnownToThoseWhoWatchAndToNoOther) {
  for (const char* name : {"a", "b", "c"}) write_file_atomically(path(name), name);
  const FileWatch outer;
  read_file(path("a"), 24);
  {
    const FileWatch inner;
    read_file(path("b"), 24);
    read_file(path("b"), 24);
    EXPECT_NE(message_of([&] { read_file(path("none"), 24); }), "");
    note_reading("opened elsewhere");
    EXPECT_EQ(inner.paths(), (std::vector<std::string>{path("b"), "opened elsewhere"}));
  }
  read_file(path("c"), 24);
  EXPECT_EQ(outer.paths(),
            (std::vector<std::string>{path("a"), path("b"), "opened elsewhere", path("c")}));
}

TEST_F(File, RefusesToReadMoreThanAllowed) {
  write_file_atomically(path("big.toml"), std::string(300'000, 'x'));
  EXPECT_EQ(read_file(path("big.toml"), 300'000).size(), 300'000u);
  EXPECT_EQ(message_of([&] { read_file(path("big.toml"), 299'999); }),
            path("big.toml") + ": longer than 299999 bytes");
  EXPECT_NE(message_of([&] { read_file("/dev/zero", 1000); }), "");  // endless, yet it returns
}

TEST_F(File, SaysWhyItCannotRead) {
  EXPECT_EQ(message_of([&] { read_file(path("none.toml"), 99); }),
            path("none.toml") + ": cannot read: No such file or directory");
  EXPECT_EQ(message_of([&] { read_file(folder_.string(), 99); }),
            folder_.string() + ": cannot read: Is a directory");
  write_file_atomically(path("secret.toml"), "x");
  ::chmod(path("secret.toml").c_str(), 0);
  if (::geteuid() != 0) {  // root reads everything
    EXPECT_EQ(message_of([&] { read_file(path("secret.toml"), 99); }),
              path("secret.toml") + ": cannot read: Permission denied");
  }
}

TEST_F(File, SaysWhyItCannotWrite) {
  EXPECT_EQ(message_of([&] { write_file_atomically(path("no/such/log.csv"), "x"); }),
            path("no/such/log.csv") + ": cannot write: No such file or directory");
  EXPECT_EQ(message_of([&] { write_file_atomically(folder_.string(), "x"); }),
            folder_.string() + ": cannot write: Is a directory");
  EXPECT_EQ(message_of([&] { write_file_atomically("/dev/full", "x"); }),
            "/dev/full: cannot write: No space left on device");
  EXPECT_EQ(message_of([&] { write_file_atomically("/dev/null", "x"); }), "");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_TRUE(names().empty());
}

TEST_F(File, MakesFoldersOrSaysWhyNot) {
  make_folders(path("runs/monday"));
  make_folders(path("runs/monday/"));
  EXPECT_TRUE(fs::is_directory(path("runs/monday")));
  write_file_atomically(path("log.csv"), "x");
  for (const std::string& name : {path("log.csv"), path("log.csv/runs")}) {
    EXPECT_EQ(message_of([&] { make_folders(name); }),
              name + ": cannot make this folder: Not a directory");
  }
}

// A limit on the file size stands in for a full disk: the write fails half way, after 4096 bytes.
TEST_F(File, LeavesTheOldFileWhenTheDiskFillsUp) {
  write_file_atomically(path("log.csv"), "old content");
  rlimit old_limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{4096, old_limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message =
      message_of([&] { write_file_atomically(path("log.csv"), std::string(10'000, 'x')); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old_limit), 0);
  std::signal(SIGXFSZ, old_handler);

  EXPECT_EQ(message, path("log.csv") + ": cannot write: File too large");
  EXPECT_EQ(read_file(path("log.csv"), 99), "old content");
  EXPECT_EQ(names(), std::vector<std::string>{"log.csv"});
}

TEST_F(File, KeepsLinkAndPermissions) {
  write_file_atomically(path("run.sh"), "#!/bin/sh");
  ::chmod(path("run.sh").c_str(), 0750);
  fs::create_symlink("run.sh", path("link"));
  write_file_atomically(path("link"), "#!/bin/bash");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("run.sh"), 99), "#!/bin/bash");
  EXPECT_EQ(fs::status(path("run.sh")).permissions(), fs::perms(0750));
}

}  // namespace
}  // namespace camber
