#include "issuing/binary_parameters.hpp"

#include "base/contract.hpp"

namespace gapless {

namespace {

template <class Unsigned>
void append_big_endian(std::string& out, Unsigned value)
{
    for (int shift = static_cast<int>(sizeof value) * 8 - 8; shift >= 0; shift -= 8)
        out += static_cast<char>(static_cast<unsigned char>(value >> shift));
}

template <class Unsigned>
Unsigned read_big_endian(char const* bytes) noexcept
{
    Unsigned value = 0;
    for (std::size_t n = 0; n < sizeof value; ++n)
        value = static_cast<Unsigned>(value << 8 | static_cast<unsigned char>(bytes[n]));
    return value;
}

}  // namespace

void binary_parameters::clear() noexcept
{
    used_ = 0;
}

std::string& binary_parameters::next()
{
    ensure(used_ < parameters_max, "a statement has at most eight parameters");
    nulls_[used_] = false;
    auto& buffer = buffers_[used_++];
    buffer.clear();
    return buffer;
}

void binary_parameters::add_int4(std::int32_t value)
{
    append_big_endian(next(), static_cast<std::uint32_t>(value));
}

void binary_parameters::add_int8(std::int64_t value)
{
    append_big_endian(next(), static_cast<std::uint64_t>(value));
}

void binary_parameters::add_oid(std::uint32_t value)
{
    append_big_endian(next(), value);
}

void binary_parameters::add_boolean(bool value)
{
    next() += static_cast<char>(value ? 1 : 0);
}

void binary_parameters::add_null()
{
    next();
    nulls_[used_ - 1] = true;
}

void binary_parameters::begin_array(unsigned element_type, std::size_t count, bool has_null)
{
    auto& out = next();
    append_big_endian<std::uint32_t>(out, 1);
    append_big_endian<std::uint32_t>(out, has_null ? 1 : 0);
    append_big_endian<std::uint32_t>(out, element_type);
    append_big_endian(out, static_cast<std::uint32_t>(count));
    append_big_endian<std::uint32_t>(out, 1);
}

void binary_parameters::append_int4(std::int32_t value)
{
    auto& out = buffers_[used_ - 1];
    append_big_endian<std::uint32_t>(out, 4);
    append_big_endian(out, static_cast<std::uint32_t>(value));
}

void binary_parameters::append_int4(std::optional<std::int32_t> value)
{
    if (value)
        return append_int4(*value);
    append_big_endian<std::uint32_t>(buffers_[used_ - 1], 0xFFFFFFFFU);
}

void binary_parameters::append_int8(std::int64_t value)
{
    auto& out = buffers_[used_ - 1];
    append_big_endian<std::uint32_t>(out, 8);
    append_big_endian(out, static_cast<std::uint64_t>(value));
}

void binary_parameters::append_boolean(bool value)
{
    auto& out = buffers_[used_ - 1];
    append_big_endian<std::uint32_t>(out, 1);
    out += static_cast<char>(value ? 1 : 0);
}

void binary_parameters::append_bytes(std::array<unsigned char, 16> const& value)
{
    auto& out = buffers_[used_ - 1];
    append_big_endian<std::uint32_t>(out, 16);
    out.append(reinterpret_cast<char const*>(value.data()), value.size());
}

void binary_parameters::append_text(std::optional<std::string> const& value)
{
    auto& out = buffers_[used_ - 1];
    if (!value)
    {
        append_big_endian<std::uint32_t>(out, 0xFFFFFFFFU);
        return;
    }
    append_big_endian(out, static_cast<std::uint32_t>(value->size()));
    out += *value;
}

char const* const* binary_parameters::values()
{
    for (std::size_t n = 0; n < used_; ++n)
        values_[n] = nulls_[n] ? nullptr : buffers_[n].data();
    return values_.data();
}

int const* binary_parameters::lengths()
{
    for (std::size_t n = 0; n < used_; ++n)
        lengths_[n] = static_cast<int>(buffers_[n].size());
    return lengths_.data();
}

std::int32_t read_int4(char const* bytes) noexcept
{
    return static_cast<std::int32_t>(read_big_endian<std::uint32_t>(bytes));
}

std::int64_t read_int8(char const* bytes) noexcept
{
    return static_cast<std::int64_t>(read_big_endian<std::uint64_t>(bytes));
}

}  // namespace gapless
