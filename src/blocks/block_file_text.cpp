#include "blocks/block_file_text.hpp"

#include "base/field_text.hpp"
#include "base/text.hpp"
#include "base/written_value.hpp"
#include "blocks/block_file_day.hpp"
#include "blocks/block_file_layout.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <span>

namespace gapless {

namespace {

using enum block_column;

constexpr std::size_t digits_min = 6;         // of a number of a letter
constexpr std::size_t number_pieces_max = 8;  // 1Z 999 AA1 01 2345 6784
constexpr std::size_t label_words_max = 3;
constexpr std::size_t count_size_max = 11;  // 100.000.000
constexpr std::size_t day_pieces = 3;       // 31. December 2027

// Words after a count, besides the names of its column.
constexpr std::string_view counted{
    " nummern sendungsnummern numbers trackingnumbers numéros nummers stk pcs pieces "
    "sendungen pakete parcels colis pakketten labels etiketten paketmarken "};

constexpr char dash{'\x1f'};  // replaces any kind of dash

/// Unicode characters that matter here, by their first two bytes: e2 80 90 to 95 are dashes.
std::string to_ascii_marks(std::string_view text)
{
    std::string plain;
    while (!text.empty())
    {
        auto const starts = [&](auto... each) { return (text.starts_with(each) || ...); };
        if (starts("\xc2\xa0", "\xe2\x80\x87", "\xe2\x80\x89", "\xe2\x80\xaf"))
            plain += ' ';
        else if (starts(
                     "\xe2\x80\x90",
                     "\xe2\x80\x91",
                     "\xe2\x80\x92",
                     "\xe2\x80\x93",
                     "\xe2\x80\x94",
                     "\xe2\x80\xa6",
                     "\xe2\x88\x92",
                     "\xe2\x86\x92"
                 ))
            plain += dash;
        else if (!starts(
                     "\xe2\x80\x8b",
                     "\xe2\x80\x8c",
                     "\xe2\x80\x8d",
                     "\xe2\x80\x8e",
                     "\xe2\x81\xa0",
                     "\xef\xbb\xbf"
                 ))
        {
            plain += text.front();
            text.remove_prefix(1);
            continue;
        }
        text.remove_prefix(text.front() == '\xc2' ? 2 : 3);
    }
    return plain;
}

/// Text between blanks and marks.
struct piece
{
    std::string text;
    std::size_t line{};
    bool close{};   // one blank separates it from the previous piece
    bool dashed{};  // a dash precedes it
};

void add_piece(std::vector<piece>& pieces, piece& next)
{
    auto& text = next.text;
    while (!text.empty() && std::string_view{".-'/"}.find(text.back()) != std::string_view::npos)
        text.pop_back();
    // (00) belongs to a number, other brackets are removed.
    if (auto const end = text.find(')'); !text.starts_with('(') || end > 5)
    {
        next.close = next.close && !text.starts_with('(');
        std::erase_if(text, [](char c) { return c == '(' || c == ')'; });
    }
    if (text.empty())
        return;
    auto const middle = text.find('-');
    if (middle != text.npos && text.find('-', middle + 1) == text.npos && middle >= digits_min &&
        text.size() - middle > digits_min)
    {
        pieces.push_back({text.substr(0, middle), next.line, next.close, next.dashed});
        pieces.push_back({text.substr(middle + 1), next.line, false, true});
    }
    else
        pieces.push_back(next);
    next = {.text = {}, .line = next.line};
}

/// True for a comma as in 5,000.
bool groups_digits(std::string_view text, std::size_t comma)
{
    auto const digits = [](std::string_view part) {
        return std::ranges::find_if_not(part, is_digit) - part.begin();
    };
    auto const start = text.substr(0, comma).find_last_not_of("0123456789") + 1;
    auto const in_front = comma - start;
    return text[comma] == ',' && in_front > 0 && in_front < 4 &&
           digits(text.substr(comma + 1, 4)) == 3;
}

std::vector<piece> split_pieces(std::string_view written)
{
    constexpr std::string_view marks{"\r\n\t\f,;:\"<>|=*[]"};
    std::vector<piece> pieces;
    piece next{.line = 1};
    std::size_t blanks = 0;
    auto const text = to_ascii_marks(written);
    for (std::size_t n = 0; n < text.size(); ++n)
    {
        auto const c = text[n];
        if ((c != ' ' && c != dash && marks.find(c) == marks.npos) || groups_digits(text, n))
        {
            // A dash alone counts as a dash if it is between two blanks.
            next.close = next.text.empty() ? blanks == 1 : next.close;
            next.text += c;
            blanks = 0;
            continue;
        }
        if (next.text == "-")
            next = {.text = {}, .line = next.line, .dashed = true};
        add_piece(pieces, next);
        blanks = c == ' ' ? blanks + 1 : 2;
        next.dashed = next.dashed || c == dash;
        if (c == '\n')
            next = {.text = {}, .line = next.line + 1};
    }
    add_piece(pieces, next);
    return pieces;
}

/// A number in the text, and what the text says about it.
struct found_number
{
    std::string text;
    std::size_t line{};
    std::optional<block_column> says;
    bool is_aside{};  // a small count that may be of something else: 12 pieces a box
};

bool has_digits(std::string_view text)
{
    return std::ranges::count_if(text, is_digit) >= static_cast<std::ptrdiff_t>(digits_min);
}

class text_reader
{
public:
    text_reader(std::string_view text, bound_format const* format)
        : pieces_{split_pieces(text)},
          format_{format}
    {
    }

