#pragma once

namespace gapless {

/// What each program does first, before it has threads. A reader that has gone and a limit on the
/// size of files become errors where something is written; they would end the process. A standard
/// stream that was closed stays closed: no file opened later takes its place, and output to it
/// fails.
void begin_process();

}  // namespace gapless
