#include "labels/label_serials.hpp"

#include <string>

namespace gapless {

result<std::vector<std::int64_t>> read_label_serials(issuance const& value)
{
    if (value.count() > labels_max)
        return refusal{
            refusal_kind::out_of_range,
            "The issuance has " + std::to_string(value.count()) +
                " numbers; labels are drawn of up to " + std::to_string(labels_max) +
                ". Draw the barcode of each number instead."};
    if (state_of(value) == "held" && value.hold_seconds == hold_for_ever)
        return refusal{
            refusal_kind::on_lease,
            "These numbers are on lease: their instance may answer requests with them in an "
            "outage. Print labels from its answers."};
    if (state_of(value) == "held")
        return refusal{
            refusal_kind::state_conflict,
            "Numbers of this issuance are held: confirm those that are used, release the others, "
            "then print."};

    std::vector<std::int64_t> serials;
    for (auto const& range : value.ranges)
        for (auto serial = range.serial; serial <= range.last_serial(); ++serial)
            serials.push_back(serial);
    if (serials.empty())
        return refusal{
            refusal_kind::state_conflict,
            "No number of this issuance may be on a parcel: they are released, expired, reused or "
            "voided."};
    return serials;
}

}  // namespace gapless
