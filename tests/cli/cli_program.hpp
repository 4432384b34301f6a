#pragma once

#include "harness/database.hpp"
#include "harness/process.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace gapless::test {

/// Runs `gapless` with these words against the database at `url`.
inline process_end run_gapless(
    std::vector<std::string> words, std::string const& url, std::string_view input = {}
)
{
    process_start start;
    start.words = std::move(words);
    start.words.insert(start.words.begin(), GAPLESS_BIN_DIR "/gapless");
    start.environment["GAPLESS_DATABASE_URL"] = url;
    return run_program(start, input);
}

/// `gapless` in front of a migrated database of its own.
class cli
{
public:
    process_end run(std::vector<std::string> words, std::string_view input = {}) const
    {
        return run_gapless(std::move(words), database_.url(), input);
    }

    /// The exit code alone.
    int code(std::vector<std::string> words) const { return run(std::move(words)).code; }

    /// stdout as JSON; words that fail throw what stderr says.
    nlohmann::ordered_json json(std::vector<std::string> words) const
    {
        words.insert(words.end(), {"-o", "json"});
        auto const end = run(std::move(words));
        if (end.code != 0)
            throw std::runtime_error{end.err};
        return nlohmann::ordered_json::parse(end.out);
    }

    /// A series `dhl` whose blocks are 100…199 and 500…599.
    void stock() { database_.create_series("dhl", {{100, 199}, {500, 599}}); }

    test::database& database() noexcept { return database_; }

private:
    test::database database_;
};

/// A file for a test, removed at its end.
class temporary_file
{
public:
    explicit temporary_file(std::string_view text, std::string const& suffix = ".csv")
    {
        path_ = (std::filesystem::temp_directory_path() / "gapless_XXXXXX").string() + suffix;
        auto const descriptor = ::mkstemps(path_.data(), static_cast<int>(suffix.size()));
        if (descriptor < 0)
            throw std::runtime_error{"no temporary file"};
        ::close(descriptor);
        std::ofstream{path_, std::ios::binary} << text;
    }
    ~temporary_file() { std::filesystem::remove(path_); }
    temporary_file(temporary_file const&) = delete;
    temporary_file& operator=(temporary_file const&) = delete;

    std::string const& path() const noexcept { return path_; }

private:
    std::string path_;
};

inline bool contains(std::string const& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

}  // namespace gapless::test
