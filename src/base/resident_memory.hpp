#pragma once

#include <fstream>
#include <unistd.h>

namespace gapless {

/// The memory of this process, in bytes; 0 if there is no /proc.
inline double resident_bytes()
{
    std::ifstream statm{"/proc/self/statm"};
    double total{};
    double resident{};
    statm >> total >> resident;
    return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

}  // namespace gapless
