#include "formats/bound_format.hpp"

#include "base/contract.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace gapless {
namespace {

constexpr std::string_view digits_36{"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"};
constexpr char check_place{'?'};

std::int64_t largest_of_width(std::size_t width, int base)
{
    std::int64_t largest{0};
    for (std::size_t digit = 0; digit < width; ++digit)
    {
        if (largest > (serial_max - (base - 1)) / base)
            return serial_max;
        largest = largest * base + (base - 1);
    }
    return largest;
}

// Makes the digits before `end` those of the next serial. The carry ends inside the serial.
void count_up(char* end, int base) noexcept
{
    auto const last = base == 36 ? 'Z' : '9';
    auto* digit = end - 1;
    for (; *digit == last; --digit)
        *digit = '0';
    *digit = *digit == '9' ? 'A' : static_cast<char>(*digit + 1);
}

}  // namespace

format_result<bound_format> bound_format::bind(
    number_format const& format, parameter_values const& parameters
)
{
    return bind(std::make_shared<number_format const>(format), parameters);
}

format_result<bound_format> bound_format::bind(
    std::shared_ptr<number_format const> shared, parameter_values const& parameters
)
{
    auto const& format = *shared;
    auto read = format.read_parameters(parameters);
    if (read.has_error())
        return read.error();
    bound_format bound{std::move(shared)};
    bound.parameters_ = std::move(*read);

    auto* side = &bound.head_;
    auto* checked = &bound.checked_head_;
    template_segment const* serial{};
    for (auto const& segment : format.segments())
    {
        auto part = segment.text;
        switch (segment.kind)
        {
        case segment_kind::literal: break;
        case segment_kind::check: part = check_place; break;
        case segment_kind::serial:
            serial = &segment;
            side = &bound.tail_;
            checked = &bound.checked_tail_;
            continue;
        case segment_kind::parameter: {
            auto const value = bound.parameters_.find(segment.parameter.name);
            if (value == bound.parameters_.end())
                return format_refusal{
                    "format ",
                    format.name(),
                    " needs the parameter ",
                    segment.parameter.name,
                    ": ",
                    description_of(segment.parameter)};
            part = value->second;
            break;
        }
        }
        *side += part;
        if (segment.is_checked)
            *checked += part;
    }

    ensure(serial, "a format has a serial");
    auto const around = bound.head_.size() + bound.tail_.size();
    if (around + 1 > format.length_max())
        return format_refusal{
            "the parameters fill all ",
            std::to_string(format.length_max()),
            " characters of the number; the serial has none"};
    bound.base_ = serial->base;
    bound.width_min_ = serial->parameter.length_min;
    bound.width_max_ = serial->parameter.length_max;
    if (serial->fills)
    {
        bound.width_min_ = format.length_min() > around ? format.length_min() - around : 1;
        bound.width_max_ = format.length_max() - around;
    }
    if (around + bound.width_max_ < format.length_min() ||
        around + bound.width_min_ > format.length_max())
        return format_refusal{
            "with these parameters a number has ",
            std::to_string(around + bound.width_max_),
            " characters, but length is ",
            std::to_string(format.length_min())};
    bound.fix_lengths();
    return bound;
}

void bound_format::fix_lengths()
{
    // No serial needs more characters than serial_max; wider numbers are read, but never made.
    auto const needed_max = base_ == 10 ? std::size_t{19} : std::size_t{13};
    if (width_min_ != width_max_)
        width_max_ = std::min(width_max_, std::max(width_min_, needed_max));
    has_check_ = format().algorithm().kernel != check_kernel::none;
    length_max_ = head_.size() + width_max_ + tail_.size();
    serial_max_ = largest_of_width(width_max_, base_);
    if (width_min_ != width_max_)
        return;
    auto const in_head = head_.find(check_place);
    auto const in_tail = tail_.find(check_place);
    if (in_head != head_.npos)
        check_at_ = in_head;
    else if (in_tail != tail_.npos)
        check_at_ = head_.size() + width_max_ + in_tail;
    checker_ = serial_checker{format().algorithm(), checked_head_, width_max_, checked_tail_};
}

// Writes the digits of a serial, zero-padded to the fixed width, so that they end before `end`.
void bound_format::write_serial(std::int64_t serial, char* end) const
{
    auto* const begin = end - width_max_;
    auto rest = static_cast<std::uint64_t>(serial);
    if (base_ == 10)
        for (; rest != 0; rest /= 10)
            *--end = static_cast<char>('0' + rest % 10);
    else
        for (; rest != 0; rest /= 36)
            *--end = digits_36[rest % 36];
    std::fill(begin, end, '0');
}

std::size_t bound_format::write_number(std::int64_t serial, char* out) const
{
    ensure(0 <= serial && serial <= serial_max_, "a serial fits its number");
    if (width_min_ != width_max_)
        return write_growing(serial, out);

    auto* const digits = std::copy(head_.begin(), head_.end(), out);
    auto* const end = digits + width_max_;
    write_serial(serial, end);
    std::copy(tail_.begin(), tail_.end(), end);
    if (check_at_ != std::string::npos)
        out[check_at_] = checker_.character_for(digits);
    return length_max_;
}

