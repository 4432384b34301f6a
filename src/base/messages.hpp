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

/// The German for an English sentence; nullopt: not in the catalogue.
std::optional<std::string> to_german(std::string_view english);

/// The German name of a list column; the name itself if it has no other.
std::string_view to_german_heading(std::string_view name);

/// A sentence in the requested language, if the catalogue has it.
struct told
{
    std::string text;
    bool is_foreign{};  // English, although another language was requested
};

told tell(std::string_view english, language wanted);

/// The same for each warning of a load; the catalogue has them all.
void tell(std::vector<load_warning>& warnings, language wanted);

}  // namespace gapless
