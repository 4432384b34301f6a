#include "epochs/move_seal.hpp"

#include "base/text.hpp"
#include "cli/argument.hpp"
#include "cli/failure.hpp"
#include "cli/whole_file.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <stdexcept>
#include <system_error>

namespace gapless::cli {

namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr std::size_t seal_bytes_max = 64UL << 20U;

fs::path file_of(fs::path const& folder, std::string const& database_id, std::int32_t epoch)
{
    return folder / fmt::format("move.{}.{}", database_id, epoch);
}

json to_seal_json(move_seal const& seal)
{
    auto marks = json::array();
    for (auto const& mark : seal.marks)
        marks.push_back(
            {{"series", mark.series},
             {"series_id", mark.series_id},
             {"ordinal", std::to_string(mark.ordinal)},
             {"turn", mark.turn},
             {"events", std::to_string(mark.events)}}
        );
    return {
        {"database_id", seal.database_id},
        {"epoch", seal.epoch},
        {"move", seal.move_id},
        {"prepared_at", seal.prepared_at},
        {"prepared_on", seal.prepared_on},
        {"completed_on", seal.completed_on.empty() ? json{} : json(seal.completed_on)},
        {"series", std::move(marks)}};
}

std::int64_t to_integer(std::string const& text)
{
    auto const value = read_decimal<std::int64_t>(text);
    if (!value)
        throw std::invalid_argument{to_quoted(text) + " is no count"};
    return *value;
}

move_seal from_json(json const& read)
{
    move_seal seal;
    seal.database_id = read.at("database_id");
    seal.epoch = read.at("epoch");
    seal.move_id = read.at("move");
    seal.prepared_at = read.at("prepared_at");
    seal.prepared_on = read.at("prepared_on");
    if (auto const& completed = read.at("completed_on"); !completed.is_null())
        seal.completed_on = completed;
    for (auto const& mark : read.at("series"))
        seal.marks.push_back(
            {mark.at("series"),
             mark.at("series_id"),
             to_integer(mark.at("ordinal")),
             mark.at("turn"),
             to_integer(mark.at("events"))}
        );
    return seal;
}

}  // namespace

std::optional<move_seal> read_seal(
    fs::path const& folder, std::string const& database_id, std::int32_t epoch
)
{
    auto const file = file_of(folder, database_id, epoch);
    if (std::error_code unknown; !fs::exists(file, unknown))
        return std::nullopt;
    try
    {
        return from_json(json::parse(read_whole_file(file, seal_bytes_max)));
    }
    catch (command_failed const&)
    {
        throw;
    }
    catch (std::exception const& error)
    {
        throw command_failed{
            exit_code::failure,
            fmt::format("{} is no seal of a move: {}", file.string(), error.what())};
    }
}

void write_seal(fs::path const& folder, move_seal const& seal)
{
    replace_whole_file(
        file_of(folder, seal.database_id, seal.epoch), to_seal_json(seal).dump(2) + '\n'
    );
}

void complete_seals(
    std::vector<std::string> const& folders,
    std::string const& database_id,
    std::int32_t epoch,
    std::string const& server
)
{
    for (auto const& folder : folders)
        if (auto seal = read_seal(folder, database_id, epoch))
        {
            seal->completed_on = server;
            write_seal(folder, *seal);
        }
}

}  // namespace gapless::cli
