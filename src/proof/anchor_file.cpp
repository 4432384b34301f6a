#include "proof/anchor_file.hpp"

#include "base/text.hpp"
#include "cli/failure.hpp"
#include "cli/whole_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t anchors_bytes_max = 2'000'000'000;

[[noreturn]] void fail_to_write(std::string const& file, int error)
{
    throw command_failed{
        exit_code::failure,
        fmt::format(
            "cannot write the anchors to {}: {}", file, std::generic_category().message(error)
        )};
}

class appended_file
{
public:
    explicit appended_file(std::string const& name)
        : name_{name},
          handle_{::open(name.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644)}
    {
        if (handle_ < 0)
            fail_to_write(name_, errno);
    }
    ~appended_file() { ::close(handle_); }
    appended_file(appended_file const&) = delete;
    appended_file& operator=(appended_file const&) = delete;

    /// True if the last line is incomplete.
    bool is_cut_off() const
    {
        struct stat about
        {
        };
        char last{};
        return ::fstat(handle_, &about) == 0 && about.st_size > 0 &&
               ::pread(handle_, &last, 1, about.st_size - 1) == 1 && last != '\n';
    }

    /// In a single write, so that lines of two writers do not mix.
    void append(std::string const& text)
    {
        auto const written = ::write(handle_, text.data(), text.size());
        if (written != static_cast<ssize_t>(text.size()))
            fail_to_write(name_, written < 0 ? errno : ENOSPC);
        // Devices, pipes and the like cannot be flushed.
        if (::fsync(handle_) != 0 && errno != EINVAL && errno != EROFS)
            fail_to_write(name_, errno);
    }

private:
    std::string name_;
    int handle_;
};

/// The number given as a string under `key`; throws json::exception.
std::int64_t read_number(json const& line, char const* key)
{
    auto const value = read_decimal<std::int64_t>(line.at(key).get_ref<std::string const&>());
    if (!value || *value < 0)
        throw std::invalid_argument{fmt::format("'{}' is no number", key)};
    return *value;
}

seal_head read_head(json const& line)
{
    return {
        .database_id = line.at("database").get<std::string>(),
        .epoch = static_cast<std::int32_t>(read_number(line, "epoch")),
        .series = line.at("series").get<std::string>(),
        .link = read_number(line, "link"),
        .hash = line.at("hash").get<std::string>(),
        .sealed_at = line.at("sealed_at").get<std::string>(),
        .ordinal = read_number(line, "ordinal"),
        .turn = read_number(line, "turn"),
        .event = read_number(line, "event")};
}

}  // namespace

std::string to_anchor(seal_head const& head)
{
    json const line{
        {"database", head.database_id},
        {"epoch", std::to_string(head.epoch)},
        {"series", head.series},
        {"link", std::to_string(head.link)},
        {"ordinal", std::to_string(head.ordinal)},
        {"turn", std::to_string(head.turn)},
        {"event", std::to_string(head.event)},
        {"hash", head.hash},
        {"sealed_at", head.sealed_at}};
    return line.dump();
}

void append_durably(std::string const& file, std::string const& text)
{
    appended_file open{file};
    open.append((open.is_cut_off() ? "\n" : "") + text);
}

std::vector<anchor> read_anchors(std::string const& file, anchor_fault_taker const& take)
{
    auto const text = read_whole_file(file, anchors_bytes_max);
    if (text.empty() || text.size() > anchors_bytes_max)
        throw usage_error(
            fmt::format("{}: no anchor, or more than {} bytes", file, anchors_bytes_max)
        );
    std::vector<anchor> anchors;
    std::string_view rest{text};
    for (std::size_t number = 1; !rest.empty(); ++number)
    {
        auto const line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        auto const place = fmt::format("{}:{}", file, number);
        try
        {
            anchors.push_back({place, read_head(json::parse(line))});
        }
        catch (std::exception const&)
        {
            take({"", "anchor", fmt::format("{}: this line is no anchor", place)});
        }
    }
    return anchors;
}

std::string to_json_text(std::span<anchor const> anchors)
{
    auto rows = json::array();
    for (auto const& one : anchors)
        rows.push_back(
            {{"place", one.place},
             {"database", one.head.database_id},
             {"epoch", one.head.epoch},
             {"series", one.head.series},
             {"link", one.head.link},
             {"ordinal", one.head.ordinal},
             {"hash", one.head.hash},
             {"sealed_at", one.head.sealed_at}}
        );
    return rows.dump();
}

}  // namespace gapless::cli
