#pragma once

#include <string_view>

// Every file that includes this is listed in gapless_failpoints_in(), which says 0 or 1.
#ifndef GAPLESS_FAILPOINTS
#error "list this file in gapless_failpoints_in() of its CMakeLists.txt"
#endif

/// Places where a test build fails on demand, and wrong behaviour it shows on demand, so that
/// tools/torture can prove what it would notice. Other builds have nothing of it.
///
/// GAPLESS_FAILPOINT=P7:kill@3 fails at the third passage of P7; several are separated by commas.
/// Actions: kill (SIGKILL to itself), stop (SIGSTOP), delay=MILLISECONDS (the whole thread), drop
/// (the connection the point is about), break (a promise: throws contract_violation). P1 to P14 are
/// the moments of one issuance in docs/torture.md. GAPLESS_SEEDED_BUG=NAME turns a bug on.
namespace gapless {

#if GAPLESS_FAILPOINTS

/// Counts a passage; true when it is the one that fails. For what has to be prepared before.
bool failpoint_due(std::string_view point) noexcept;

/// Fails as the environment says; true: drop the connection. May not return.
bool run_failpoint(std::string_view point);

/// Both of it. True: drop the connection. May not return.
inline bool pass_failpoint(std::string_view point)
{
    return failpoint_due(point) && run_failpoint(point);
}

/// True: this wrong behaviour is wanted.
bool seeded_bug(std::string_view name) noexcept;

#else

constexpr bool failpoint_due(std::string_view) noexcept
{
    return false;
}

constexpr bool run_failpoint(std::string_view) noexcept
{
    return false;
}

constexpr bool pass_failpoint(std::string_view) noexcept
{
    return false;
}

constexpr bool seeded_bug(std::string_view) noexcept
{
    return false;
}

#endif

}  // namespace gapless
