#pragma once

#include "domain/issuance.hpp"
#include "http/exchange.hpp"
#include "wire/json_writer.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace gapless {

/// Which part of a list is wanted.
struct list_page
{
    std::int64_t after{};    // what lies behind this one; 0: from the beginning
    std::size_t limit{100};  // 1..1000
};

/// The query's after and limit. Refuses with malformed_request, out_of_range.
result<list_page> read_list_page(exchange const& current);

/// Appends {"items":[…],"next":"…"}: of items in the order of `place` those behind page.after, as
/// many as it wants; next is the place of the last one, null where no more follow. `write` appends
/// one.
template <class Items, class Place, class Write>
void append_page(
    std::string& json, list_page const& page, Items const& items, Place place, Write write
)
{
    json += R"({"items":[)";
    std::size_t count = 0;
    std::int64_t last = 0;
    bool more = false;
    for (auto const& item : items)
    {
        if (place(item) <= page.after)
            continue;
        if (more = count == page.limit; more)
            break;
        if (count++ != 0)
            json += ',';
        write(item, json);
        last = place(item);
    }
    json += R"(],"next":)";
    if (more)
        append_quoted_decimal(json, last);
    else
        json += "null";
    json += '}';
}

}  // namespace gapless
