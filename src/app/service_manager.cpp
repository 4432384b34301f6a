#include "app/service_manager.hpp"

#include "app/taken_variable.hpp"
#include "base/log.hpp"
#include "base/text.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace gapless {

namespace {

constexpr std::size_t unsent_max = 16;
constexpr std::chrono::milliseconds again_after{20};

/// The watchdog period; 0: none, or the variables are meant for another process.
std::chrono::microseconds take_sign_period()
{
    auto const limit = take_variable("WATCHDOG_USEC");
    auto const process = take_variable("WATCHDOG_PID");
    auto const microseconds = read_decimal<std::int64_t>(limit).value_or(0);
    if (microseconds <= 0 || (!process.empty() && process != std::to_string(::getpid())))
        return {};
    return std::chrono::microseconds{microseconds} / 2;
}

}  // namespace

service_manager::service_manager(boost::asio::io_context& io)
    : target_{take_variable("NOTIFY_SOCKET")},
      sign_period_{take_sign_period()},
      sign_timer_{io},
      again_timer_{io}
{
    if (target_.empty())
        return;
    auto const known = target_.front() == '/' || target_.front() == '@';
    if (!known || target_.size() >= sizeof(sockaddr_un::sun_path))
    {
        log_event(
            log_level::warning,
            "notify_failed",
            {{"socket", target_}, {"why", "it is neither a path nor an abstract name"}}
        );
        target_.clear();
        return;
    }
    if (target_.front() == '@')
        target_.front() = '\0';
    socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

service_manager::~service_manager()
{
    if (socket_ >= 0)
        ::close(socket_);
}

void service_manager::ready(std::string_view status)
{
    if (target_.empty())
        return;
    send(fmt::format("READY=1\nMAINPID={}\nSTATUS={}", ::getpid(), status));
    if (!std::exchange(signs_begun_, true) && sign_period_.count() > 0)
        give_sign_of_life();
}

void service_manager::reloading()
{
    auto const now = std::chrono::steady_clock::now().time_since_epoch();
    auto const since = std::chrono::floor<std::chrono::microseconds>(now).count();
    send(fmt::format("RELOADING=1\nMONOTONIC_USEC={}", since));
}

void service_manager::stopping(std::string_view status)
{
    send(fmt::format("STOPPING=1\nSTATUS={}", status));
}

void service_manager::give_sign_of_life()
{
    // A sign of life that cannot be sent is dropped: the next one says the same.
    if (unsent_.empty())
        try_to_send("WATCHDOG=1");
    sign_timer_.expires_after(sign_period_);
    sign_timer_.async_wait([this](boost::system::error_code const& cancelled) {
        if (!cancelled)
            give_sign_of_life();
    });
}

void service_manager::send(std::string message)
{
    if (target_.empty())
        return;
    if (unsent_.size() == unsent_max)
        unsent_.pop_front();
    unsent_.push_back(std::move(message));
    if (unsent_.size() == 1)
        send_unsent();
}

void service_manager::send_unsent()
{
    while (!unsent_.empty() && try_to_send(unsent_.front()))
        unsent_.pop_front();
    if (unsent_.empty())
        return;
    again_timer_.expires_after(again_after);
    again_timer_.async_wait([this](boost::system::error_code const& cancelled) {
        if (!cancelled)
            send_unsent();
    });
}

/// Returns false if the manager has not read earlier messages yet. Any other error would repeat, so
/// it is logged, once.
bool service_manager::try_to_send(std::string const& message)
{
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    std::memcpy(to.sun_path, target_.data(), target_.size());
    auto const bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + target_.size());
    auto const* address = reinterpret_cast<sockaddr const*>(&to);
    auto const sent =
        ::sendto(socket_, message.data(), message.size(), MSG_NOSIGNAL, address, bytes);
    if (sent >= 0)
        return true;
    auto const why = errno;
    if (why == EAGAIN || why == ENOBUFS || why == EINTR)
        return false;
    if (!std::exchange(failure_logged_, true))
        log_event(
            log_level::warning,
            "notify_failed",
            {{"socket", target_.c_str() + (target_.front() == '\0' ? 1 : 0)},
             {"why", std::strerror(why)}}
        );
    return true;
}

}  // namespace gapless
