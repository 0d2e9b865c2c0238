#pragma once

// The application behind the server of a live drive (docs/theory/page-protocol.md): says hello,
// sends frames and events, receives inputs and controls of the client that has the wheel. All of it
// runs in the server's thread; tiles and clips are made in a thread of their own.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "camber/live/frame_history.h"
#include "camber/live/lease.h"
#include "camber/live/live_drive.h"
#include "camber/live/wheel_device.h"
#include "camber/server/maker.h"
#include "camber/server/server.h"
#include "camber/view/stage.h"

namespace camber::live {

class LivePage : public server::Handler {
 public:
  /// Keeps pointers. To be made before the loop of the drive starts.
  LivePage(run::Simulation* simulation, LiveDrive* drive, const std::string& program);
  ~LivePage() override;

  /// Before the server runs.
  void set_server(server::Server* server) { server_ = server; }
  /// A steering wheel of this machine drives, too: once it or its pedals move while nobody drives.
  /// Before the server runs; keeps the pointer.
  void set_wheel(WheelDevice* wheel);

  void get(server::RequestId request, std::string_view target) override;
  bool has_sockets() const override { return true; }
  void open(server::ClientId client) override;
  void message(server::ClientId client, std::string_view bytes) override;
  void close(server::ClientId client) override;
  void tick() override;
  void end() override { maker_.stop(); }

 private:
  std::string make_hello(server::ClientId client) const;
  server::Answer make(std::string_view target) const;
  bool take_input(server::ClientId client, std::string_view bytes);
  bool take_control(server::ClientId client, std::string_view bytes);
  bool may_control(server::ClientId client) const;
  void turn_wheel();
  void send_event(const LiveEvent& event);
  void send_event(nlohmann::ordered_json event);
  void tell_lease(const std::string& text);

  LiveDrive* drive_;
  SensorViews* views_;
  WheelDevice* wheel_ = nullptr;
  float wheel_rest_ = 0;    // where the wheel stood when it last did not drive
  bool is_moving_ = false;  // the newest frame is not of a pause
  server::Server* server_ = nullptr;
  view::Stage stage_;
  nlohmann::ordered_json hello_;
  Lease lease_;
  FrameHistory history_;
  std::map<server::ClientId, std::uint32_t> last_inputs_;  // number of each client's last input
  double time_ = 0;                                        // of the newest frame [s]
  std::uint64_t events_ = 0;
  bool said_bye_ = false;
  server::Maker maker_;  // last: its thread ends before what it uses goes
};

}  // namespace camber::live
