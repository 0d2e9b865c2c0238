#include "camber/core/process.h"

#include <fstream>

#include <gtest/gtest.h>

#include "camber/core/shared_object.h"
#include "camber/core/temporary_folder.h"

namespace camber {
namespace {

TEST(Process, GivesOutputAndStatus) {
  const ProcessResult result = run_process({"sh", "-c", "printf 'a b'; exit 3"});
  EXPECT_EQ(result.output, "a b");
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(run_process({"no-such-program-here"}, ErrorOutput::kNobodys).status, 127);
  const std::string command = "printf 'a '; printf b >&2";
  EXPECT_EQ(run_process({"sh", "-c", command}, ErrorOutput::kWithOutput).output, "a b");
  EXPECT_EQ(run_process({"sh", "-c", command}, ErrorOutput::kNobodys).output, "a ");
}

TEST(TemporaryFolder, GoesWithWhatIsInIt) {
  std::filesystem::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    std::ofstream(path / "file") << "text";
    EXPECT_TRUE(std::filesystem::exists(path / "file"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(SharedObject, SaysWhatItCannotLoad) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "text.so") << "no library";
  try {
    const SharedObject object(folder.path() / "text.so");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("text.so"), std::string::npos) << error.what();
  }
  const SharedObject libc("libc.so.6");
  EXPECT_NE(libc.symbol("printf"), nullptr);
  EXPECT_EQ(libc.find_symbol("no_such_function"), nullptr);
  EXPECT_THROW(libc.symbol("no_such_function"), std::runtime_error);
}

}  // namespace
}  // namespace camber
