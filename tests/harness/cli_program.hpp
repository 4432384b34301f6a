#pragma once

#include "harness/database.hpp"
#include "harness/json_value.hpp"
#include "harness/process.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gapless::test {

/// Runs `gapless` with these words against the database at `url`.
process_end run_gapless(
    std::vector<std::string> words, std::string const& url, std::string_view input = {}
);

/// The names of a JSON object's members, in their order.
std::vector<std::string> member_names(std::string const& json);

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

    /// stdout with -o json; words that fail throw what stderr says.
    std::string json_text(std::vector<std::string> words) const;

    /// The same, read.
    json_value json(std::vector<std::string> words) const
    {
        return json_value::parse(json_text(std::move(words)));
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
    explicit temporary_file(std::string_view text, std::string const& suffix = ".csv");
    ~temporary_file();
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
