// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "io/core/bytes.hpp"
#include "io/export/export.hpp"
#include "io/export/tessellate.hpp"

namespace abut::inline v0_1::io {
namespace {

constexpr int kFloat = 5126, kUnsignedInt = 5125;           // Component types of glTF.
constexpr int kVertexBuffer = 34962, kIndexBuffer = 34963;  // Targets of buffer views.

std::string jsonText(std::string_view s) {
  std::string out = "\"";
  for (const char c : s) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += concat("\\u00", toHex(static_cast<unsigned char>(c)).substr(14));
    } else {
      out += c;
    }
  }
  return out + '"';
}

template <std::size_t N>
std::string jsonList(const std::array<float, N>& values) {
  std::string out = "[";
  for (std::size_t i = 0; i < N; ++i) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.9g", static_cast<double>(values[i]));
    out += concat(i == 0 ? "" : ",", std::string_view(buffer));
  }
  return out + "]";
}

void putFloat(ByteWriter& out, float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  out.u32(bits);
}

std::array<float, 3> toFloat(const Vec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

/// x, y, z, w as glTF has it, of unit length in single precision.
std::array<float, 4> toFloat(const Quat& q) {
  const double length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  if (!(length > 0.0)) return {0, 0, 0, 1};
  return {static_cast<float>(q.x / length), static_cast<float>(q.y / length),
          static_cast<float>(q.z / length), static_cast<float>(q.w / length)};
}

/// The lists of a glTF file as they grow, and the bytes they refer to.
class GltfFile {
public:
  /// Returns the number of the accessor.
  template <std::size_t N>
  int floats(const std::vector<std::array<float, N>>& values, const char* type, int target,
             bool withBounds) {
    const std::size_t start = bytes_.get().size();
    std::array<float, N> least = values[0], most = values[0];
    for (const auto& v : values) {
      for (std::size_t i = 0; i < N; ++i) {
        putFloat(bytes_, v[i]);
        least[i] = std::min(least[i], v[i]);
        most[i] = std::max(most[i], v[i]);
      }
    }
    const std::string bounds =
        withBounds ? concat(",\"min\":", jsonList(least), ",\"max\":", jsonList(most)) : "";
    return accessor(start, values.size(), kFloat, type, target, bounds);
  }
  int indices(const std::vector<std::uint32_t>& values) {
    const std::size_t start = bytes_.get().size();
    for (const std::uint32_t v : values) bytes_.u32(v);
    return accessor(start, values.size(), kUnsignedInt, "SCALAR", kIndexBuffer, "");
  }

  int add(std::vector<std::string>& list, std::string item) {
    list.push_back(std::move(item));
    return static_cast<int>(list.size()) - 1;
  }

  std::vector<std::string> nodes, meshes, materials, samplers, channels;

  std::string finish(int root, const std::string& name) {
    std::string json =
        concat(R"({"asset":{"version":"2.0","generator":"abut"},"scene":0,"scenes":[{"name":)",
               jsonText(name), ",\"nodes\":[", root, "]}]");
    json += list("nodes", nodes) + list("meshes", meshes) + list("materials", materials) +
            list("accessors", accessors_) + list("bufferViews", views_);
    if (!channels.empty()) {
      json += concat(",\"animations\":[{\"name\":\"run\"", list("samplers", samplers),
                     list("channels", channels), "}]");
    }
    if (!bytes_.get().empty())
      json += concat(",\"buffers\":[{\"byteLength\":", bytes_.get().size(), "}]");
    json += "}";
    return pack(std::move(json));
  }

private:
  ByteWriter bytes_;
  std::vector<std::string> accessors_, views_;

  int accessor(std::size_t start, std::size_t count, int component, const char* type, int target,
               const std::string& bounds) {
    const int view =
        add(views_, concat("{\"buffer\":0,\"byteOffset\":", start,
                           ",\"byteLength\":", bytes_.get().size() - start,
                           target == 0 ? std::string() : concat(",\"target\":", target), "}"));
    return add(accessors_, concat("{\"bufferView\":", view, ",\"componentType\":", component,
                                  ",\"count\":", count, ",\"type\":\"", std::string_view(type),
                                  "\"", bounds, "}"));
  }
  static std::string list(std::string_view name, const std::vector<std::string>& items) {
    if (items.empty()) return "";
    std::string out = concat(",\"", name, "\":[");
    for (const std::string& item : items) out += concat(&item == &items[0] ? "" : ",", item);
    return out + "]";
  }
  /// GLB: a header, the JSON padded with spaces, the bytes padded with zeros.
  std::string pack(std::string json) const {
    std::string binary = bytes_.get();
    while (json.size() % 4 != 0) json += ' ';
    while (binary.size() % 4 != 0) binary += '\0';
    const std::size_t total = 12 + 8 + json.size() + (binary.empty() ? 0 : 8 + binary.size());
    if (total > 0xffffffffu)
      throw InputError(
          "the animation is larger than 4 GiB, which glTF cannot hold; record fewer "
          "frames (record.every)");
    ByteWriter out;
    out.u32(0x46546c67);  // "glTF"
    out.u32(2);
    out.u32(static_cast<std::uint32_t>(total));
    out.u32(static_cast<std::uint32_t>(json.size()));
    out.u32(0x4e4f534a);  // "JSON"
    out.raw(json);
    if (binary.empty()) return out.get();
    out.u32(static_cast<std::uint32_t>(binary.size()));
    out.u32(0x004e4942);  // "BIN"
    out.raw(binary);
    return out.get();
  }
};

/// A colour from an id: hues spread by the golden ratio, grey for what does not move.
std::string colour(const BodyRecord& body) {
  std::array<float, 4> rgba = {0.6f, 0.6f, 0.62f, 1.0f};
  if (body.type != BodyType::Static) {
    const double turns = 0.6180339887498949 * static_cast<double>(body.id % 1000);
    const double hue = 6.0 * (turns - std::floor(turns));
    for (int i = 0; i < 3; ++i) {
      const double k = std::fmod(hue + 5.0 - 2.0 * i, 6.0);
      const double v = 1.0 - std::max(0.0, std::min({k, 4.0 - k, 1.0}));
      rgba[static_cast<std::size_t>(i)] = static_cast<float>(0.25 + 0.55 * v);
    }
  }
  return concat("{\"pbrMetallicRoughness\":{\"baseColorFactor\":", jsonList(rgba),
                ",\"metallicFactor\":0.1,\"roughnessFactor\":0.6},\"doubleSided\":true}");
}

/// Meshes of equal shapes and colours are written once.
class Meshes {
public:
  explicit Meshes(GltfFile& file) : file_(file) {}

  int of(const ShapeRecord& shape, const std::string& material) {
    ByteWriter key;
    key.u8(static_cast<std::uint8_t>(shape.type));
    key.vec3(shape.size);
    key.f64(shape.offset);
    for (const Vec3& v : shape.vertices) key.vec3(v);
    for (const auto& t : shape.triangles)
      for (const std::uint32_t corner : t) key.u32(corner);
    auto geometry = geometries_.find(key.get());
    if (geometry == geometries_.end())
      geometry = geometries_.emplace(key.get(), attributes(shape)).first;
    auto colour = materials_.find(material);
    if (colour == materials_.end())
      colour = materials_.emplace(material, file_.add(file_.materials, material)).first;
    const auto [mesh, isNew] = meshes_.try_emplace({geometry->second, colour->second}, 0);
    if (isNew)
      mesh->second = file_.add(file_.meshes, concat("{\"primitives\":[{", geometry->second,
                                                    ",\"material\":", colour->second, "}]}"));
    return mesh->second;
  }

private:
  GltfFile& file_;
  std::map<std::string, std::string> geometries_;
  std::map<std::string, int> materials_;
  std::map<std::pair<std::string, int>, int> meshes_;

  std::string attributes(const ShapeRecord& shape) {
    const DrawMesh mesh = tessellate(shape);
    const int positions = file_.floats(mesh.positions, "VEC3", kVertexBuffer, true);
    const int normals = file_.floats(mesh.normals, "VEC3", kVertexBuffer, false);
    const int indices = file_.indices(mesh.indices);
    return concat("\"attributes\":{\"POSITION\":", positions, ",\"NORMAL\":", normals,
                  "},\"indices\":", indices);
  }
};

/// Motion of the bodies in single precision, by body.
struct Tracks {
  std::vector<std::array<float, 1>> times;
  std::vector<std::vector<std::array<float, 3>>> positions;
  std::vector<std::vector<std::array<float, 4>>> rotations;
};

Tracks readTracks(RecordingReader& recording) {
  const std::size_t count = recording.getHeader().bodies.size();
  Tracks tracks;
  tracks.positions.resize(count);
  tracks.rotations.resize(count);
  Frame frame;
  while (recording.next(frame)) {
    const auto time = static_cast<float>(frame.time);
    // Times must increase; frames closer than single precision can tell are left out.
    if (!tracks.times.empty() && !(time > tracks.times.back()[0])) continue;
    tracks.times.push_back({time});
    for (std::size_t i = 0; i < count; ++i) {
      tracks.positions[i].push_back(toFloat(frame.bodies[i].position));
      tracks.rotations[i].push_back(toFloat(frame.bodies[i].orientation));
    }
  }
  if (tracks.times.empty()) throw InputError("the recording holds no frame");
  return tracks;
}

std::string poseJson(const std::array<float, 3>& position, const std::array<float, 4>& rotation) {
  return concat("\"translation\":", jsonList(position), ",\"rotation\":", jsonList(rotation));
}

}  // namespace

