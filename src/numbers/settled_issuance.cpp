#include "numbers/settled_issuance.hpp"

namespace gapless {

std::vector<gone_numbers> list_gone(issuance const& value, bound_format const& format)
{
    std::vector<gone_numbers> all;
    for (auto const& part : value.parts)
        if (part.is_gone())
            all.push_back(
                {.first = format.to_number(part.range.serial),
                 .last = format.to_number(part.range.last_serial()),
                 .count = part.range.count,
                 .state = part.fate}
            );
    return all;
}

refusal refuse_settled(issuance const& value, bound_format const& format)
{
    refusal why{.kind = refusal_kind::issuance_settled};
    append_issuance_id(why.issuance, id_of(value));
    why.detail =
        "nothing of issuance " + why.issuance +
        " is left: its numbers were released, expired, reused or voided; use a new key for "
        "new numbers";
    why.gone = list_gone(value, format);
    return why;
}

}  // namespace gapless