    block_text read()
    {
        gather();
        if (!find_pairs())
        {
            std::erase_if(numbers_, [](auto const& each) { return each.is_aside; });
            if (!find_pairs())
                tell_missing();
        }
        for (auto& block : found_.blocks)
            block.fields[4] = valid_until_;
        return std::move(found_);
    }

private:
    bool find_pairs() { return pair_by_words() || pair_by_lines(numbers_) || pair_all(); }

    void tell_missing()
    {
        std::vector<std::string> texts;
        for (auto const& each : std::span{numbers_}.first(std::min(numbers_.size(), 10UL)))
            texts.push_back(written::to_quoted(each.text));
        found_.why_none =
            texts.empty() ? "there is no table of blocks, and no number of a block in the text"
            : texts.size() == 1
                ? fmt::format(
                      "the text has one number of a block, {}, but no other end and no count",
                      texts.front()
                  )
                : fmt::format(
                      "it is not clear which of these numbers are first and last of a block: {}",
                      fmt::join(texts, ", ")
                  );
    }

    bool reads(std::string_view text) const
    {
        return find_serials(format_, text, text).has_value();
    }

    std::string size_of(std::string_view from, std::string_view to) const
    {
        auto const ends = find_serials(format_, from, to);
        return ends ? std::to_string(static_cast<std::uint64_t>(ends->last - ends->first) + 1) : "";
    }

    std::string join(std::size_t from, std::size_t end, std::string_view between = {}) const
    {
        std::string text;
        for (auto n = from; n < end; ++n)
            text.append(n == from ? "" : between).append(pieces_[n].text);
        return text;
    }

    /// The end of the day that begins here, or of a validity that is not a day; `from`: neither.
    std::size_t end_of_day(std::size_t from, bool is_validity) const
    {
        auto const end = std::min(from + day_pieces, pieces_.size());
        for (auto const each : {from + 1, end})
            if (!read_days(join(from, each, " ")).empty())
                return each;
        auto const& text = pieces_[from].text;
        if (!is_validity || !std::ranges::any_of(text, is_digit) || has_digits(text))
            return from;
        auto last = from + 1;
        while (last < end && pieces_[last].close && !has_digits(pieces_[last].text))
            ++last;
        return last;
    }

    /// The end of the pieces from here that may be one number in groups.
    std::size_t end_of_group(std::size_t from, bool digits) const
    {
        auto const fits = [&](piece const& each) {
            return !digits || all_digits(each.text) || each.text.starts_with('(');
        };
        auto end = from + 1;
        while (fits(pieces_[from]) && end < pieces_.size() && end - from < 2 * number_pieces_max &&
               pieces_[end].close && !pieces_[end].dashed && fits(pieces_[end]))
            ++end;
        return end;
    }

