#include "app/cli/epoch_standing.hpp"

#include "store/journal.hpp"

#include <fmt/format.h>
#include <iterator>

namespace gapless::cli {

std::vector<standing> compare(
    std::vector<std::string> const& journals, std::function<epoch_record()> const& look
)
{
    auto found = look();
    std::vector<series_mark> noted;
    for (auto const& folder : journals)
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
        all.push_back({found.series[n], found.marks[n], {}});
    for (auto const& mark : noted)
    {
        auto known = std::ranges::find_if(all, [&](standing const& one) {
            return one.here.series_id == mark.series_id;
        });
        if (known == all.end())
            known = all.insert(
                all.end(),
                {fmt::format("series {}, gone", mark.series_id), {mark.series_id, 0, 0}, {}}
            );
        known->noted.ordinal = std::max(known->noted.ordinal, mark.ordinal);
        known->noted.turn = std::max(known->noted.turn, mark.turn);
    }
    return all;
}

}  // namespace gapless::cli
