#pragma once

#include <string>
#include <vector>

namespace gapless {

/// A listening socket that the process that started us has opened.
struct inherited_socket
{
    int descriptor{};
    std::string address;  // 127.0.0.1:8080, [::1]:8080, unix:/run/gapless.sock
    bool local{};         // reachable from this machine only
};

/// Takes the sockets handed over by the protocol of sd_listen_fds(3): LISTEN_FDS of them, from
/// descriptor 3 on, if LISTEN_PID is this process; empty: none. Sets close-on-exec, and removes the
/// variables from the environment: call it once, before there are threads. Throws bad_setting, with
/// the descriptor, for anything but a listening stream socket.
std::vector<inherited_socket> take_inherited_sockets();

}  // namespace gapless
