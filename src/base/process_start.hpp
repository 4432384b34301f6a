#pragma once

namespace gapless {

/// What each program does first, before it has threads. A closed pipe or an exceeded limit on the
/// size of files becomes an error of the write; by default, either would end the process. A
/// standard stream that was closed stays closed: no file opened later takes its place, and output
/// to it fails.
void begin_process();

}  // namespace gapless
