// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <abut/core/tasks.hpp>

namespace CLI {
class App;
}

namespace abut::tool {

/// The option --threads of a verb that makes steps.
void addThreadsOption(CLI::App& app, int& threads);

/// Who does the work on so many threads, 0 for all there are; null for one. Throws io::InputError
/// where the tool was built without oneTBB.
std::unique_ptr<TaskRunner> makeTasks(int threads);

}  // namespace abut::tool
