#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// PostgreSQL type ids (pg_type.dat), as the wire protocol names them.
namespace type_id {
inline constexpr unsigned boolean = 16;
inline constexpr unsigned int8 = 20;
inline constexpr unsigned int4 = 23;
inline constexpr unsigned text = 25;
inline constexpr unsigned oid = 26;
inline constexpr unsigned timestamptz = 1184;
inline constexpr unsigned uuid = 2950;
inline constexpr unsigned boolean_array = 1000;
inline constexpr unsigned int4_array = 1007;
inline constexpr unsigned text_array = 1009;
inline constexpr unsigned int8_array = 1016;
inline constexpr unsigned uuid_array = 2951;
}  // namespace type_id

/// The parameters of one prepared statement in PostgreSQL's binary format (array_send in
/// arrayfuncs.c: dimensions, null flag, element type, length, lower bound, then each element with
/// its length; all big-endian). Buffers are kept between uses.
class binary_parameters
{
public:
    static constexpr std::size_t parameters_max = 12;

    /// Clears the parameters but keeps the memory.
    void clear() noexcept;

    void add_int4(std::int32_t value);
    void add_int8(std::int64_t value);
    void add_oid(std::uint32_t value);
    void add_boolean(bool value);
    void add_null();

    /// Starts an array of `count` elements, which the append_ calls then fill.
    void begin_array(unsigned element_type, std::size_t count, bool has_null = false);
    void append_int4(std::int32_t value);
    void append_int4(std::optional<std::int32_t> value);
    void append_int8(std::int64_t value);
    void append_boolean(bool value);
    void append_bytes(std::array<unsigned char, 16> const& value);
    void append_text(std::optional<std::string> const& value);

    int count() const noexcept { return static_cast<int>(used_); }

    /// As libpq expects them; valid until the next change.
    char const* const* values();
    int const* lengths();
    int const* formats() const noexcept { return formats_.data(); }

private:
    std::string& next();

    std::array<std::string, parameters_max> buffers_;
    std::array<bool, parameters_max> nulls_{};
    std::array<char const*, parameters_max> values_{};
    std::array<int, parameters_max> lengths_{};
    std::array<int, parameters_max> formats_{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    std::size_t used_{};
};

/// Reads a big-endian integer column.
std::int32_t read_int4(char const* bytes) noexcept;
std::int64_t read_int8(char const* bytes) noexcept;

}  // namespace gapless
