#include "http/chunked_body.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace gapless {

namespace {

constexpr int digits_max = 16;
constexpr std::size_t dropped_bytes_max = 4 * 1'024;

bool is_control_of_field(char byte) noexcept
{
    return (static_cast<unsigned char>(byte) < 0x20 && byte != '\t') || byte == 0x7f;
}

/// A character of a field name: `tchar` of RFC 9110 section 5.6.2.
bool is_name_character(char byte) noexcept
{
    return is_digit(byte) || is_letter(byte) ||
           std::string_view{"!#$%&'*+-.^_`|~"}.find(byte) != std::string_view::npos;
}

}  // namespace

std::size_t chunked_body::take(std::string_view received)
{
    std::size_t taken = 0;
    while (taken < received.size() && !complete() && !fault_)
    {
        if (place_ != place::data)
        {
            place_ = step(received[taken++]);
            continue;
        }
        auto const here = std::min<std::uint64_t>(left_, received.size() - taken);
        bytes_.append(received.substr(taken, static_cast<std::size_t>(here)));
        taken += static_cast<std::size_t>(here);
        left_ -= here;
        if (left_ == 0)
            place_ = place::data_cr;
    }
    return taken;
}

chunked_body::place chunked_body::step(char byte) noexcept
{
    switch (place_)
    {
    case place::size: return read_size(byte);
    case place::extension: return byte == '\r' ? place::line_end : drop(byte, place::extension);
    case place::line_end:
        return byte == '\n' ? end_size() : refuse("A chunk's line ends in CR LF.");
    case place::data_cr:
        return byte == '\r' ? place::data_lf : refuse("A chunk is longer than its size says.");
    case place::data_lf:
        digits_ = 0;
        return byte == '\n' ? place::size : refuse("A chunk is longer than its size says.");
    case place::trailer:
        if (byte == '\r')
            return place::last_lf;
        [[fallthrough]];
    case place::trailer_name:
        if (byte == ':' && place_ == place::trailer_name)
            return drop(byte, place::trailer_value);
        return is_name_character(byte) ? drop(byte, place::trailer_name)
                                       : refuse("A trailer field cannot be read.");
    case place::trailer_value:
        return byte == '\r' ? place::trailer_lf : drop(byte, place::trailer_value);
    case place::trailer_lf:
        return byte == '\n' ? place::trailer : refuse("A trailer field ends in CR LF.");
    case place::last_lf: return byte == '\n' ? place::end : refuse("A body ends in CR LF.");
    case place::data:
    case place::end: break;
    }
    return place_;
}

chunked_body::place chunked_body::read_size(char byte) noexcept
{
    auto const lower = static_cast<char>(byte | 0x20);
    auto const is_letter = lower >= 'a' && lower <= 'f';
    if (is_digit(byte) || is_letter)
    {
        if (++digits_ > digits_max)
            return refuse("The size of a chunk has too many digits.");
        auto const digit = is_letter ? lower - 'a' + 10 : byte - '0';
        left_ = (digits_ == 1 ? 0 : left_ << 4) | static_cast<std::uint64_t>(digit);
        return place::size;
    }
    if (digits_ > 0 && byte == '\r')
        return place::line_end;
    if (digits_ > 0 && byte == ';')
        return drop(byte, place::extension);
    return refuse("The size of a chunk has to be hexadecimal digits.");
}

/// Called when the first line of a chunk is complete.
chunked_body::place chunked_body::end_size() noexcept
{
    if (left_ == 0)
        return place::trailer;
    if (left_ <= bytes_max_ - bytes_.size())
        return place::data;
    fault_ = too_large_;
    return place_;
}

chunked_body::place chunked_body::refuse(std::string_view detail) noexcept
{
    fault_ = fault{400, detail};
    return place_;
}

chunked_body::place chunked_body::drop(char byte, place next) noexcept
{
    if (is_control_of_field(byte))
        return refuse("A line between chunks holds a control character.");
    if (++dropped_ > dropped_bytes_max)
        return refuse("Chunk extensions and trailer fields have too many bytes.");
    return next;
}

}  // namespace gapless
