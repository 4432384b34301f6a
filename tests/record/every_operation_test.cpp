#include "app/commands.hpp"
#include "record/operation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace gapless::test {

/// What holds for every operation of every feature. A new operation is tested here without a line.
TEST_SUITE("record/every_operation")
{
    TEST_CASE("no verb and no method of a path stands in a table twice")
    {
        std::set<std::string> verbs;
        std::set<std::pair<std::string_view, http_method>> routes;
        for (auto const* of : features())
            for (auto const& each : of->operations)
            {
                CAPTURE(each.path);
                if (!each.verb.empty())
                    CHECK(verbs.insert(std::string{of->noun} + ' ' + std::string{each.verb}).second
                    );
                CHECK((each.path.empty() || routes.insert({each.path, each.method}).second));
            }
    }

    TEST_CASE("the verbs of a table are commands, in its order")
    {
        auto const nouns = cli::all_commands();
        for (auto const* of : features())
        {
            CAPTURE(of->noun);
            std::vector<std::string_view> verbs;
            for (auto const& each : of->operations)
                if (!each.verb.empty())
                    verbs.push_back(each.verb);
            auto const known = std::ranges::find(nouns, of->noun, &cli::noun::name);
            REQUIRE((known != nouns.end() || verbs.empty()));
            if (verbs.empty())
                continue;
            std::vector<std::string_view> commands;
            for (auto const& each : known->verbs)
                if (std::ranges::find(verbs, each.name) != verbs.end())
                    commands.push_back(each.name);
            CHECK(commands == verbs);
        }
    }

    TEST_CASE("every field has a text, and an option of its own")
    {
        for (auto const* of : features())
            for (auto const& each : of->operations)
            {
                std::set<std::string_view> options;
                for (auto const& field : each.input->fields)
                {
                    CAPTURE(each.path);
                    CAPTURE(field.name);
                    CHECK(field.about.text.ends_with('.'));
                    auto const option = field.about.option;
                    CHECK(options.insert(option.empty() ? field.name : option).second);
                }
                CHECK_FALSE(each.input->fields.front().about.takes_owner);
            }
    }

    TEST_CASE("questions, and what is said afterwards, name fields of the record they are about")
    {
        auto const check_names = [](std::string_view text, std::span<column const> columns) {
            for_each_placeholder(text, [&](std::string_view name) {
                CAPTURE(text);
                CHECK(std::ranges::any_of(columns, [&](column const& shown) {
                    return shown.key == name;
                }));
            });
        };
        for (auto const* of : features())
            for (auto const& each : of->operations)
            {
                CAPTURE(each.verb);
                check_names(each.done, each.answer->columns);
                check_names(each.waiting, each.answer->columns);
                CHECK((each.verb.empty() || each.answer->may_wait == !each.waiting.empty()));
                if (each.question.empty())
                    continue;
                auto const* const reads = find_read(*of, each);
                REQUIRE(reads != nullptr);
                check_names(each.question, reads->answer->columns);
            }
    }
}

}  // namespace gapless::test
