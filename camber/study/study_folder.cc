#include "camber/study/study_folder.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <dlfcn.h>
#include <nlohmann/json.hpp>

#include "camber/core/file.h"
#include "camber/core/hash.h"
#include "camber/core/json_file.h"
#include "camber/core/require.h"
#include "camber/study/plan.h"
#include "camber/study/study_file.h"

namespace camber::study {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::size_t kMaxJsonBytes = std::size_t{1} << 30;
constexpr std::size_t kMaxFileBytes = std::size_t{4} << 30;

std::string find_processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

const char* instruction_set() {
#if defined(__AVX512F__)
  return "avx512";
#elif defined(__AVX2__)
  return "avx2";
#else
  return "sse2";
#endif
}

/// The file that holds this code: the program, or the module that Python has loaded.
std::string own_file() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_file), &info) != 0 && info.dli_fname != nullptr &&
      fs::path(info.dli_fname).extension() == ".so")
    return info.dli_fname;
  return "/proc/self/exe";  // dladdr knows a program by argv[0] alone
}

/// The folder that all files lie below.
fs::path common_folder(const std::vector<fs::path>& files) {
  fs::path common = files.front().parent_path();
  for (const fs::path& file : files) {
    while (!common.empty() && common != common.root_path()) {
      const fs::path rest = file.lexically_relative(common);
      if (!rest.empty() && *rest.begin() != "..") break;
      common = common.parent_path();
    }
  }
  return common;
}

Json to_json(const StudyFacts& facts) {
  Json json;
  Json figures = Json::array();
  for (const FigureInfo& figure : facts.figures) {
    Json one{{"name", figure.name}, {"unit", figure.unit}};
    if (figure.lower) one["lower"] = *figure.lower;
    if (figure.upper) one["upper"] = *figure.upper;
    figures.push_back(one);
  }
  json["figures"] = figures;
  json["curves"] = facts.curve_names;
  json["curve_units"] = facts.curve_units;
  json["duration"] = facts.duration;
  json["kernel"] = name_of(facts.kernel);
  if (!facts.kernel_note.empty()) json["kernel_note"] = facts.kernel_note;
  return json;
}

StudyFacts read_facts(const Json& json) {
  StudyFacts facts;
  for (const Json& one : json.at("figures")) {
    FigureInfo figure{.name = one.at("name"), .unit = one.at("unit")};
    if (one.contains("lower")) figure.lower = one["lower"].get<double>();
    if (one.contains("upper")) figure.upper = one["upper"].get<double>();
    facts.figures.push_back(figure);
  }
  facts.curve_names = json.at("curves").get<std::vector<std::string>>();
  facts.curve_units = json.at("curve_units").get<std::vector<std::string>>();
  facts.duration = json.at("duration");
  const auto kernel = json.at("kernel").get<std::string>();
  require(kernel == name_of(KernelKind::kScalar) || kernel == name_of(KernelKind::kLanes),
          "the study's kernel is ", kernel, ", which this camber does not have");
  facts.kernel = kernel == name_of(KernelKind::kLanes) ? KernelKind::kLanes : KernelKind::kScalar;
  facts.kernel_note = json.value("kernel_note", std::string());
  return facts;
}

/// Files of generations, in their order.
std::vector<std::string> list_generations(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  return paths;
}

}  // namespace

Maker find_maker(const std::string& program) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  return {.program = program,
          .build = hash_file(own_file()),
          .instructions = instruction_set(),
          .host = host,
          .machine = find_processor()};
}

StudyFolder StudyFolder::create(const std::string& path, const CheckedStudy& checked,
                                const Maker& maker) {
  std::vector<fs::path> files;
  for (const std::string& file : checked.files) {
    const fs::path absolute = fs::absolute(file).lexically_normal();
    const bool is_there = fs::is_regular_file(absolute) || (files.empty() && checked.text);
    if (is_there && std::ranges::find(files, absolute) == files.end()) files.push_back(absolute);
  }
  const auto is_in_memory = [&](const fs::path& file) {
    return checked.text && file == files.front();
  };
  const fs::path root = common_folder(files);
  Json list = Json::array();
  std::string fingerprint = maker.program;
  for (const fs::path& file : files) {
    const std::string name = file.lexically_relative(root).string();
    const std::string hash = is_in_memory(file)
                                 ? hash_text(fnv1a64(std::as_bytes(std::span(*checked.text))))
                                 : hash_file(file);
    list.push_back({{"path", name}, {"hash", hash}});
    fingerprint += concat("\n", name, " ", hash);
  }
  const std::string id = hash_text(fnv1a64(std::as_bytes(std::span(fingerprint))));

  if (fs::exists(path + "/study.json")) {
    StudyFolder folder = open(path);
    require(folder.id() == id, path, ": holds another study, \"", folder.study().name,
            "\" (or other versions of its files); give -o another folder");
    return folder;
  }
  require(!fs::exists(path) || (fs::is_directory(path) && fs::is_empty(path)), path,
          ": must be new or empty, and is not; give -o another folder");
  for (const char* part : {"/files", "/journal", "/generations"}) make_folders(path + part);
  for (const fs::path& file : files) {
    const std::string target = concat(path, "/files/", file.lexically_relative(root).string());
    make_folders(fs::path(target).parent_path().string());
    write_file_atomically(
        target, is_in_memory(file) ? *checked.text : read_file(file.string(), kMaxFileBytes));
  }
  Json json{
      {"kind", "study"},
      {"id", id},
      {"name", checked.study.name},
      {"study",
       fs::absolute(checked.files.front()).lexically_normal().lexically_relative(root).string()},
      {"files", list},
      {"facts", to_json(checked.facts)},
      {"program", maker.program},
      {"build", maker.build},
      {"instructions", maker.instructions},
      {"host", maker.host},
      {"machine", maker.machine}};
  write_file_atomically(path + "/study.json", json.dump(2) + "\n");
  return open(path);
}

