#pragma once

#include "harness/history.hpp"

#include <nlohmann/json.hpp>

#include <charconv>
#include <stdexcept>

namespace gapless::test {

/// A number that is a JSON string, as everything that can exceed 2^53 has to be. Throws when it is
/// not written in the one right way.
inline std::int64_t to_number(nlohmann::json const& value)
{
    auto const& text = value.get_ref<std::string const&>();
    std::int64_t number = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || std::to_string(number) != text)
        throw std::invalid_argument{"'" + text + "' is not a number"};
    return number;
}

/// Takes the issuance of an answer into the attempt. Returns what is wrong with it, "" when nothing
/// is: fields missing or of the wrong type, counts and numbers that do not match the ranges. For
/// series of the format plain, where a number is its serial.
inline std::string read_issuance(nlohmann::json const& body, attempt& tried)
{
    try
    {
        tried.issuance = body.at("id").get<std::string>();
        tried.epoch = to_number(body.at("epoch"));
        for (auto const& range : body.at("ranges"))
        {
            auto const& read = tried.ranges.emplace_back(answered_range{
                to_number(range.at("block")),
                to_number(range.at("first")),
                to_number(range.at("last")),
                to_number(range.at("ordinal"))});
            if (range.at("count").get<std::int64_t>() != read.count())
                return "a range does not hold its count";
        }
        if (body.at("series") != tried.series || body.at("state") != "issued" ||
            body.at("count").get<std::int64_t>() != tried.numbers())
            return "series, state or count are not those of the request and its ranges";

        auto const& numbers = body.at("numbers");
        std::size_t n = 0;
        for (auto const& range : tried.ranges)
            for (auto number = range.first; number <= range.last; ++number, ++n)
                if (n >= numbers.size() || to_number(numbers[n]) != number)
                    return "the numbers are not those of the ranges";
        return n == numbers.size() ? "" : "there are more numbers than the ranges hold";
    }
    catch (std::exception const& error)
    {
        return error.what();
    }
}

}  // namespace gapless::test
