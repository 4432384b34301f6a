#include "domain/label_serials.hpp"

#include <algorithm>
#include <string>

namespace gapless {

namespace {

/// Which numbers of a range may be on a parcel, by their place in it.
std::vector<bool> printable(
    issuance_record const& record, issued_range const& range, std::span<state_range const> voided
)
{
    std::vector<bool> found(static_cast<std::size_t>(range.count), !record.value.hold_seconds);
    auto const mark = [&found](std::int64_t from, std::int64_t to, bool value) {
        auto const size = static_cast<std::int64_t>(found.size());
        for (auto place = std::max<std::int64_t>(from, 0); place < std::min(to, size); ++place)
            found[static_cast<std::size_t>(place)] = value;
    };
    for (auto const& part : record.parts)
        if (part.fate == "confirmed")
            mark(part.serial - range.serial, part.serial - range.serial + part.count, true);
    for (auto const& run : voided)
        mark(run.first_ordinal - range.ordinal, run.last_ordinal + 1 - range.ordinal, false);
    return found;
}

}  // namespace

result<std::vector<std::int64_t>> read_label_serials(
    issuance_record const& record, std::span<state_range const> voided
)
{
    if (record.value.count() > labels_max)
        return refusal{
            refusal_kind::out_of_range,
            "The issuance has " + std::to_string(record.value.count()) +
                " numbers; labels are drawn of up to " + std::to_string(labels_max) +
                ". Draw the barcode of each number instead."};
    if (std::ranges::find(record.parts, "held", &hold_part::fate) != record.parts.end())
        return refusal{
            refusal_kind::state_conflict,
            "Numbers of this issuance are held: confirm those that are used, release the others, "
            "then print."};

    std::vector<std::int64_t> serials;
    for (auto const& range : record.value.ranges)
    {
        auto const found = printable(record, range, voided);
        for (std::size_t place = 0; place < found.size(); ++place)
            if (found[place])
                serials.push_back(range.serial + static_cast<std::int64_t>(place));
    }
    if (serials.empty())
        return refusal{
            refusal_kind::state_conflict,
            "No number of this issuance may be on a parcel: they are released, expired or voided."};
    return serials;
}

}  // namespace gapless
