#include "epochs/move_proof.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>

namespace gapless::cli {

namespace {

using sentences = std::vector<std::string>;

move_mark const* find(std::vector<move_mark> const& marks, std::string const& series)
{
    auto const found = std::ranges::find(marks, series, &move_mark::series);
    return found == marks.end() ? nullptr : &*found;
}

/// Reports how the database differs from what was sealed.
void compare_marks(
    std::vector<move_mark> const& sealed, std::vector<move_mark> const& present, sentences& told
)
{
    for (auto const& then : sealed)
    {
        auto const* now = find(present, then.series);
        if (now == nullptr)
            told.push_back(fmt::format("series '{}' is not in this database", then.series));
        else if (*now != then)
            told.push_back(fmt::format(
                "series '{}' is at ordinal {}, turn {}, event {} here; the move was prepared at "
                "ordinal {}, turn {}, event {}",
                then.series,
                now->ordinal,
                now->turn,
                now->events,
                then.ordinal,
                then.turn,
                then.events
            ));
    }
    for (auto const& now : present)
        if (find(sealed, now.series) == nullptr)
            told.push_back(
                fmt::format("series '{}' did not exist when the move was prepared", now.series)
            );
}

/// Reports what a journal knows beyond these marks.
void compare_journal(
    journal_content const& journal,
    move_record const& here,
    std::vector<move_mark> const& marks,
    sentences& told
)
{
    if (journal.epoch > here.epoch)
        told.push_back(fmt::format(
            "{} was used in epoch {}, this database is in epoch {}: another one went on",
            journal.file,
            journal.epoch,
            here.epoch
        ));
    for (auto const& noted : journal.marks)
    {
        auto const then = std::ranges::find(marks, noted.series_id, &move_mark::series_id);
        auto const known = then == marks.end() ? move_mark{} : *then;
        auto const name = then == marks.end() ? fmt::format("series {}", noted.series_id)
                                              : fmt::format("series '{}'", then->series);
        if (noted.ordinal > known.ordinal)
            told.push_back(fmt::format(
                "{}: {} more numbers were issued, up to ordinal {} instead of {} ({})",
                name,
                noted.ordinal - known.ordinal,
                noted.ordinal,
                known.ordinal,
                journal.file
            ));
        else if (journal.epoch >= here.voided_epoch && noted.turn > known.turn)
            told.push_back(fmt::format(
                "{}: numbers were reissued, up to turn {} instead of {} ({})",
                name,
                noted.turn,
                known.turn,
                journal.file
            ));
    }
}

void compare_journals(
    move_record const& here,
    std::vector<move_mark> const& marks,
    std::vector<folder_evidence> const& folders,
    sentences& told
)
{
    for (auto const& each : folders)
        for (auto const& journal : each.journals)
            compare_journal(journal, here, marks, told);
    std::ranges::move(missing_journals(here, folders), std::back_inserter(told));
}

void check_seal(move_record const& here, folder_evidence const& found, sentences& told)
{
    auto const& seal = found.seal;
    if (!seal)
        told.push_back(fmt::format("{} holds no seal of this move", found.folder));
    else if (seal->move_id != here.move_id)
        told.push_back(fmt::format(
            "{} holds the seal of another move, prepared at {} on {}",
            found.folder,
            seal->prepared_at,
            seal->prepared_on
        ));
    else if (auto const elsewhere = completed_elsewhere(here, {found}))
        told.push_back(*elsewhere);
    else
        compare_marks(seal->marks, here.marks, told);
}

}  // namespace

std::vector<folder_evidence> read_folders(
    std::vector<std::string> const& folders, move_record const& here
)
{
    std::vector<folder_evidence> all;
    all.reserve(folders.size());
    for (auto const& folder : folders)
        all.push_back(
            {folder,
             read_seal(folder, here.database_id, here.epoch),
             journal::read_each(folder, here.database_id, here.database_oid)}
        );
    return all;
}

std::optional<std::string> completed_elsewhere(
    move_record const& here, std::vector<folder_evidence> const& folders
)
{
    for (auto const& [folder, seal, journals] : folders)
        if (seal && !seal->completed_on.empty() && seal->completed_on != here.here)
            return fmt::format(
                "this move was completed on {}, this is {}: both would issue the same numbers",
                seal->completed_on,
                here.here
            );
    return {};
}

std::set<std::string> journal_ids(std::vector<folder_evidence> const& folders)
{
    std::set<std::string> ids;
    for (auto const& each : folders)
        for (auto const& journal : each.journals)
            ids.insert(journal.id);
    return ids;
}

sentences missing_journals(move_record const& here, std::vector<folder_evidence> const& folders)
{
    sentences told;
    auto const given = journal_ids(folders);
    for (auto const& known : here.journals)
        if (!given.contains(known.id))
            told.push_back(fmt::format(
                "journal {} is missing, which was in use on host '{}' in epoch {}: name its folder",
                known.id,
                known.host,
                known.epoch
            ));
    return told;
}

sentences obstacles_to_prepare(move_record const& here, std::vector<folder_evidence> const& folders)
{
    sentences told;
    compare_journals(here, here.present, folders, told);
    return told;
}

sentences obstacles_to_move(move_record const& here, std::vector<folder_evidence> const& folders)
{
    sentences told;
    if (here.move_id.empty())
    {
        told.push_back(
            "no move was prepared in this copy of the database: it was taken before 'gapless epoch "
            "prepare-move', or without"
        );
        for (auto const& each : folders)
            if (each.seal)
                compare_marks(each.seal->marks, here.present, told);
        compare_journals(here, here.present, folders, told);
        return told;
    }
    if (!here.other_fence.empty())
        told.push_back("another fence was raised: " + here.other_fence);
    compare_marks(here.marks, here.present, told);
    for (auto const& each : folders)
        check_seal(here, each, told);
    compare_journals(here, here.marks, folders, told);
    return told;
}

}  // namespace gapless::cli
