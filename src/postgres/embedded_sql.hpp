#pragma once

#include <span>
#include <string_view>

namespace gapless {

/// A SQL file as of build time.
struct embedded_file
{
    std::string_view name;  ///< without folder: `0001_tables.sql`
    std::string_view text;  ///< the whole file, UTF-8
};

/// The files of `migrations/`, by name, which is the order to apply them in. Never blocks.
std::span<embedded_file const> embedded_migrations();

/// The files in the rooms of `sql/`, by name, which is the order to apply them in: one function or
/// view each. Never blocks.
std::span<embedded_file const> embedded_functions();

}  // namespace gapless