    /// The end of the number that begins here; `from`: there is none.
    std::size_t end_of_number(std::size_t from) const
    {
        for (auto end = std::min(end_of_group(from, false), from + number_pieces_max); end > from;
             --end)
            if (auto const text = join(from, end);
                has_digits(text) && may_be_number(text) && end - from > 1 &&
                !std::ranges::all_of(text, is_digit) && reads(text))
                return end;
        auto end = end_of_group(from, true);
        auto const long_ones = std::ranges::count_if(
            pieces_.begin() + static_cast<std::ptrdiff_t>(from),
            pieces_.begin() + static_cast<std::ptrdiff_t>(end),
            [](auto const& each) { return has_digits(each.text); }
        );
        auto const half = from + (end - from) / 2;
        auto const is_alone = format_ != nullptr && end - from > 1 && !reads(join(from, end)) &&
                              is_whole(pieces_[from].text);
        if (is_alone || (end - from > 1 && static_cast<std::size_t>(long_ones) == end - from))
            end = from + 1;  // two numbers side by side
        else if ((end - from) % 2 == 0 && has_digits(join(from, half)) && !reads(join(from, end)) &&
                 join(from, half).size() == join(half, end).size())
            end = half;
        auto const text = join(from, end);
        return has_digits(text) && may_be_number(text) ? end : from;
    }

    /// The meaning of the words right before a piece.
    std::optional<block_column> label(std::size_t at, std::size_t words) const
    {
        std::string name;
        std::optional<block_column> says;
        for (std::size_t n = 1; n <= std::min({words, at, label_words_max}); ++n)
        {
            name.insert(0, pieces_[at - n].text + ' ');
            if (auto const column = find_block_column(name))
                says = column;
        }
        return says;
    }

    /// True for a count followed by the word for what it counts.
    bool counts(std::size_t from, std::size_t end) const
    {
        auto const text = to_count_text(join(from, end, "."));
        if (end == pieces_.size() || !pieces_[end].close || !all_digits(text) ||
            text.size() > count_size_max)
            return false;
        auto const& word = pieces_[end].text;
        return find_block_column(word) == count ||
               counted.find(' ' + to_heading(word) + ' ') != std::string_view::npos;
    }

    void gather()
    {
        std::size_t words = 0;
        for (std::size_t n = 0; n < pieces_.size();)
        {
            auto const& piece = pieces_[n];
            auto says = label(n, words);
            auto const is_above = n > 0 && pieces_[n - 1].line != piece.line;
            if (says == count && (is_above || piece.text.size() > count_size_max))
                says.reset();  // of an earlier heading
            auto const group = end_of_group(n, true);
            auto const is_counted = (!says || says == first) && counts(n, group);
            if (is_counted)
                says = count;
            auto end = end_of_day(n, says == valid_until);
            if (end != n)
            {
                auto day = join(n, end, " ");
                if (says == valid_until && valid_until_.empty() && !read_days(day).empty())
                    valid_until_ = std::move(day);
                else
                    found_.unread.push_back(std::move(day));
            }
            else if (end = says == count && may_be_number(piece.text) ? group : end_of_number(n);
                     end != n)
            {
                auto text = join(n, end);
                auto const is_aside = is_counted && !has_digits(text);
                numbers_.push_back({std::move(text), piece.line, says, is_aside});
                if (piece.dashed && !says && numbers_.size() > 1)
                    numbers_.back().says = last;
            }
            words = end == n ? words + 1 : 0;
            n = std::max(end, n + 1);
        }
        for (std::size_t n = 1; n < numbers_.size(); ++n)
            if (numbers_[n].says == last && !numbers_[n - 1].says)
                numbers_[n - 1].says = first;
    }

    void add(found_number const& from, found_number const& to, std::string count_text)
    {
        found_.blocks.push_back({from.line, {from.text, to.text, std::move(count_text), {}, {}}});
    }

