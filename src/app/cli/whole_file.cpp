#include "app/cli/whole_file.hpp"

#include "app/cli/failure.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

namespace gapless::cli {

namespace {

struct descriptor
{
    int value;
    ~descriptor()
    {
        if (value > STDIN_FILENO)
            ::close(value);
    }
};

}  // namespace

std::string read_whole_file(std::string const& name, std::size_t bytes_max)
{
    auto const fail = [&](int error) -> command_failed {
        return {
            exit_code::usage,
            fmt::format("cannot read {}: {}", name, std::generic_category().message(error))};
    };
    descriptor const file{name == "-" ? STDIN_FILENO : ::open(name.c_str(), O_RDONLY | O_CLOEXEC)};
    if (file.value < 0)
        throw fail(errno);
    std::string text;
    std::array<char, 65'536> piece;
    while (text.size() <= bytes_max)
    {
        auto const size = ::read(file.value, piece.data(), piece.size());
        if (size < 0 && errno != EINTR)
            throw fail(errno);
        if (size == 0)
            break;
        if (size > 0)
            text.append(piece.data(), static_cast<std::size_t>(size));
    }
    return text;
}

}  // namespace gapless::cli
