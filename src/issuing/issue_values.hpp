#pragma once

#include "issuing/binary_parameters.hpp"
#include "issuing/issuance.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <type_traits>

/// The C++ types that the connection sends and reads: the PostgreSQL type of each, how it is
/// written as an array element, and how it is read from a column.
namespace gapless::issue_value {

/// A type, and whether null is one of its values.
template <class Value>
struct without_null
{
    using type = Value;
    static constexpr bool nullable = false;
};
template <class Value>
struct without_null<std::optional<Value>>
{
    using type = Value;
    static constexpr bool nullable = true;
};

/// The name of a type on the wire.
template <class Value>
constexpr unsigned type_of() noexcept
{
    if constexpr (std::is_same_v<Value, bool>)
        return type_id::boolean;
    else if constexpr (std::is_same_v<Value, std::int32_t>)
        return type_id::int4;
    else if constexpr (std::is_same_v<Value, std::int64_t>)
        return type_id::int8;
    else if constexpr (std::is_same_v<Value, std::string>)
        return type_id::text;
    else if constexpr (std::is_same_v<Value, idempotency_key>)
        return type_id::uuid;
    else
    {
        static_assert(std::is_same_v<Value, database_time>);
        return type_id::timestamptz;
    }
}

inline void append(binary_parameters& out, bool value)
{
    out.append_boolean(value);
}
inline void append(binary_parameters& out, std::int32_t value)
{
    out.append_int4(value);
}
inline void append(binary_parameters& out, std::int64_t value)
{
    out.append_int8(value);
}
inline void append(binary_parameters& out, std::optional<std::int32_t> value)
{
    out.append_int4(value);
}
inline void append(binary_parameters& out, std::optional<std::string> const& value)
{
    out.append_text(value);
}
inline void append(binary_parameters& out, idempotency_key const& value)
{
    out.append_bytes(value.bytes);
}

inline void read(std::int32_t& value, char const* bytes)
{
    value = read_int4(bytes);
}
inline void read(std::int64_t& value, char const* bytes)
{
    value = read_int8(bytes);
}
inline void read(bool& value, char const* bytes)
{
    value = *bytes != 0;
}
inline void read(std::string& value, char const* bytes)
{
    value = bytes;
}

/// timestamptz is sent as microseconds since 2000-01-01.
inline void read(database_time& value, char const* bytes)
{
    using namespace std::chrono;
    constexpr sys_days origin{year{2000} / January / 1};
    value = database_time{origin} + microseconds{read_int8(bytes)};
}

}  // namespace gapless::issue_value
