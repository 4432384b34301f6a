#pragma once

#include "base/refusal.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// German texts for people. Sentences are written in English where they arise, in C++ and in SQL;
/// the catalogue finds them by their English words, as gettext does, and fills in their
/// placeholders. A sentence without an entry stays English and is marked as English.
namespace gapless {

enum class language : std::uint8_t
{
    english = 1,
    german,
};

/// The German for an English sentence; none: the catalogue has none.
std::optional<std::string> to_german(std::string_view english);

/// What a column of a list is called in German; the name itself where it has no other.
std::string_view to_german_heading(std::string_view name);

/// A sentence in that language, if there is one.
struct told
{
    std::string text;
    bool is_foreign{};  // English, where another language was asked for
};

told tell(std::string_view english, language wanted);

/// The same for each warning of a load; the catalogue has all of them.
void tell(std::vector<load_warning>& warnings, language wanted);

}  // namespace gapless
