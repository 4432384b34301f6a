#include "formats/number_list.hpp"

#include "base/contract.hpp"
#include "base/json_writer.hpp"
#include "formats/catalogue.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gapless {

namespace {

/// True for the bare serial in decimal digits: what most series have, and the fastest to write.
bool is_plain(bound_format const& format) noexcept
{
    return format.format().name() == default_format_name;
}

void append_numbers(
    bound_format const& format,
    std::int64_t first,
    std::int64_t count,
    number_list_style const& style,
    std::string& text
)
{
    if (!is_plain(format))
        return format.append_numbers(first, count, style, text);
    for (std::int64_t n = 0; n < count; ++n)
    {
        if (n > 0)
            text += style.between;
        text += style.before;
        append_decimal(text, first + n);
        text += style.after;
    }
}

}  // namespace

void append_number(bound_format const& format, std::int64_t serial, std::string& text)
{
    if (is_plain(format))
        return append_decimal(text, serial);
    std::array<char, number_characters_max> number;
    text.append(number.data(), format.write_number(serial, number.data()));
}

void append_number_or_null(
    std::string& json,
    std::string_view name,
    bound_format const& format,
    std::optional<std::int64_t> serial
)
{
    append_name(json, name);
    if (!serial)
    {
        json += "null";
        return;
    }
    json += '"';
    append_number(format, *serial, json);
    json += '"';
}

number_list::number_list(
    bound_format const& format,
    std::vector<issued_range> ranges,
    number_list_style const& style,
    std::string tail
)
    : format_{format},
      ranges_{std::move(ranges)},
      style_{style},
      tail_{std::move(tail)},
      bytes_to_come_{tail_.size()}
{
    std::uint64_t count{};
    for (auto const& range : ranges_)
    {
        count += static_cast<std::uint64_t>(range.count);
        bytes_to_come_ += format_.characters(range.serial, range.count);
    }
    bytes_to_come_ += count * (style_.before.size() + style_.after.size());
    if (count > 1)
        bytes_to_come_ += (count - 1) * style_.between.size();
}

void number_list::append_piece(std::string& text)
{
    auto const before = text.size();
    for (auto room = numbers_per_piece; room > 0 && range_ < ranges_.size();)
    {
        auto const& range = ranges_[range_];
        auto const count = std::min<std::int64_t>(room, range.count - done_);
        if (range_ > 0 || done_ > 0)
            text += style_.between;
        append_numbers(format_, range.serial + done_, count, style_, text);
        room -= count;
        done_ += count;
        if (done_ < range.count)
            break;
        ++range_;
        done_ = 0;
    }
    if (range_ == ranges_.size())
        text += std::exchange(tail_, {});
    auto const made = text.size() - before;
    ensure(made > 0 && made <= bytes_to_come_, "a list is as long as it said");
    bytes_to_come_ -= made;
    ensure((bytes_to_come_ == 0) == (range_ == ranges_.size()), "a list ends where it said");
}

void number_list::append_all(std::string& text)
{
    text.reserve(text.size() + bytes_to_come_ + 512);
    while (bytes_to_come_ > 0)
        append_piece(text);
}

}  // namespace gapless
