#pragma once

#include <boost/describe.hpp>
#include <boost/mp11/algorithm.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

/// A record is a plain struct followed by a list of its fields, each with a line of text for
/// people:
///
///     struct carrier
///     {
///         std::string code;
///         bounded<0, 365> lead_days;
///     };
///     GAPLESS_RECORD(
///         carrier,
///         (),
///         (code, "Code of the carrier."),
///         (lead_days, "Calendar days from ordering a block to receiving it.")
///     )
///
/// The second argument lists base records; their fields come first. JSON, database rows, request
/// bodies, table columns, command-line options and OpenAPI schemas are all derived from this list.
/// Leaving a field out is a compile error.
namespace gapless {

/// Text and presentation of a field.
struct note
{
    std::string_view text;       // one sentence for OpenAPI and the reference page
    std::string_view option{};   // command-line spelling: "--kind", or "URL" for a positional
                                 // argument; empty: derived from the field's name
    std::string_view value{};    // what --help calls its value; empty: the name in capitals
    std::string_view help{};     // what --help says of it; empty: `text`
    std::string_view example{};  // as JSON, for OpenAPI
    bool in_table{true};         // false: shown in JSON, CSV and details, but not in tables
    bool number{};               // a text that a table aligns as a number
    bool is_column{true};        // false: shown in JSON only
    bool spread{};               // a record: each of its fields is a column
    bool in_file{};      // a secret: the command line takes the name of a file that holds it, or -
    bool takes_span{};   // a moment for which the command line also takes 30d or 12h from now
    bool takes_owner{};  // the command line takes it alone, or behind the field before: [SERIES] ID
    bool is_option{true};          // false: the command line does not set it
    std::string_view null_word{};  // what the command line takes for null; empty: nothing
    std::span<std::string_view const> choices{};  // all it takes; empty: anything
};

#define GAPLESS_RECORD(record, bases, ...)                                                         \
    BOOST_DESCRIBE_STRUCT(record, bases, (GAPLESS_EACH(GAPLESS_RECORD_NAME, __VA_ARGS__)))         \
    static_assert(::gapless::detail::lists_all_fields<record>, "a field is not listed");           \
    [[maybe_unused]] constexpr std::string_view struct_name(record const*)                         \
    {                                                                                              \
        return #record;                                                                            \
    }                                                                                              \
    [[maybe_unused]] constexpr auto own_notes(record const*)                                       \
    {                                                                                              \
        return std::array{GAPLESS_EACH(GAPLESS_RECORD_NOTE, __VA_ARGS__)};                         \
    }
#define GAPLESS_RECORD_NAME(name, ...) name
#define GAPLESS_RECORD_NOTE(name, ...)                                                             \
    ::gapless::note                                                                                \
    {                                                                                              \
        .text = __VA_ARGS__                                                                        \
    }

// GAPLESS_EACH(macro, (a, …), (b, …)) expands to macro(a, …), macro(b, …). At most 52 rows, as in
// Boost.Describe.
#define GAPLESS_EACH(macro, ...) GAPLESS_SCAN(GAPLESS_EACH_ROW(macro, __VA_ARGS__))
#define GAPLESS_EACH_ROW(macro, row, ...)                                                          \
    macro row __VA_OPT__(, GAPLESS_EACH_NEXT GAPLESS_NOTHING()()(macro, __VA_ARGS__))
#define GAPLESS_EACH_NEXT() GAPLESS_EACH_ROW
#define GAPLESS_NOTHING()
#define GAPLESS_SCAN(...)                                                                          \
    GAPLESS_SCAN_2(GAPLESS_SCAN_2(GAPLESS_SCAN_2(GAPLESS_SCAN_2(__VA_ARGS__))))
#define GAPLESS_SCAN_2(...) GAPLESS_SCAN_3(GAPLESS_SCAN_3(GAPLESS_SCAN_3(__VA_ARGS__)))
#define GAPLESS_SCAN_3(...) GAPLESS_SCAN_4(GAPLESS_SCAN_4(GAPLESS_SCAN_4(__VA_ARGS__)))
#define GAPLESS_SCAN_4(...) __VA_ARGS__

namespace detail {

namespace describe = boost::describe;

template <class Record>
using own_members = describe::describe_members<Record, describe::mod_public>;
template <class Record>
using all_members =
    describe::describe_members<Record, describe::mod_public | describe::mod_inherited>;

struct anything
{
    template <class T>
    operator T() const;
};

template <class Record, std::size_t... n>
constexpr bool has_parts(std::index_sequence<n...>)
{
    return requires
    {
        Record{(static_cast<void>(n), anything{})...};
    };
}

/// True if the list is complete: aggregate initialization accepts no further value.
template <class Record>
inline constexpr bool lists_all_fields = [] {
    constexpr auto listed =
        boost::mp11::mp_size<own_members<Record>>::value +
        boost::mp11::mp_size<describe::describe_bases<Record, describe::mod_any_access>>::value;
    return has_parts<Record>(std::make_index_sequence<listed>{}) &&
           !has_parts<Record>(std::make_index_sequence<listed + 1>{});
}();

/// The notes of all fields, bases first.
template <class Record>
constexpr auto collect_notes()
{
    constexpr Record const* none = nullptr;
    std::array<note, boost::mp11::mp_size<all_members<Record>>::value> notes{};
    auto* next = notes.begin();
    boost::mp11::mp_for_each<describe::describe_bases<Record, describe::mod_any_access>>(
        [&](auto base) {
            for (auto const& each : collect_notes<typename decltype(base)::type>())
                *next++ = each;
        }
    );
    for (auto const& each : own_notes(none))
        *next++ = each;
    return notes;
}

template <class Record>
inline constexpr auto notes = collect_notes<Record>();

}  // namespace detail

template <class T>
concept record = requires
{
    own_notes(static_cast<T const*>(nullptr));
};

template <record Record>
inline constexpr std::size_t field_count = boost::mp11::mp_size<detail::all_members<Record>>::value;

/// The name of a record's struct, "webhook_draft".
template <record Record>
inline constexpr std::string_view name_of_record = struct_name(static_cast<Record const*>(nullptr));

/// The n-th field of a record.
template <record Record, std::size_t n>
struct field
{
    using member = boost::mp11::mp_at_c<detail::all_members<Record>, n>;
    using type = std::remove_cvref_t<decltype(std::declval<Record&>().*member::pointer)>;

