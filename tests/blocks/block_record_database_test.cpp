#include "blocks/block.hpp"
#include "blocks/proposal.hpp"
#include "formats/catalogue.hpp"
#include "record/read.hpp"

#include <doctest/doctest.h>

namespace gapless::blocks::test {

namespace {

bound_format express()
{
    auto bound = bound_format::bind(*find_format("dhl-express-10"), {});
    REQUIRE(bound.has_value());
    return std::move(*bound);
}

std::string json_of(auto const& whole)
{
    std::string json;
    append_json(json, whole);
    return json;
}

/// Why such a body is refused, in words; empty: it is not.
template <record Input>
std::string refusal_of(std::string_view body)
{
    auto const fields = input_of<Input>.fields;
    std::vector<raw_value> values(fields.size());
    values[0] = "s";
    values[1] = "7";
    try
    {
        read_object(body, fields.subspan(2), std::span{values}.subspan(2));
        make_record(input_of<Input>, values, word_for_body);
        return {};
    }
    catch (refused const& no)
    {
        return no.why.detail;
    }
}

}  // namespace

TEST_SUITE("blocks/block_record_database")
{
    TEST_CASE("a block is told as the contract has it, its numbers as they are printed")
    {
        block one;
        one.id = record_id{7};
        one.series = "s";
        one.first.serial = one.first_serial.value = 331'881'002;
        one.last.serial = one.last_serial.value = 848'713'550;
        one.position = 1;
        one.loaded_by = "anna";
        one.loaded_at = database_time{};
        print_numbers(one, express());
        CHECK(
            json_of(one) ==
            R"({"id":"7","series":"s","first":"3318810025","last":"8487135506","count":0,)"
            R"("elsewhere":"0","issued":"0","remaining":"0","next":null,"state":"",)"
            R"("reference":null,"valid_until":null,"position":1,"first_serial":"331881002",)"
            R"("last_serial":"848713550","cycle":1,"closed_reason":null,"recalled_at":null,)"
            R"("loaded_by":"anna","loaded_at":"1970-01-01T00:00:00.000000Z"})"
        );
    }

    TEST_CASE("a block that was only checked has no id and says so, before what is unusual")
    {
        block checked;
        checked.dry_run = {true};
        checked.valid_until = database_time{std::chrono::days{1}} - database_time::duration{1};
        checked.warnings = {true, {{"neighbour", "beside 7"}}};
        auto const json = json_of(checked);
        CHECK(json.starts_with(R"({"id":null,)"));
        CHECK(json.find(R"("valid_until":"1970-01-01T23:59:59.999999Z",)") != json.npos);
        CHECK(json.ends_with(R"("loaded_at":null,"dry_run":true,)"
                             R"("warnings":[{"code":"neighbour","detail":"beside 7"}]})"));
    }

    TEST_CASE("the numbers of the blocks of a proposal are printed, too")
    {
        proposals::proposal one;
        one.blocks.resize(1);
        one.blocks[0].last.serial = 331'881'002;
        one.blocks[0].issued_until.emplace().serial = 331'881'002;
        print_numbers(one, express());
        CHECK(one.blocks[0].last.printed == "3318810025");
        CHECK(one.blocks[0].issued_until->printed == "3318810025");
    }

    TEST_CASE("a place in the queue is one of the two, and an end has a reason")
    {
        constexpr std::string_view either{
            "The field \"before\": exactly one of before and last says where the block goes."};
        CHECK(refusal_of<block_move>(R"({"last":true})").empty());
        CHECK(refusal_of<block_move>(R"({"before":7,"last":null})").empty());
        CHECK(refusal_of<block_move>("{}") == either);
        CHECK(refusal_of<block_move>(R"({"last":false})") == either);
        CHECK(refusal_of<block_move>(R"({"before":"7","last":true})") == either);
        CHECK(
            refusal_of<block_move>(R"({"before":"2147483648"})") ==
            R"(The field "before" has to be 1 to 2147483647.)"
        );
        CHECK(
            refusal_of<block_move>(R"({"before":"x"})") ==
            "The field \"before\" has to be an integer from 0, its decimal digits in a string, or "
            "null."
        );
        CHECK(refusal_of<block_end>(R"({"reason":"wet"})").empty());
        CHECK(refusal_of<block_end>("{}") == R"(The field "reason" is missing.)");
        for (auto const& reason : {std::string{}, std::string{"  "}, std::string(256, 'x')})
            CHECK(
                refusal_of<block_end>(R"({"reason":")" + reason + "\"}") ==
                R"(The field "reason" has to have 1 to 255 characters.)"
            );
    }
}

}  // namespace gapless::blocks::test