// The serial takes as many characters as it needs, at least width_min_.
std::size_t bound_format::write_growing(std::int64_t serial, char* out) const
{
    std::array<char, number_characters_max> digits;
    auto* const end = digits.data() + digits.size();
    write_serial(serial, end);
    std::string_view text{end - width_max_, width_max_};
    text.remove_prefix(std::min(text.find_first_not_of('0'), width_max_ - width_min_));

    if (!has_check_)
    {
        auto* const digits_end =
            std::copy(text.begin(), text.end(), std::copy(head_.begin(), head_.end(), out));
        auto const* const number_end = std::copy(tail_.begin(), tail_.end(), digits_end);
        return static_cast<std::size_t>(number_end - out);
    }
    std::string number;
    number.append(head_).append(text).append(tail_);
    auto const body = checked_head_ + std::string{text} + checked_tail_;
    number[number.find(check_place)] = check_character(format().algorithm(), body).value();
    std::copy(number.begin(), number.end(), out);
    return number.size();
}

std::string bound_format::to_number(std::int64_t serial) const
{
    std::string number(length_max_, '\0');
    number.resize(write_number(serial, number.data()));
    return number;
}

std::uint64_t bound_format::characters(std::int64_t first_serial, std::int64_t count) const
{
    ensure(0 <= first_serial && first_serial <= serial_max_, "the first serial fits its number");
    ensure(1 <= count && count - 1 <= serial_max_ - first_serial, "the last serial fits, too");
    auto sum = static_cast<std::uint64_t>(count) * (head_.size() + tail_.size());
    auto const last = first_serial + count - 1;
    // Width by width: all serials of one width have the same length.
    auto first = first_serial;
    for (auto width = width_min_; first <= last; ++width)
    {
        auto const of_width = width < width_max_ ? largest_of_width(width, base_) : last;
        if (of_width < first)
            continue;
        auto const end = std::min(last, of_width);
        sum += static_cast<std::uint64_t>(end - first + 1) * width;
        first = end + 1;
    }
    return sum;
}

void bound_format::append_numbers(
    std::int64_t first_serial, std::int64_t count, number_list_style const& style, std::string& out
) const
{
    ensure(0 <= first_serial && first_serial <= serial_max_, "the first serial fits its number");
    ensure(1 <= count && count - 1 <= serial_max_ - first_serial, "the last serial fits, too");
    if (width_min_ != width_max_)
        return append_growing(first_serial, count, style, out);

    auto const& [before, after, between] = style;
    auto const step = between.size() + before.size() + length_max_ + after.size();
    auto const start = out.size();
    out.resize(start + step * static_cast<std::size_t>(count) - between.size());
    auto* at = std::copy(before.begin(), before.end(), out.data() + start);
    write_number(first_serial, at);
    std::copy(after.begin(), after.end(), at + length_max_);
    for (std::int64_t made = 1; made < count; ++made)
    {
        // The previous number, with its separators, is the pattern of the next one.
        auto* const next = at + step;
        std::memcpy(next, at, length_max_ + after.size());
        std::copy(before.begin(), before.end(), next - before.size());
        std::copy(between.begin(), between.end(), next - before.size() - between.size());
        auto* const digits = next + head_.size();
        count_up(digits + width_max_, base_);
        if (check_at_ != std::string::npos)
            next[check_at_] = checker_.character_for(digits);
        at = next;
    }
}

void bound_format::append_growing(
    std::int64_t first, std::int64_t count, number_list_style const& style, std::string& out
) const
{
    std::array<char, number_characters_max> number;
    for (std::int64_t made = 0; made < count; ++made)
    {
        auto const length = write_growing(first + made, number.data());
        out.append(made == 0 ? std::string_view{} : style.between).append(style.before);
        out.append(number.data(), length).append(style.after);
    }
}

format_result<read_serial> bound_format::read_number(std::string_view text, check_text check) const
{
    auto parts = gapless::read_number(format(), parameters_, text, check);
    if (parts.has_error())
        return parts.error();
    auto const has_letters = base_ == 10 && !std::ranges::all_of(parts->serial_text, [](char each) {
                                 return takes(character_class::digits, each);
                             });
    if (has_letters)
        return format_refusal{
            "the serial ", parts->serial_text, " has letters; series count in digits"};
    if (!parts->serial || *parts->serial > serial_max_)
        return format_refusal{
            "the serial ",
            parts->serial_text,
            " is above ",
            std::to_string(serial_max_),
            ", the largest that fits"};
    if (to_number(*parts->serial) != parts->number)
        return format_refusal{"the number is written ", to_number(*parts->serial)};
    return read_serial{*parts->serial, std::move(parts->number)};
}

}  // namespace gapless
