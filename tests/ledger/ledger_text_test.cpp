#include "formats/catalogue.hpp"
#include "ledger/ledger_text.hpp"

#include <doctest/doctest.h>

namespace gapless::ledger_text_test {

bound_format plain()
{
    return bound_format::bind(*find_format(default_format_name), {}).value();
}

ledger_row row(std::int64_t ordinal, std::int32_t count, std::optional<std::string> reference = {})
{
    return {
        .issuance = {.series_id = 1, .turn = 0, .ordinal = ordinal},
        .range = {.block_id = 3, .count = count, .serial = 100 + ordinal, .ordinal = ordinal},
        .reference = std::move(reference),
        .issued_at = {},
        .epoch = 1};
}

std::string written(ledger_piece const& piece, ledger_style style = {})
{
    auto const format = plain();
    ledger_text text{format, style};
    std::string out;
    text.begin(out);
    text.begin_piece(piece);
    for (auto const& each : piece.rows)
        text.append(out, each);
    return out;
}

constexpr std::string_view heading{
    "number,serial,ordinal,block,issuance,reference,issued_at,state,reference_erased\n"};
std::string const at{"1970-01-01T00:00:00.000000Z"};

TEST_SUITE("ledger/ledger_text")
{
    TEST_CASE("each number has a line with what it was issued for, and its state")
    {
        CHECK(
            written({{row(1, 2, "a, b"), row(3, 1)}, {{"voided", 2, 2}}}) ==
            std::string{heading} + "101,101,1,3,111,\"a, b\"," + at +
                ",issued,\n102,102,2,3,111,\"a, b\"," + at + ",voided,\n103,103,3,3,113,," + at +
                ",issued,\n"
        );
    }

    TEST_CASE("without rows there is the heading, in JSON nothing")
    {
        CHECK(written({}) == heading);
        CHECK(written({}, {.json = true}).empty());
    }

    TEST_CASE("a number is told in its state, also where rows lie within one another")
    {
        // Numbers that were issued again for the same reference.
        ledger_piece const piece{
            {row(1, 4, "r"), row(2, 1, "r")}, {{"printed", 2, 2}, {"voided", 4, 4}}};
        auto const text = written(piece);
        CHECK(text.ends_with("102,102,2,3,112,r," + at + ",printed,\n"));
        CHECK(text.find("104,104,4,3,111,r," + at + ",voided,") != std::string::npos);
    }

    TEST_CASE("Excel gets separators and long numbers as it needs them")
    {
        auto long_one = row(1, 1, "=1+1");
        long_one.range.serial = 4'901'214'213'405'250'000;
        CHECK(written({{long_one}, {}}, {.csv = {.excel = excel_language::de}})
                  .ends_with(
                      "\n\"=\"\"4901214213405250000\"\"\";\"=\"\"4901214213405250000\"\"\";1;3;"
                      "111;'=1+1;" +
                      at + ";ausgegeben;\n"
                  ));
    }

    TEST_CASE("a share of the numbers is dealt by their ordinals")
    {
        auto const text = written({{row(1, 4)}, {}}, {.json = true, .part = 2, .shares = 3});
        CHECK(
            text == R"({"number":"102","serial":"102","ordinal":"2","block":"3","issuance":"111",)"
                    R"("reference":null,"issued_at":")" +
                        at + "\",\"state\":\"issued\"}\n"
        );
    }
}

}  // namespace gapless::ledger_text_test