    static constexpr std::size_t place = n;
    static constexpr std::string_view name{member::name};
    static constexpr gapless::note note{detail::notes<Record>[n]};

    static constexpr auto& of(Record& whole) { return whole.*member::pointer; }
    static constexpr auto const& of(Record const& whole) { return whole.*member::pointer; }
};

/// Calls use(field<Record, n>{}) for each field, in order.
template <record Record, class Use>
constexpr void for_each_field(Use&& use)
{
    [&]<std::size_t... n>(std::index_sequence<n...>)
    {
        (use(field<Record, n>{}), ...);
    }
    (std::make_index_sequence<field_count<Record>>{});
}

/// Returns an array of make(field<Record, n>{}) for each field.
template <record Record, class Make>
constexpr auto map_fields(Make make)
{
    return [&]<std::size_t... n>(std::index_sequence<n...>)
    {
        return std::array{make(field<Record, n>{})...};
    }
    (std::make_index_sequence<field_count<Record>>{});
}

/// name_of(&webhook::url) is "url".
template <record Record, class Value>
constexpr std::string_view name_of(Value Record::*member)
{
    std::string_view found;
    for_each_field<Record>([&](auto each) {
        if constexpr (std::same_as<decltype(decltype(each)::member::pointer), Value Record::*const>)
            if (decltype(each)::member::pointer == member)
                found = each.name;
    });
    return found;
}

/// An enumeration with BOOST_DESCRIBE_ENUM; its enumerators are spelled as in C++.
template <class Enum>
concept described_enum = boost::describe::has_describe_enumerators<Enum>::value;

}  // namespace gapless
