#include "camber/scene/mesh_file.h"

#include <bit>
#include <cstring>
#include <filesystem>

#include <gtest/gtest.h>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/temporary_folder.h"
#include "camber/scene/scene.h"

namespace camber::scene {
namespace {

void put(std::uint32_t value, std::string* out) {
  for (int k = 0; k < 4; ++k) out->push_back(static_cast<char>(value >> (8 * k) & 0xff));
}
void put(float value, std::string* out) { put(std::bit_cast<std::uint32_t>(value), out); }

const Vector3 kCorners[4] = {{1.25, 2.5, -0.5}, {3.75, 2.25, 0.125}, {2.5, 5.5, 0.75}, {2, 3, 4}};
constexpr int kFaces[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};

/// All formats hold the same tetrahedron.
void expect_tetrahedron(const Mesh& mesh, const std::string& what) {
  SCOPED_TRACE(what);
  ASSERT_EQ(mesh.triangles.size(), 4U);
  for (int t = 0; t < 4; ++t) {
    for (int v = 0; v < 3; ++v) {
      const Vector3 p = mesh.vertex(mesh.triangles[t][v]);
      EXPECT_LT((p - kCorners[kFaces[t][v]]).norm(), 1e-6) << t << ' ' << v;
    }
  }
}

std::string make_obj() {
  std::string text = "# a tetrahedron\no thing\n";
  for (const Vector3& p : kCorners) {
    text += concat("v ", p.x(), " ", p.y(), " ", p.z(), "\r\n");
  }
  text += "usemtl red\nf 1/1/1 2/2/2 3/3/3\nf 1 4 2\nusemtl blue\nf -3 -1 -2\nf 3//1 4//1 1//1\n";
  return text;
}
std::string make_binary_stl() {
  std::string text(80, ' ');
  text.replace(0, 5, "solid");  // as many programs write it
  put(4U, &text);
  for (const auto& face : kFaces) {
    for (int k = 0; k < 3; ++k) put(0.0F, &text);
    for (const int v : face) {
      for (int a = 0; a < 3; ++a) put(static_cast<float>(kCorners[v][a]), &text);
    }
    text += std::string(2, '\0');
  }
  return text;
}
std::string make_ascii_stl() {
  std::string text = "solid thing\n";
  for (const auto& face : kFaces) {
    text += "facet normal 0 0 0\n outer loop\n";
    for (const int v : face) {
      text +=
          concat("  vertex ", kCorners[v].x(), " ", kCorners[v].y(), " ", kCorners[v].z(), "\n");
    }
    text += " endloop\nendfacet\n";
  }
  return text + "endsolid\n";
}
std::string make_ply(const std::string& format) {
  std::string text =
      "ply\nformat " + format +
      " 1.0\ncomment made here\nelement vertex 4\nproperty float x\nproperty float y\n"
      "property uchar red\nproperty float z\nelement face 4\n"
      "property list uchar int vertex_indices\nend_header\n";
  const auto add = [&](std::uint32_t bits, int bytes) {
    for (int k = 0; k < bytes; ++k) {
      const int b = format == "binary_big_endian" ? bytes - 1 - k : k;
      text.push_back(static_cast<char>(bits >> (8 * b) & 0xff));
    }
  };
  for (const Vector3& p : kCorners) {
    if (format == "ascii") {
      text += concat(p.x(), " ", p.y(), " 200 ", p.z(), "\n");
      continue;
    }
    add(std::bit_cast<std::uint32_t>(static_cast<float>(p.x())), 4);
    add(std::bit_cast<std::uint32_t>(static_cast<float>(p.y())), 4);
    add(200, 1);
    add(std::bit_cast<std::uint32_t>(static_cast<float>(p.z())), 4);
  }
  for (const auto& f : kFaces) {
    if (format == "ascii") {
      text += concat("3 ", f[0], " ", f[1], " ", f[2], "\n");
      continue;
    }
    add(3, 1);
    for (const int v : f) add(static_cast<std::uint32_t>(v), 4);
  }
  return text;
}
/// The tetrahedron as binary glTF, y up, its node moved, rotated and scaled.
std::string make_glb() {
  std::string data;
  for (const Vector3& p : kCorners) {
    // The file's x is -z of the node's x by the rotation of 90 deg about y, half as large.
    const Vector3 up(p.x(), p.z(), -p.y());                   // to y up
    const Vector3 moved = (up - Vector3(0.5, 0.25, -1)) / 2;  // before translation and scale
    const Vector3 before(-moved.z(), moved.y(), moved.x());   // before the rotation
    for (int a = 0; a < 3; ++a) put(static_cast<float>(before[a]), &data);
  }
  for (const auto& f : kFaces) {
    for (const int v : f) {
      data.push_back(static_cast<char>(v));
      data.push_back(0);
    }
  }
  std::string json =
      R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"children":[1],)"
      R"("translation":[0.5,0.25,-1]},{"mesh":0,"rotation":[0,0.7071067811865476,0,0.7071067811865476],)"
      R"("scale":[2,2,2]}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":0}]}],)"
      R"("materials":[{"name":"paint","pbrMetallicRoughness":{"baseColorFactor":[0.5,0.25,0.125,1],)"
      R"("roughnessFactor":0.3}}],"buffers":[{"byteLength":72}],"bufferViews":[)"
      R"({"buffer":0,"byteOffset":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":24}],)"
      R"("accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},)"
      R"({"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}]})";
  while (json.size() % 4 != 0) json += ' ';
  std::string text = "glTF";
  put(2U, &text);
  put(static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + data.size()), &text);
  put(static_cast<std::uint32_t>(json.size()), &text);
  put(0x4e4f534aU, &text);
  text += json;
  put(static_cast<std::uint32_t>(data.size()), &text);
  put(0x004e4942U, &text);
  return text + data;
}

