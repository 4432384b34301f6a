#pragma once

#include "proof/seal_store.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

/// Anchors: the last links of the hash chains, stored where nobody who can write to the database
/// can change them. One JSON object per line:
///   {"database":"…","epoch":"1","series":"dhl-paket","link":"12","ordinal":"4711","turn":"0",
///    "event":"17","hash":"…","sealed_at":"…"}
namespace gapless::cli {

/// A line of a file of anchors, without its end.
std::string to_anchor(seal_head const& head);

/// Appends text and waits until it is on the disk. Completes a last line that was cut off, as by a
/// crash, first. Throws command_failed, and leaves no half line where the disk is full.
void append_durably(std::string const& file, std::string const& text);

/// An anchor, as read from a file.
struct anchor
{
    std::string place;  // "anchors.jsonl:12"
    seal_head head;
};

/// Receives what is wrong with a line, as a finding.
using anchor_fault_taker = std::function<void(finding const&)>;

/// Reads a file of anchors, or standard input ("-"), without repeated and empty lines. Lines that
/// are not anchors go to `take` instead. Throws command_failed (usage) for a file that cannot be
/// read or is empty.
std::vector<anchor> read_anchors(std::string const& file, anchor_fault_taker const& take);

/// The input of gapless.verify_anchors.
std::string to_json_text(std::span<anchor const> anchors);

}  // namespace gapless::cli