    /// Pairs numbers if words or dashes tell which is first and which is last.
    bool pair_by_words()
    {
        std::vector<found_number const*> ends;
        for (auto const& each : numbers_)
            if (each.says == first || each.says == last)
                ends.push_back(&each);
        if (ends.empty() || ends.size() % 2 != 0)
            return false;
        for (std::size_t n = 0; n < ends.size(); n += 2)
        {
            if (ends[n]->says == ends[n + 1]->says)
                return false;
            if (ends[n]->says == last)
                std::swap(ends[n], ends[n + 1]);
        }
        for (std::size_t n = 0; n < ends.size(); n += 2)
            add(*ends[n], *ends[n + 1], {});
        for (auto const& each : numbers_)
        {
            if (each.says == first || each.says == last)
                continue;
            auto const of = std::ranges::find_if(found_.blocks, [&](auto const& block) {
                return (ends.size() == 2 || block.line == each.line) &&
                       ((each.says == count && !each.is_aside) ||
                        to_count_text(each.text) == size_of(block.fields[0], block.fields[1]));
            });
            if (of == found_.blocks.end())
                found_.unread.push_back(each.text);
            else
                of->fields[2] = each.text;
        }
        return true;
    }

    /// One number and a count from there on, or two numbers of which one may be a count.
    bool pair_two(found_number const& from, found_number const& to)
    {
        auto const is_count = to.says == count;
        if (from.says == count && !is_count)
            return pair_two(to, from);
        if (is_count ? from.says == last || from.says == count
                     : (from.says && from.says == to.says) ||
                           may_count_from(format_, from.text, to.text) ||
                           may_count_from(format_, to.text, from.text))
            return false;
        add(from, is_count ? found_number{} : to, is_count ? to.text : std::string{});
        return true;
    }

    /// Two numbers, or three of which one is their count.
    bool pair(std::span<found_number const> all)
    {
        if (all.size() == 2)
            return pair_two(all[0], all[1]);
        if (all.size() == 3)
            for (std::size_t n = 0; n < 3; ++n)
            {
                auto const& from = all[n == 0 ? 1 : 0];
                auto const& to = all[n == 2 ? 1 : 2];
                auto const is_said =
                    all[n].says == count && !all[n].is_aside && !from.says && !to.says;
                if (!is_said && to_count_text(all[n].text) != size_of(from.text, to.text))
                    continue;
                add(from, to, all[n].text);
                return true;
            }
        return false;
    }

    bool pair_by_lines(std::span<found_number const> rest)
    {
        while (!rest.empty())
        {
            auto const other = std::ranges::find_if(rest, [&](auto const& each) {
                return each.line != rest.front().line;
            });
            auto const size = static_cast<std::size_t>(other - rest.begin());
            if (!pair(rest.first(size)))
            {
                found_.blocks.clear();
                return false;
            }
            rest = rest.subspan(size);
        }
        return !found_.blocks.empty();
    }

    bool pair_all()
    {
        if (pair(numbers_))
            return true;
        auto const unread = found_.unread.size();
        // Numbers of the series have their prefix and check characters, or a word before them.
        auto const fits = [&](found_number const& each) {
            return format_ != nullptr && is_whole(each.text);
        };
        auto const any_fits = std::ranges::any_of(numbers_, fits);
        std::vector<found_number> whole;
        for (auto const& each : numbers_)
            if (each.says == count || (any_fits ? fits(each) : each.says.has_value()))
                whole.push_back(each);
            else
                found_.unread.push_back(each.text);
        // A number of the same length may contain a typo.
        auto const is_doubtful = std::ranges::any_of(found_.unread, [&](auto const& each) {
            return !whole.empty() && each.size() == whole.front().text.size();
        });
        if (!is_doubtful && (pair(whole) || pair_by_lines(whole)))
            return true;
        found_.unread.resize(unread);
        return false;
    }

    bool is_whole(std::string_view text) const
    {
        auto const read = read_block_ends(*format_, text, text);
        return read.has_value() && read->read_as == block_ends_read_as::numbers;
    }

    std::vector<piece> pieces_;
    bound_format const* format_;
    std::vector<found_number> numbers_{};
    std::string valid_until_{};
    block_text found_{};
};

}  // namespace

block_text read_block_text(std::string_view text, bound_format const* format)
{
    if (text.size() > block_text_bytes_max)
        return {.why_none = "there are no columns of first and last numbers"};
    auto read = text_reader{text, format}.read();
    if (!read.why_none.empty() && text.find_first_of(",;") != text.npos &&
        text.find_first_of("\r\n") == text.npos)
        read.why_none += "; the text is a single line: curl -d removes line breaks, --data-binary "
                         "keeps them";
    return read;
}

}  // namespace gapless
