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

/// Whether the tool has threads.
[[nodiscard]] bool hasThreads();

/// Who does the work on so many threads, 0 for all there are; null for one. Throws io::InputError
/// where the tool was built without oneTBB.
std::unique_ptr<TaskRunner> makeTasks(int threads);

/// The same by the option of the app, or if that was not given as a scene wishes, as far as the
/// tool has threads.
std::unique_ptr<TaskRunner> makeTasks(const CLI::App& app, int threads, int sceneThreads);

}  // namespace abut::tool
