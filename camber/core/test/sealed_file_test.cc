#include "camber/core/sealed_file.h"

#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "camber/core/file.h"
#include "camber/core/random.h"
#include "camber/core/temporary_folder.h"

namespace camber {
namespace {

namespace fs = std::filesystem;

class SealedFile : public testing::Test {
 protected:
  void SetUp() override {
    fs::permissions(folder_.path(), fs::perms::owner_all);
    write_file_atomically(path_, contents_);
    seal_file(path_);
  }
  TemporaryFolder folder_;
  const std::string path_ = (folder_.path() / "code.so").string();
  const std::string contents_ =
      std::string("\0\177ELF and more\ncamber seal 3 ", 29) + std::string(1000, 'x');
};

TEST_F(SealedFile, KeepsItsContentsAndIsTrusted) {
  EXPECT_TRUE(is_sealed(path_));
  EXPECT_EQ(read_file(path_, 5000).substr(0, contents_.size()), contents_);
  EXPECT_FALSE(is_sealed(path_ + "x"));
  EXPECT_FALSE(is_sealed(folder_.path()));
}

TEST_F(SealedFile, IsNotTrustedWithoutItsSeal) {
  write_file_atomically(path_, contents_);
  EXPECT_FALSE(is_sealed(path_));
  write_file_atomically(path_, "");
  EXPECT_FALSE(is_sealed(path_));
}

// Every length to which it may be cut, every bit of some bytes, and bits in places of a fixed seed.
TEST_F(SealedFile, IsNotTrustedWhenDamaged) {
  const std::string whole = read_file(path_, 5000);
  const auto damaged = [&](std::string text) {
    write_file_atomically(path_, text);
    return !is_sealed(path_);
  };
  for (std::size_t size = 0; size < whole.size(); size += size < 1000 ? 61 : 1)
    EXPECT_TRUE(damaged(whole.substr(0, size))) << size;
  RandomStream random(20261118);
  for (int i = 0; i < 200; ++i) {
    std::string text = whole;
    const auto at = static_cast<std::size_t>(random.uniform() * static_cast<double>(text.size()));
    text[at] = static_cast<char>(text[at] ^ (1 << (i % 8)));
    EXPECT_TRUE(damaged(text)) << "byte " << at << " bit " << i % 8;
  }
  EXPECT_TRUE(damaged(whole + "x"));
  EXPECT_FALSE(damaged(whole));
}

TEST_F(SealedFile, IsNotTrustedIfOthersCanWriteItOrItIsALink) {
  ASSERT_EQ(::chmod(path_.c_str(), 0666), 0);
  EXPECT_FALSE(is_sealed(path_));
  ASSERT_EQ(::chmod(path_.c_str(), 0644), 0);
  EXPECT_TRUE(is_sealed(path_));
  const fs::path link = folder_.path() / "link.so";
  fs::create_symlink(path_, link);
  EXPECT_FALSE(is_sealed(link));
}

TEST_F(SealedFile, IsNotTrustedIfAnotherUserOwnsIt) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  constexpr uid_t kNobody = 65534;
  ASSERT_EQ(::chown(path_.c_str(), kNobody, kNobody), 0);
  EXPECT_FALSE(is_sealed(path_));
  ASSERT_EQ(::chown(folder_.path().c_str(), kNobody, kNobody), 0);
  EXPECT_NE(find_risk(folder_.path()).value_or("").find("belongs to another user (user id 65534)"),
            std::string::npos);
  ASSERT_EQ(::chown(folder_.path().c_str(), ::geteuid(), ::getegid()), 0);
}

TEST_F(SealedFile, FolderAndThoseAboveAreTheUsersOwn) {
  EXPECT_EQ(find_risk(folder_.path()), std::nullopt);
  const fs::path inner = folder_.path() / "a" / "b";
  fs::create_directories(inner);
  EXPECT_EQ(find_risk(inner), std::nullopt);
  ASSERT_EQ(::chmod(inner.c_str(), 0777), 0);
  EXPECT_EQ(find_risk(inner),
            fs::canonical(inner).string() + " can be written by others (mode 0777)");
  ASSERT_EQ(::chmod(inner.c_str(), 0700), 0);
  ASSERT_EQ(::chmod(inner.parent_path().c_str(), 0777), 0);
  EXPECT_NE(find_risk(inner), std::nullopt);
  ASSERT_EQ(::chmod(inner.parent_path().c_str(), 01777), 0);  // as /tmp
  EXPECT_EQ(find_risk(inner), std::nullopt);
  EXPECT_NE(find_risk(folder_.path() / "missing"), std::nullopt);
}

}  // namespace
}  // namespace camber