TEST(MeshFile, AllFormatsGiveTheSameTetrahedron) {
  const MeshOptions options;
  expect_tetrahedron(parse_obj(make_obj(), "a.obj", options).mesh, "obj");
  expect_tetrahedron(parse_stl(make_binary_stl(), "a.stl", options).mesh, "binary stl");
  expect_tetrahedron(parse_stl(make_ascii_stl(), "a.stl", options).mesh, "ascii stl");
  for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
    expect_tetrahedron(parse_ply(make_ply(format), "a.ply", options).mesh, format);
  }
  expect_tetrahedron(parse_gltf(make_glb(), "a.glb", "", options).mesh, "glb");
}

TEST(MeshFile, KeepsNamesAndColorsOfMaterials) {
  const MeshFile obj = parse_obj(make_obj(), "a.obj", {});
  ASSERT_EQ(obj.materials.size(), 3U);  // the default, red, blue
  EXPECT_EQ(obj.materials[1].name, "red");
  EXPECT_EQ(obj.mesh.surface_of, (std::vector<std::uint16_t>{1, 1, 2, 2}));
  const MeshFile glb = parse_gltf(make_glb(), "a.glb", "", {});
  EXPECT_EQ(glb.materials.at(1).name, "paint");
  EXPECT_DOUBLE_EQ(glb.materials[1].color[1], 0.25);
  EXPECT_DOUBLE_EQ(glb.materials[1].roughness, 0.3);
}

TEST(MeshFile, AppliesUnitAndUpAxis) {
  const MeshFile mesh = parse_obj("v 1000 2000 3000\nv 0 0 0\nv 4 5 6\nf 1 2 3\n", "mm.obj",
                                  {.unit = 1e-3, .up = UpAxis::kY});
  EXPECT_LT((mesh.mesh.vertex(0) - Vector3(1, -3, 2)).norm(), 1e-6);
}

TEST(MeshFile, LoadsByTheEndingOfTheName) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "thing.PLY").string();
  write_file_atomically(path, make_ply("binary_little_endian"));
  expect_tetrahedron(load_mesh(path).mesh, "by name");
  EXPECT_THROW(load_mesh((folder.path() / "thing.fbx").string()), FileError);
}

template <class Parse>
std::string message_of(const Parse& parse) {
  try {
    parse();
  } catch (const FileError& error) {
    return error.what();
  }
  return "no error";
}

TEST(MeshFile, NamesThePlaceOfWhatIsWrong) {
  const auto obj = [](const std::string& text) {
    return message_of([&] { parse_obj(text, "a.obj", {}); });
  };
  EXPECT_EQ(obj("v 1 2 x\n"), "a.obj: line 1: \"x\" is not a number");
  EXPECT_EQ(obj("v 1 2 3\nv nan 2 3\n"), "a.obj: line 2: a vertex is not finite");
  EXPECT_EQ(obj("v 1 2 3\nf 1 2 3\n"), "a.obj: line 2: vertex 2 of 1");
  EXPECT_EQ(obj("v 1 2 3\n"), "a.obj: has no triangle");
  EXPECT_EQ(obj(""), "a.obj: has no triangle");
  const auto ply = [](const std::string& text) {
    return message_of([&] { parse_ply(text, "a.ply", {}); });
  };
  EXPECT_EQ(
      ply("ply\nformat binary_little_endian 1.0\nelement vertex 1000000000\nproperty float x\n"
          "property float y\nproperty float z\nend_header\n"),
      "a.ply: header: 1000000000 vertex elements; at most 50000000 are read");
  EXPECT_EQ(ply("ply\nformat binary_little_endian 1.0\nelement vertex 1000000\nproperty float x\n"
                "property float y\nproperty float z\nend_header\n"),
            "a.ply: header: 1000000 vertex elements are more than the file has");
  std::string stl = make_binary_stl();
  stl[80] = 9;
  stl[0] = 'x';
  EXPECT_EQ(message_of([&] { parse_stl(stl, "a.stl", {}); }),
            "a.stl: byte 80: 9 facets are more than the file has");
  std::string glb = make_glb();
  glb.replace(glb.find("\"count\":4"), 9, "\"count\":9");
  EXPECT_EQ(message_of([&] { parse_gltf(glb, "a.glb", "", {}); }),
            "a.glb: meshes[0].primitives[0].attributes.POSITION -> accessors[0]: needs 108 bytes, "
            "its buffer has 72");
}

TEST(MeshFile, RefusesMeshesThatASceneCannotHold) {
  Scene scene;
  EXPECT_THROW(scene.add_mesh({}), std::invalid_argument);
  Mesh mesh = make_box_mesh({1, 2, 3});
  mesh.vertices[3][1] = NAN;
  EXPECT_THROW(scene.add_mesh(mesh), std::invalid_argument);
  mesh = make_box_mesh({1, 2, 3});
  mesh.triangles[5][2] = 8;
  EXPECT_THROW(scene.add_mesh(mesh), std::invalid_argument);
}

}  // namespace
}  // namespace camber::scene
