#include "blocks/draft_arrays.hpp"

#include "postgres/columns.hpp"

namespace gapless {

draft_arrays to_arrays(std::span<block_draft const> drafts)
{
    draft_arrays all;
    for (auto const& draft : drafts)
    {
        auto const* separator = all.firsts.empty() ? "{" : ",";
        all.firsts += separator + std::to_string(draft.first);
        all.lasts += separator + std::to_string(draft.last);
        all.issued_untils +=
            separator + (draft.issued_until ? std::to_string(*draft.issued_until) : "null");
        all.references += separator + to_element(draft.reference);
        all.valid_untils +=
            separator +
            to_element(draft.valid_until ? std::optional{draft.valid_until->text} : std::nullopt);
    }
    for (auto* const text :
         {&all.firsts, &all.lasts, &all.issued_untils, &all.references, &all.valid_untils})
        *text += text->empty() ? "{}" : "}";
    return all;
}

}  // namespace gapless
