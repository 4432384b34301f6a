#include "app/inherited_sockets.hpp"

#include "app/listen_address.hpp"
#include "app/settings.hpp"
#include "app/taken_variable.hpp"
#include "base/log.hpp"
#include "base/text.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace gapless {

namespace {

using tcp = boost::asio::ip::tcp;

constexpr int first_descriptor = 3;
constexpr int sockets_max = 64;

int read_count(std::string const& text)
{
    auto const count = read_decimal<int>(text);
    if (!count || *count < 0 || *count > sockets_max)
        throw bad_setting{
            "LISTEN_FDS = '" + text + "': allowed: a whole number from 0 to " +
            std::to_string(sockets_max)};
    return *count;
}

bad_setting unfit(int descriptor, std::string const& why)
{
    return bad_setting{
        "LISTEN_FDS hands over descriptor " + std::to_string(descriptor) + ", which " + why +
        "; allowed are listening stream sockets of TCP or Unix (ListenStream= with Accept=no in a "
        "socket unit)"};
}

/// A numeric option that the kernel has for a socket; -1: not a socket.
int ask_socket(int descriptor, int option)
{
    int value = -1;
    socklen_t bytes = sizeof value;
    return ::getsockopt(descriptor, SOL_SOCKET, option, &value, &bytes) == 0 ? value : -1;
}

inherited_socket look_at_inet(int descriptor, sockaddr_storage const& bound, socklen_t bytes)
{
    tcp::endpoint address;
    address.resize(bytes);
    std::memcpy(address.data(), &bound, bytes);
    return {descriptor, to_text(address), is_loopback(address)};
}

/// A Unix socket's name has a length; an abstract one begins with a NUL.
inherited_socket look_at_unix(int descriptor, sockaddr_storage const& bound, socklen_t bytes)
{
    constexpr auto before = offsetof(sockaddr_un, sun_path);
    sockaddr_un address{};
    std::memcpy(&address, &bound, std::min<std::size_t>(bytes, sizeof address));
    std::string name{address.sun_path, bytes > before ? bytes - before : 0};
    if (name.starts_with('\0'))
        name.front() = '@';
    else
        name = name.c_str();
    return {descriptor, "unix:" + name, true};
}

inherited_socket look_at(int descriptor)
{
    auto const type = ask_socket(descriptor, SO_TYPE);
    if (type < 0)
        throw unfit(descriptor, ::fcntl(descriptor, F_GETFD) < 0 ? "is not open" : "is no socket");
    if (type != SOCK_STREAM)
        throw unfit(descriptor, "is a socket of datagrams or packets");
    if (ask_socket(descriptor, SO_ACCEPTCONN) != 1)
        throw unfit(descriptor, "does not listen");
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    sockaddr_storage bound{};
    socklen_t bytes = sizeof bound;
    ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&bound), &bytes);
    switch (bound.ss_family)
    {
    case AF_INET:
    case AF_INET6: return look_at_inet(descriptor, bound, bytes);
    case AF_UNIX: return look_at_unix(descriptor, bound, bytes);
    default: throw unfit(descriptor, "is of another family");
    }
}

}  // namespace

std::vector<inherited_socket> take_inherited_sockets()
{
    auto const told_count = take_variable("LISTEN_FDS");
    auto const told_process = take_variable("LISTEN_PID");
    take_variable("LISTEN_FDNAMES");
    if (told_count.empty())
        return {};
    if (told_process != std::to_string(::getpid()))
    {
        // They were meant for another process; the descriptors may be anything.
        log_event(
            log_level::warning,
            "sockets_not_inherited",
            {{"listen_fds", told_count},
             {"listen_pid", told_process},
             {"why", "LISTEN_PID is not this process"}}
        );
        return {};
    }
    std::vector<inherited_socket> found;
    auto const end = first_descriptor + read_count(told_count);
    for (int descriptor = first_descriptor; descriptor < end; ++descriptor)
        found.push_back(look_at(descriptor));
    return found;
}

}  // namespace gapless
