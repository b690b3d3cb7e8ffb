// SPDX-License-Identifier: MIT
#pragma once

#include "io/live/live_run.hpp"
#include "io/live/local_server.hpp"
#include "io/live/view_control.hpp"

namespace abut::inline v0_1::io {

/// What a page of a run is answered: /, /header, /state, /frames?from=N and POSTs to /control.
[[nodiscard]] HttpAnswer answerView(LiveRun& live, ViewControl& control,
                                    const HttpRequest& request);

}  // namespace abut::inline v0_1::io
