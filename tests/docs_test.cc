// The documents keep up with the tree: links lead somewhere, and the code in README.md is code that
// runs.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace camber {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<fs::path> find_documents() {
  std::vector<fs::path> documents;
  for (const auto& entry : fs::directory_iterator(".")) {
    if (entry.path().extension() == ".md") {
      documents.push_back(entry.path());
    }
  }
  for (const auto& entry : fs::recursive_directory_iterator("docs")) {
    if (entry.path().extension() == ".md") {
      documents.push_back(entry.path());
    }
  }
  return documents;
}

/// What stands between ```language and ``` in a document, for each such block.
std::vector<std::string> code_blocks(const std::string& text, const std::string& language) {
  std::vector<std::string> blocks;
  const std::string opening = "```" + language + "\n";
  for (std::size_t at = text.find(opening); at != std::string::npos;
       at = text.find(opening, at + 1)) {
    const std::size_t start = at + opening.size();
    blocks.push_back(text.substr(start, text.find("```", start) - start));
  }
  return blocks;
}

TEST(Documents, LinkToFilesThatExist) {
  const std::regex link(R"(\]\(([^)#: ]+)(#[^)]*)?\))");
  int links = 0;
  for (const fs::path& document : find_documents()) {
    const std::string text = read_text(document);
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
      ++links;
      EXPECT_TRUE(fs::exists(document.parent_path() / (*it)[1].str()))
          << document << " links to " << (*it)[1];
    }
  }
  EXPECT_GT(links, 10);
}

TEST(Documents, ListEveryDecision) {
  const std::string list = read_text("docs/decisions/README.md");
  for (const auto& entry : fs::directory_iterator("docs/decisions")) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name == "README.md" || list.find("(" + name + ")") != std::string::npos)
        << name << " is not in the list";
  }
}

TEST(Documents, ShowEveryModelAsItIs) {
  const auto shown = code_blocks(read_text("docs/manual/lagrangian-examples.md"), "toml");
  std::size_t models = 0;
  for (const auto& entry : fs::directory_iterator("models")) {
    if (!entry.is_regular_file()) continue;
    if (read_text(entry.path()).find("kind = \"lagrangian\"") == std::string::npos) continue;
    ++models;
    EXPECT_NE(std::find(shown.begin(), shown.end(), read_text(entry.path())), shown.end())
        << entry.path() << " is not, or not as it is, in docs/manual/lagrangian-examples.md";
  }
  EXPECT_EQ(shown.size(), models);
}

/// What a program writes to stdout.
std::string output_of(const std::string& program) {
  std::string text;
  FILE* pipe = popen(program.c_str(), "r");
  if (pipe == nullptr) {
    ADD_FAILURE() << "cannot run " << program;
    return text;
  }
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    text.push_back(static_cast<char>(c));
  }
  EXPECT_EQ(pclose(pipe), 0) << program;
  return text;
}

TEST(Readme, ShowsTheExampleAndWhatItPrints) {
  const std::string readme = read_text("README.md");
  const auto example = code_blocks(readme, "cpp");
  const auto printed = code_blocks(readme, "c");
  ASSERT_EQ(example.size(), 1U);
  ASSERT_EQ(printed.size(), 1U);
  EXPECT_NE(read_text("examples/double_pendulum.cc").find(example[0]), std::string::npos)
      << "tools/update_readme.py " CAMBER_EXAMPLE " brings README.md up to date";
  EXPECT_NE(output_of(CAMBER_EXAMPLE).find(printed[0]), std::string::npos)
      << "tools/update_readme.py " CAMBER_EXAMPLE " brings README.md up to date";
}

}  // namespace
}  // namespace camber
