// SPDX-License-Identifier: MIT
#include <map>

#include "io/core/text.hpp"
#include "io/export/export.hpp"

namespace abut::io {
namespace {

/// In quotes, quotes doubled.
std::string field(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

void numbers(std::string& out, std::initializer_list<double> values) {
  for (const double v : values) {
    out += ',';
    out += toText(v);
  }
}
void numbers(std::string& out, const Vec3& v) {
  numbers(out, {v.x, v.y, v.z});
}

class CsvWriter {
public:
  explicit CsvWriter(const RunHeader& header) : header_(header) {
    for (const BodyRecord& body : header.bodies) names_[body.id] = field(body.name);
  }

  std::string out;

  void bodies(const Frame& frame) {
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
      const BodyFrame& b = frame.bodies[i];
      start(frame);
      out += "," + names_[header_.bodies[i].id];
      numbers(out, b.position);
      numbers(out, {b.orientation.w, b.orientation.x, b.orientation.y, b.orientation.z});
      numbers(out, b.linearVelocity);
      numbers(out, b.angularVelocity);
      out += '\n';
    }
  }
  void contacts(const Frame& frame) {
    for (const ContactFrame& c : frame.contacts) {
      start(frame);
      pair(c.object1, c.object2);
      numbers(out, c.position);
      numbers(out, c.normal);
      numbers(out, {c.depth, c.normalForce});
      numbers(out, c.frictionForce);
      numbers(out, c.impactImpulse);
      numbers(out, c.slip);
      numbers(out, {c.friction});
      out += '\n';
    }
  }
  void energy(const Frame& frame) {
    const EnergyAccount& e = frame.totalEnergy;
    start(frame);
    numbers(out, {e.kineticBefore, e.kineticAfter, e.potentialBefore, e.potentialAfter, e.drivers,
                  e.forces, e.impact, e.friction, e.correction, e.integrator, e.residual(),
                  frame.report.worstError, frame.report.greatestDepth});
    out += concat(",", frame.report.contacts, "\n");
  }
  void events(const Frame& frame) {
    for (const EventFrame& e : frame.events) {
      out += concat(frame.step, ",", e.time, ",", toText(e.kind));
      pair(e.object1, e.object2);
      numbers(out, e.impulse);
      numbers(out, {e.normalImpulse});
      out += '\n';
    }
  }

private:
  const RunHeader& header_;
  std::map<ObjectId, std::string> names_;

  void start(const Frame& frame) { out += concat(frame.step, ",", frame.time); }
  void pair(ObjectId a, ObjectId b) { out += concat(",", names_[a], ",", names_[b]); }
};

constexpr std::string_view kTitles[] = {
    "step,time [s],body,x [m],y [m],z [m],qw,qx,qy,qz,vx [m/s],vy [m/s],vz [m/s],wx [rad/s],"
    "wy [rad/s],wz [rad/s]\n",
    "step,time [s],body 1,body 2,x [m],y [m],z [m],nx,ny,nz,depth [m],normal force [N],"
    "friction x [N],friction y [N],friction z [N],impact x [N s],impact y [N s],impact z [N s],"
    "slip x [m/s],slip y [m/s],slip z [m/s],friction coefficient\n",
    "step,time [s],kinetic at start [J],kinetic [J],potential at start [J],potential [J],"
    "drivers [J],forces [J],impact [J],friction [J],correction [J],integrator [J],unaccounted [J],"
    "residual,deepest [m],contacts\n",
    "step,time [s],kind,body 1,body 2,impulse x [N s],impulse y [N s],impulse z [N s],"
    "normal impulse [N s]\n",
};

}  // namespace

std::string exportCsv(RecordingReader& recording, CsvTable table) {
  CsvWriter writer(recording.getHeader());
  writer.out = kTitles[static_cast<int>(table)];
  Frame frame;
  while (recording.next(frame)) {
    switch (table) {
      case CsvTable::Bodies:
        writer.bodies(frame);
        break;
      case CsvTable::Contacts:
        writer.contacts(frame);
        break;
      case CsvTable::Energy:
        writer.energy(frame);
        break;
      case CsvTable::Events:
        writer.events(frame);
        break;
    }
  }
  return std::move(writer.out);
}

}  // namespace abut::io
