#include "epochs/epoch_standing.hpp"

#include "cli/argument.hpp"
#include "cli/failure.hpp"
#include "issuing/journal.hpp"
#include "postgres/epoch_record.hpp"
#include "proof/anchor_file.hpp"

#include <fmt/format.h>
#include <iterator>
#include <map>

namespace gapless::cli {

namespace {

/// What of a mark has a moment. An anchor, or an answer that was repeated, has none, and does not
/// take away what others know of earlier numbers.
series_mark dated(series_mark mark)
{
    if (mark.ordinal_at == series_mark::moment{})
        mark.ordinal = 0;
    if (mark.turn_at == series_mark::moment{})
        mark.turn = 0;
    return mark;
}

/// Raises the marks to those in a file of anchors.
void take_anchors(
    std::string const& file,
    database_life const& life,
    std::vector<standing>& all,
    fault_teller const& tell
)
{
    std::map<std::string, std::size_t> places;
    for (std::size_t n = 0; n < all.size(); ++n)
        places.emplace(all[n].series, n);
    // One damaged line must not keep what the others prove from anybody.
    for (auto const& [place, head] :
         read_anchors(file, [&](finding const& fault) { tell(fault.what); }))
    {
        if (head.database_id != life.database_id)
            throw usage_error(fmt::format("{}: an anchor of database {}", place, head.database_id));
        if (head.series == all_series)
            continue;
        auto const [known, added] = places.try_emplace(head.series, all.size());
        if (added)
            all.push_back({.series = head.series, .is_gone = true});
        auto& one = all[known->second];
        one.noted.raise({one.here.series_id, head.ordinal, static_cast<std::int32_t>(head.turn)});
    }
}

}  // namespace

std::vector<standing> compare(
    noted_outside const& outside,
    std::function<epoch_record()> const& look,
    fault_teller const& tell
)
{
    auto found = look();
    std::vector<series_mark> noted;
    for (auto const& folder : outside.journals)
        std::ranges::copy(
            journal::read(
                folder,
                found.life,
                [&] {
                    found = look();
                    return found.marks;
                },
                found.marks
            ),
            std::back_inserter(noted)
        );
    std::vector<standing> all;
    for (std::size_t n = 0; n < found.series.size(); ++n)
        all.push_back({found.series[n], found.marks[n]});
    for (auto const& mark : noted)
    {
        auto known = std::ranges::find_if(all, [&](standing const& one) {
            return one.here.series_id == mark.series_id;
        });
        if (known == all.end())
            known = all.insert(
                all.end(),
                {.series = fmt::format("series {}, gone", mark.series_id),
                 .here = {.series_id = mark.series_id},
                 .is_gone = true}
            );
        known->noted.raise(mark);
        known->dated.raise(dated(mark));
    }
    for (auto const& file : outside.anchors)
        take_anchors(file, found.life, all, tell);
    return all;
}

std::optional<std::string> find_gone(std::vector<standing> const& all)
{
    std::vector<std::string> lines;
    for (auto const& one : all)
        if (one.is_gone && one.behind() > 0)
            lines.push_back(fmt::format(
                "{}: it was created after the backup, and {} of its numbers were issued",
                one.series,
                one.behind()
            ));
    if (lines.empty())
        return {};
    return fmt::format(
        "{}\n  first create it again under its id, and load its blocks in the same order: "
        "docs/operations/backup.md, 'After a restore'",
        fmt::join(lines, "\n")
    );
}

std::optional<std::string> folder_without_journals(
    noted_outside const& noted, database_life const& life
)
{
    try
    {
        for (auto const& folder : noted.journals)
            if (!journal::is_kept_in(folder, life))
                return fmt::format("{} holds no journal of this database", to_quoted(folder));
    }
    catch (journal_failure const& failure)
    {
        throw usage_error(failure.what());
    }
    return {};
}

}  // namespace gapless::cli
