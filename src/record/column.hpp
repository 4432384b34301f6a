#pragma once

namespace gapless {

/// One column of a table or CSV file: which member of the JSON object it shows; "a.b" is the member
/// b of the member a, under the title b.
struct column
{
    char const* key;
    bool number{};        // aligned right; never touched by the guard against formulas
    bool in_table{true};  // false: in CSV and details only
};

}  // namespace gapless
