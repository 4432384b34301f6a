#pragma once

#include "issuing/journal.hpp"

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace gapless::test {

namespace fs = std::filesystem;

inline constexpr auto database_id = "00000000-0000-4000-8000-000000000001";

/// A folder for journals, removed at the end.
struct new_journal_folder
{
    new_journal_folder()
    {
        char name[] = "/tmp/gapless-journal-XXXXXX";
        path = ::mkdtemp(name);
    }
    ~new_journal_folder() { fs::remove_all(path); }
    new_journal_folder(new_journal_folder const&) = delete;
    new_journal_folder& operator=(new_journal_folder const&) = delete;

    fs::path file(int n = 1) const
    {
        return path / (std::string{database_id} + "-5." + std::to_string(n));
    }

    /// Overwrites bytes, as a torn write or a bad disk would.
    void spoil(std::streamoff first, std::streamoff count) const
    {
        std::fstream bytes{file(), std::ios::in | std::ios::out | std::ios::binary};
        bytes.seekp(first);
        bytes << std::string(static_cast<std::size_t>(count), 'x');
    }

    fs::path path;
};

/// A database and how far it has come. An operator opened its epoch.
struct asked_database
{
    database_life life{1, database_id, "5", 77, "00000001", {}, false};
    std::vector<series_mark> marks;
};

inline asked_database life(std::vector<series_mark> marks, std::int32_t epoch = 1)
{
    asked_database made;
    made.life.epoch = epoch;
    made.life.voided_epoch = epoch;
    made.marks = std::move(marks);
    return made;
}

inline admission judge(journal& kept, asked_database const& asked)
{
    return kept.judge([&] { return asked.life; }, [&] { return asked.marks; });
}

inline std::string judged(fs::path const& folder, asked_database const& asked)
{
    journal kept{folder};
    return judge(kept, asked).trouble;
}

inline std::vector<series_mark> known(fs::path const& folder, asked_database const& asked)
{
    std::vector<series_mark> present;
    return journal::read(
        folder, asked.life, [&] { return asked.marks; }, present
    );
}

}  // namespace gapless::test
