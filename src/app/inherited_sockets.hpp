#pragma once

#include <string>
#include <vector>

namespace gapless {

/// A listening socket that whoever started the program opened for it.
struct inherited_socket
{
    int descriptor{};
    std::string address;  // 127.0.0.1:8080, [::1]:8080, unix:/run/gapless.sock
    bool local{};         // only programs of this machine reach it
};

/// The sockets that were handed over by the protocol of sd_listen_fds(3): as many as LISTEN_FDS
/// says, from descriptor 3 on, where LISTEN_PID is this process; empty: none. They are closed to
/// programs started later, and the variables leave the environment: call it before there are
/// threads, once. Throws bad_setting, with the descriptor, for what is no listening stream socket.
std::vector<inherited_socket> take_inherited_sockets();

}  // namespace gapless