StudyFolder StudyFolder::open(const std::string& path) {
  require(fs::exists(path + "/study.json"), path,
          ": holds no study (there is no study.json); `camber study run STUDY.toml -o ", path,
          "` makes one");
  StudyFolder folder;
  folder.path_ = path;
  try {
    const Json json = Json::parse(read_json_file(path + "/study.json", kMaxJsonBytes));
    folder.id_ = json.at("id");
    folder.facts_ = read_facts(json.at("facts"));
    for (const Json& file : json.at("files")) {
      const std::string name = concat(path, "/files/", file.at("path").get<std::string>());
      require(hash_file(name) == file.at("hash"), name,
              ": was changed after the study began; start a new study for other files");
    }
    folder.study_ = load_study(concat(path, "/files/", json.at("study").get<std::string>()));
  } catch (const Json::exception& error) {
    throw std::invalid_argument(concat(path, "/study.json: ", error.what()));
  }
  return folder;
}

JournalHead StudyFolder::journal_head(const Maker& maker) const {
  return {.study = id_,
          .program = maker.program,
          .build = maker.build,
          .kernel = std::string(name_of(facts_.kernel)),
          .instructions = maker.instructions,
          .host = maker.host};
}

std::string StudyFolder::rerun_command(long k) const {
  return concat("camber study drive ", path_, " ", k);
}

void StudyFolder::write_generation(int number, const std::vector<Sample>& samples) const {
  char name[32];
  std::snprintf(name, sizeof name, "/%06d.json", number);
  const std::string path = generations() + name;
  Json list = Json::array();
  for (const Sample& sample : samples) {
    Json one{{"k", sample.k}, {"x", sample.values}};
    if (sample.drive_seed) one["seed"] = *sample.drive_seed;
    list.push_back(one);
  }
  const std::string text = Json{{"generation", number}, {"samples", list}}.dump() + "\n";
  if (fs::exists(path)) {
    if (read_file(path, kMaxJsonBytes) == text) return;
    throw std::runtime_error(
        concat(path,
               ": another program made this generation with other samples (a new version, or "
               "another kind of processor); start a new study"));
  }
  write_file_atomically(path, text);
}

std::vector<Sample> StudyFolder::read_generations() const {
  std::vector<Sample> samples;
  for (const std::string& path : list_generations(generations())) {
    try {
      const Json json = Json::parse(read_json_file(path, kMaxJsonBytes));
      for (const Json& one : json.at("samples")) {
        Sample sample{.k = one.at("k").get_ref<const Json::number_integer_t&>(),
                      .values = one.at("x").get<std::vector<double>>()};
        if (one.contains("seed"))
          sample.drive_seed = one["seed"].get_ref<const Json::number_unsigned_t&>();
        require(sample.k == static_cast<long>(samples.size()), path, ": sample ", sample.k,
                " where ", samples.size(), " was expected");
        samples.push_back(std::move(sample));
      }
    } catch (const Json::exception& error) {
      throw std::invalid_argument(concat(path, ": ", error.what()));
    }
  }
  return samples;
}

std::vector<long> StudyFolder::last_generation() const {
  const std::vector<std::string> paths = list_generations(generations());
  std::vector<long> numbers;
  if (paths.empty()) return numbers;
  try {
    const Json json = Json::parse(read_json_file(paths.back(), kMaxJsonBytes));
    for (const Json& one : json.at("samples")) numbers.push_back(one.at("k"));
  } catch (const Json::exception& error) {
    throw std::invalid_argument(concat(paths.back(), ": ", error.what()));
  }
  return numbers;
}

struct SampleMaker::State {
  const StudyFolder* folder;
  std::unique_ptr<Plan> plan;
  std::vector<Sample> samples;
};

SampleMaker::SampleMaker(const StudyFolder* folder) : state_(std::make_unique<State>()) {
  state_->folder = folder;
  if (!is_adaptive(folder->study().plan.kind))
    state_->plan = std::make_unique<Plan>(&folder->study());
}
SampleMaker::~SampleMaker() = default;
SampleMaker::SampleMaker(SampleMaker&&) noexcept = default;

Sample SampleMaker::sample(long k) {
  if (state_->plan) return state_->plan->sample(k);
  if (k >= static_cast<long>(state_->samples.size()))
    state_->samples = state_->folder->read_generations();
  require(k >= 0 && k < static_cast<long>(state_->samples.size()), "sample ", k, " of ",
          state_->samples.size(), " that the study has so far");
  return state_->samples[static_cast<std::size_t>(k)];
}

long SampleMaker::size() {
  if (state_->plan) return state_->plan->size();
  state_->samples = state_->folder->read_generations();
  return static_cast<long>(state_->samples.size());
}

}  // namespace camber::study
