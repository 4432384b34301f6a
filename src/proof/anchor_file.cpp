#include "proof/anchor_file.hpp"

#include "base/text.hpp"
#include "cli/failure.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <sys/stat.h>
#include <system_error>
#include <tuple>
#include <unistd.h>
#include <unordered_set>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t anchors_bytes_max = 2'000'000'000;  // of different lines

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
        auto const end = size();
        char last{};
        return end > 0 && ::pread(handle_, &last, 1, end - 1) == 1 && last != '\n';
    }

    /// In a single write, so that lines of two writers do not mix. Takes back what a full disk
    /// left of it.
    void append(std::string const& text)
    {
        auto const before = size();
        auto const written = ::write(handle_, text.data(), text.size());
        if (written != static_cast<ssize_t>(text.size()))
        {
            auto const error = written < 0 ? errno : ENOSPC;
            // Unless another writer was faster, or the file only grows: then verify finds half a
            // line.
            if (written > 0 && size() == before + written)
                std::ignore = ::ftruncate(handle_, before);
            fail_to_write(name_, error);
        }
        // Devices, pipes and the like cannot be flushed.
        if (::fsync(handle_) != 0 && errno != EINVAL && errno != EROFS)
            fail_to_write(name_, errno);
    }

private:
    /// In bytes; 0 for devices, pipes and the like.
    off_t size() const
    {
        struct stat about
        {
        };
        return ::fstat(handle_, &about) == 0 ? about.st_size : 0;
    }

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
    std::ifstream named;
    if (file != "-")
        named.open(file);
    auto& lines = file == "-" ? std::cin : named;
    std::vector<anchor> anchors;
    // The timer repeats the end of a chain that nothing was added to.
    std::unordered_set<std::string> known{""};
    std::size_t bytes = 0;
    std::string line;
    for (std::size_t number = 1; std::getline(lines, line); ++number)
    {
        if (!known.insert(line).second)
            continue;
        bytes += line.size();
        if (bytes > anchors_bytes_max)
            throw usage_error(fmt::format(
                "{}: more than {} bytes of anchors; begin a new file, and keep this one",
                file,
                anchors_bytes_max
            ));
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
    if (!lines.eof())
        throw usage_error(
            fmt::format("cannot read {}: {}", file, std::generic_category().message(errno))
        );
    if (known.size() == 1)
        throw usage_error(fmt::format("{}: there is no anchor", file));
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
