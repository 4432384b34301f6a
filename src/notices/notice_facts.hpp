#pragma once

#include "notices/notice.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

/// The facts from which notices are worded; notice_sentences.cpp has the words.
namespace gapless {

/// A notice with its parsed data.
class notice_facts
{
public:
    notice_facts(notice_record const& told, nlohmann::ordered_json const& data)
        : told_{told},
          data_{data}
    {
    }

    notice_record const& told() const noexcept { return told_; }

    /// The series, or "?" if the notice has none.
    std::string series() const { return told_.series.value_or("?"); }

    /// A member as text, numbers included; "?" if it is missing.
    std::string text(std::string const& member) const;

    /// A member that is a day, "2026-11-20"; nullopt if it is missing.
    std::optional<std::chrono::sys_days> day(char const* member) const;

    /// The year in which it happened.
    std::chrono::year year() const { return std::chrono::year_month_day{told_.day}.year(); }

private:
    notice_record const& told_;
    nlohmann::ordered_json const& data_;
};

/// One sentence, without a full stop: "dhl-paket: 41,200 remaining, …". For a kind that this
/// program does not know: the kind itself.
std::string to_english(notice_facts const& facts);
std::string to_german(notice_facts const& facts);

}  // namespace gapless
