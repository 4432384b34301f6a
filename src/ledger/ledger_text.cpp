#include "ledger/ledger_text.hpp"

#include "base/json_writer.hpp"
#include "base/moment.hpp"
#include "issuing/issuance_id.hpp"

#include <algorithm>

namespace gapless {

ledger_text::ledger_text(bound_format const& format, ledger_style style)
    : format_{format},
      style_{style},
      between_{style.csv.separator()},
      number_(format.length_max(), '\0')
{
}

void ledger_text::begin(std::string& out) const
{
    if (!style_.json)
        append_csv_heading(
            out,
            "number,serial,ordinal,block,issuance,reference,issued_at,state,reference_erased",
            style_.csv
        );
}

void ledger_text::begin_piece(ledger_piece const& piece)
{
    states_ = &piece.states;
    state_ = piece.states.begin();
    looked_up_ = 0;
}

void ledger_text::append(std::string& out, ledger_row const& row)
{
    prepare(row);
    auto const json = style_.json;
    auto const excel = style_.csv.excel.has_value();
    auto const of = style_.shares;
    auto const n_first = (style_.part + of - row.range.ordinal % of) % of;
    for (std::int64_t n = n_first; n < row.range.count; n += of)
    {
        out += json ? R"({"number":")" : "";
        std::string_view const number{
            number_.data(), format_.write_number(row.range.serial + n, number_.data())};
        excel ? append_csv_number(out, number, style_.csv) : void(out += number);
        out += json ? R"(","serial":")" : between_;
        if (excel)
            append_csv_number(out, std::to_string(row.range.serial + n), style_.csv);
        else
            append_decimal(out, row.range.serial + n);
        out += json ? R"(","ordinal":")" : between_;
        append_decimal(out, row.range.ordinal + n);
        out += same_;
        std::string_view const state =
            row.fate.empty() ? state_at(row.range.ordinal + n) : std::string_view{row.fate};
        if (excel && state != told_state_)
            told_as_ = to_csv_word(told_state_ = state, style_.csv);
        out += excel ? told_as_ : state;
        out += erased_;
    }
}

/// Renders what all records of a row have in common: block, issuance, reference, moment, their end.
void ledger_text::prepare(ledger_row const& row)
{
    auto const json = style_.json;
    same_ = json ? R"(","block":")" : between_;
    append_decimal(same_, row.range.block_id);
    same_ += json ? R"(","issuance":")" : between_;
    append_issuance_id(same_, row.issuance);
    same_ += json ? R"(","reference":)" : between_;
    if (row.reference && json)
        append_json_string(same_, *row.reference);
    else if (row.reference)
        append_csv_text(same_, *row.reference, {.excel = style_.csv.excel, .guessed = true});
    else if (json)
        same_ += "null";
    same_ += json ? R"(,"issued_at":")" : between_;
    append_moment(row.issued_at);
    same_ += json ? R"(","state":")" : between_;
    if (json)
        erased_ = row.reference_erased ? "\",\"reference_erased\":true}\n" : "\"}\n";
    else
        erased_ = between_ + (row.reference_erased ? to_csv_word("yes", style_.csv) : "") + '\n';
}

/// Like to_rfc3339, which costs as much as the rest of a row: many rows share a second.
void ledger_text::append_moment(database_time moment)
{
    auto const second = std::chrono::floor<std::chrono::seconds>(moment);
    if (second != second_ || moment_.empty())
        moment_ = to_rfc3339(second);
    second_ = second;
    auto rest = (moment - second).count();
    for (auto at = moment_.size() - 2; moment_[at] != '.'; --at, rest /= 10)
        moment_[at] = static_cast<char>('0' + rest % 10);
    same_ += moment_;
}

std::string_view ledger_text::state_at(std::int64_t ordinal)
{
    // Rows may overlap if numbers were issued again.
    if (ordinal < looked_up_)
        state_ = std::ranges::partition_point(*states_, [ordinal](state_range const& run) {
            return run.last_ordinal < ordinal;
        });
    looked_up_ = ordinal;
    while (state_ != states_->end() && state_->last_ordinal < ordinal)
        ++state_;
    bool const inside = state_ != states_->end() && state_->first_ordinal <= ordinal;
    return inside ? std::string_view{state_->state} : "issued";
}

}  // namespace gapless