std::string exportGltf(RecordingReader& recording) {
  const RunHeader& header = recording.getHeader();
  const Tracks tracks = readTracks(recording);
  GltfFile file;
  Meshes meshes(file);
  std::string children;
  const bool animated = tracks.times.size() > 1;
  const int times = animated ? file.floats(tracks.times, "SCALAR", 0, true) : -1;
  for (std::size_t i = 0; i < header.bodies.size(); ++i) {
    const BodyRecord& body = header.bodies[i];
    std::string parts;
    for (const ShapeRecord& shape : body.shapes) {
      const int node = file.add(
          file.nodes, concat("{\"mesh\":", meshes.of(shape, colour(body)), ",",
                             poseJson(toFloat(shape.position), toFloat(shape.orientation)), "}"));
      parts += concat(parts.empty() ? "" : ",", node);
    }
    const int node = file.add(
        file.nodes, concat("{\"name\":", jsonText(body.name), ",",
                           poseJson(tracks.positions[i][0], tracks.rotations[i][0]),
                           parts.empty() ? "" : concat(",\"children\":[", parts, "]"), "}"));
    children += concat(children.empty() ? "" : ",", node);
    if (!animated || body.type == BodyType::Static) continue;
    const auto channel = [&](int values, const char* path) {
      const int sampler =
          file.add(file.samplers, concat("{\"input\":", times, ",\"output\":", values, "}"));
      file.add(file.channels, concat("{\"sampler\":", sampler, ",\"target\":{\"node\":", node,
                                     ",\"path\":\"", std::string_view(path), "\"}}"));
    };
    channel(file.floats(tracks.positions[i], "VEC3", 0, false), "translation");
    channel(file.floats(tracks.rotations[i], "VEC4", 0, false), "rotation");
  }
  // A quarter turn about x: z up becomes y up.
  constexpr float kHalfRoot = 0.70710678f;
  const int root = file.add(
      file.nodes, concat("{\"name\":\"z up\",\"rotation\":",
                         jsonList(std::array<float, 4>{-kHalfRoot, 0, 0, kHalfRoot}),
                         children.empty() ? "" : concat(",\"children\":[", children, "]"), "}"));
  return file.finish(root, header.scene);
}

}  // namespace abut::inline v0_1::io
