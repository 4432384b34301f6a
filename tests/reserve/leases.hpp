#pragma once

#include "harness/file_size_limit.hpp"
#include "reserve/lease.hpp"
#include "reserve/reserve_core.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace gapless::test {

using namespace std::chrono_literals;

/// An id that ends with that byte.
inline lease_id id_of(unsigned char last)
{
    lease_id id;
    id.bytes.back() = last;
    return id;
}

/// A secret that ends with that byte.
inline instance_secret secret_of(unsigned char last)
{
    instance_secret secret{};
    secret.back() = last;
    return secret;
}

/// A key of that number.
inline idempotency_key key_of(std::uint32_t number)
{
    idempotency_key key;
    for (std::size_t n = 0; n < sizeof number; ++n)
        key.bytes[n] = static_cast<unsigned char>(number >> 8 * n);
    return key;
}

/// One plain request of owner 7.
inline issue_request request_of(
    std::uint32_t key, std::int32_t count = 1, std::int32_t series_id = 1
)
{
    issue_request request;
    request.series_id = series_id;
    request.owner_id = 7;
    request.key = key_of(key);
    request.count = count;
    return request;
}

/// Lease 1 of series 1: ordinals 101 to 110, serials from 5000 on.
inline lease_grant grant_of(unsigned char lease = 1, std::int64_t ordinal = 101)
{
    return {
        .lease = id_of(lease),
        .series_id = 1,
        .block_id = 3,
        .epoch = 2,
        .ordinal = ordinal,
        .serial = 5'000,
        .count = 10};
}

/// An answer of the database: one range in turn 0.
inline issuance issued_at(std::int64_t ordinal, std::int32_t count = 1)
{
    issuance issued;
    issued.series_id = 1;
    issued.epoch = 2;
    issued.ranges = {
        {.block_id = 3, .count = count, .serial = 4'899 + ordinal, .ordinal = ordinal}};
    return issued;
}

/// A record of one number that left.
inline lease_note::left left_of(std::int64_t ordinal, std::string reference = "order-1")
{
    return {
        .lease = id_of(1),
        .left = {
            .ordinal = ordinal,
            .count = 1,
            .owner_id = 7,
            .key = key_of(static_cast<std::uint32_t>(ordinal)),
            .reference = std::move(reference),
            .answered_at = database_time{123'456us}}};
}

/// So long after the database was last asked.
inline reserve_time after(std::chrono::nanoseconds passed)
{
    return {.boot = 1'000s + passed, .real = 50'000s + passed};
}

inline constexpr auto lease_time = 8h;
inline constexpr database_time noon{12h};

inline lease_word word_of(unsigned char lease = 1)
{
    return {.lease = id_of(lease), .status = lease_status::open, .draw_for = lease_time};
}

/// A core that may draw on ordinals 101 to 110 of series 1.
inline reserve_core ready()
{
    reserve_core core{1'000};
    core.keep(grant_of(), after(0s), lease_time);
    core.renew({word_of()}, noon, after(0s));
    return core;
}

/// What a draw gave: "101-103", "replay 101-103" or "refused: <kind>".
inline std::string text(std::variant<drawn_answer, issuance, refusal> const& got)
{
    if (auto const* why = std::get_if<refusal>(&got))
        return "refused: " + std::string{name_of(why->kind)};
    auto const* drawn = std::get_if<drawn_answer>(&got);
    auto const& answer = drawn ? drawn->answer : std::get<issuance>(got);
    REQUIRE(answer.ranges.size() == 1);
    auto const& range = answer.ranges.front();
    return (drawn ? "" : "replay ") + std::to_string(range.ordinal) + '-' +
           std::to_string(range.ordinal + range.count - 1);
}

/// "none" or the kind of an obstacle.
inline std::string text(std::optional<refusal> const& why)
{
    return why ? std::string{name_of(why->kind)} : "none";
}

/// A folder of its own, removed at the end.
struct new_folder
{
    new_folder()
    {
        auto name = (std::filesystem::temp_directory_path() / "gapless-test-lease-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        path = name;
    }
    ~new_folder() { std::filesystem::remove_all(path); }
    new_folder(new_folder const&) = delete;
    new_folder& operator=(new_folder const&) = delete;

    std::filesystem::path path;
};

inline std::string content_of(std::filesystem::path const& file)
{
    std::ostringstream text;
    text << std::ifstream{file, std::ios::binary}.rdbuf();
    return text.str();
}

/// Overwrites bytes of a file in place; it stays the file it was.
inline void overwrite(std::filesystem::path const& file, std::size_t place, std::string_view bytes)
{
    std::fstream stream{file, std::ios::binary | std::ios::in | std::ios::out};
    stream.seekp(static_cast<std::streamoff>(place));
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    REQUIRE(stream.flush());
}

}  // namespace gapless::test
