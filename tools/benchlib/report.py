# What the rounds add up to: medians and spreads, the table, and the comparison with an earlier run.
import json
import statistics

yardstick = "nextval"
titles = {
    "gapless": "gapless",
    "gapless-ordered": "gapless, keys ordered by time",
    "gapless-format": "gapless, SSCC with check digit",
    "gapless-hold": "gapless, each number held",
    "gapless-standby": "gapless, synchronous standby",
    "gapless-ledger": "gapless, large ledger",
    "gapless-ledger-ordered": "gapless, large ledger, keys ordered",
    "nextval": "nextval (has gaps)",
    "locked": "locked row and ledger",
    "serializable": "the same, serializable with retries",
    "redis": "Redis INCR, appendfsync always",
    "livez": "HTTP alone (/livez)",
}
plain_of = {"gapless-ledger-ordered": "gapless-ordered"}  # the others: gapless


def ratios(rounds, peer, clients, yardstick=yardstick):
    """The peer's rate over the yardstick's, round by round."""
    rates = {(r["round"], r["peer"]): r["rate"] for r in rounds if r["clients"] == clients}
    return [
        rate / rates[number, yardstick]
        for (number, name), rate in rates.items()
        if name == peer and (number, yardstick) in rates
    ]


def median_of(rows, *path):
    """The median of one figure, over the rows that have it; None without any."""
    values = []
    for row in rows:
        for name in path:
            row = row.get(name) if row is not None else None
        if row is not None:
            values.append(row)
    return round(statistics.median(values), 4) if values else None


def summarize(rounds):
    """One row for each peer and number of clients."""
    summary = []
    keys = list(dict.fromkeys((r["clients"], r["peer"]) for r in rounds))
    for clients, peer in sorted(keys, key=lambda key: (key[0], list(titles).index(key[1]))):
        rows = [r for r in rounds if (r["clients"], r["peer"]) == (clients, peer)]
        row = {"clients": clients, "peer": peer, "rounds": len(rows)}
        for name in ("rate", "requests_per_second", "p50_ms", "p99_ms", "mean_ms"):
            row[name] = median_of(rows, name)
        row["cpu_us"] = {
            group: median_of(rows, "cpu_us", group) for group in ("service", "postgres", "client")
        }
        for name in ("conflicts_per_second", "wal_bytes"):
            if any(name in r for r in rows):
                row[name] = median_of(rows, name)
        plain = plain_of.get(peer, "gapless")
        for name, other in (("ratio", yardstick), ("ratio_to_plain", plain)):
            found = ratios(rounds, peer, clients, other)
            if found and peer != other and (other == yardstick or peer.startswith("gapless")):
                row[name] = {
                    "median": round(statistics.median(found), 4),
                    "min": round(min(found), 4),
                    "max": round(max(found), 4),
                }
        summary.append(row)
    return summary


def text_of(value, form):
    return "–" if value is None else format(value, form)


def latency_text(row):
    if row["p50_ms"] is None:
        return f"mean {text_of(row['mean_ms'], '.2f')}"
    return f"{row['p50_ms']:.2f} / {row['p99_ms']:.2f}"


def ratio_text(row, name="ratio"):
    ratio = row.get(name)
    if not ratio:
        return "1" if row["peer"] == yardstick else "–"
    digits = ".2f" if ratio["median"] >= 0.1 else ".4f"
    low, middle, high = (format(ratio[name], digits) for name in ("min", "median", "max"))
    return f"{middle} ({low}–{high})"


def print_table(summary):
    print(
        f"\n{'clients':>7}  {'':36} {'numbers/s':>12}  {'x nextval (min–max)':22}"
        f" {'p50 / p99 ms':>15}  CPU µs: service, PostgreSQL, client"
    )
    clients = None
    for row in summary:
        if clients not in (None, row["clients"]):
            print()
        clients = row["clients"]
        cpu = ", ".join(
            text_of(used, ".1f" if used is None or used >= 1 or used == 0 else ".2g")
            for used in row["cpu_us"].values()
        )
        print(
            f"{clients:>7}  {titles[row['peer']]:36} {row['rate']:>12,.0f}"
            f"  {ratio_text(row):22} {latency_text(row):>15}  {cpu}"
        )
    for row in summary:
        if "ratio_to_plain" in row:
            print(
                f"{row['clients']:>7}  {titles[row['peer']]:36} {ratio_text(row, 'ratio_to_plain')}"
                f" x {titles[plain_of.get(row['peer'], 'gapless')]}"
            )


def print_places(result):
    """What was measured beside the peers."""
    if result["load"]["instances"] > 1:
        for row in result["summary"]:
            if "conflicts_per_second" in row:
                print(
                    f"{row['clients']:>7}  {titles[row['peer']]:36}"
                    f" {row['conflicts_per_second']:.1f} serialization conflicts a second"
                )
    ledger = result.get("ledger")
    if ledger:
        print(
            f"\nledger of {ledger['rows']:,} rows, {ledger['blocks']:,} blocks,"
            f" {ledger['series']:,} series, {ledger['bytes'] / 1e9:.1f} GB:"
            f"\nverify {rate_text(ledger['verify'])},"
            f" verify --chain {rate_text(ledger['verify_chain'])}"
        )
        first, last = (ledger["after_checkpoint"][n] for n in (0, -1))
        print(
            f"right after a checkpoint {first['rate']:,.0f}/s with {first['wal_bytes']:,.0f} bytes"
            f" of WAL a number,\nbefore the rounds {last['rate']:,.0f}/s with"
            f" {last['wal_bytes']:,.0f} bytes"
        )
    memory = result.get("memory")
    if memory:
        started, idle, issuing, most = (
            f"{memory[name] / 1024:.1f}"
            for name in ("started_kb", "idle_kb", "issuing_kb", "most_kb")
        )
        print(
            f"\nresident memory: {started} MB after the start; with {memory['connections']:,}"
            f" connections {idle} MB idle, {issuing} MB\nwhile they issue {memory['rate']:,.0f}/s;"
            f" {most} MB at most"
        )
    starts = result.get("starts")
    if starts:
        print(
            f"\nstart to the first 200 of /readyz: {starts['median_ms']:.0f} ms"
            f" ({starts['min_ms']:.0f}–{starts['max_ms']:.0f}, {len(starts['each_ms'])} starts),"
            f" {starts['cpu_ms']:.0f} ms of CPU"
        )


def rate_text(rates):
    millions = rates["rows_per_second"] / 1e6
    return f"{millions:.2f} million rows/s ({rates['cpu_us']:.2f} µs of CPU a row)"


def print_proofs(rounds):
    proofs = [r["proof"] for r in rounds if "proof" in r]
    if not proofs:
        return
    unanswered = [proof["unanswered"] for proof in proofs]
    cut_off = "Some" if None in unanswered else f"{sum(unanswered):,}"
    issuances, answers, repeated = (
        sum(proof[name] for proof in proofs) for name in ("issuances", "answers", "repeated")
    )
    print(
        f"\nAfter each of {len(proofs)} measurements the ledger was gapless: verify clean,"
        f" {issuances:,} issuances\nfor {answers:,} answers, all 2xx, {repeated:,} of the requests"
        f" repeats. {cut_off} issuances have no answer:\nrequests on their way when the load ended,"
        " at most one for each client."
    )


def differences(result, file, margin):
    """Compares with an earlier result -> what fell short, in words; None when nothing compares."""
    earlier = json.loads(file.read_text())
    if earlier["load"] != result["load"]:
        return None
    now = {(r["clients"], r["peer"]): r for r in result["summary"] if "ratio" in r}
    rows_now, rows_then = (of.get("ledger", {}).get("rows") for of in (result, earlier))
    short, compared = [], 0
    for before in earlier["summary"]:
        row = now.get((before["clients"], before["peer"]))
        if not row or "ratio" not in before or not before["peer"].startswith("gapless"):
            continue
        if before["peer"].startswith("gapless-ledger") and rows_now != rows_then:
            continue
        compared += 1
        least = before["ratio"]["median"] * (1 - margin)
        if row["ratio"]["median"] < least:
            short.append(
                f"{titles[row['peer']]}, {row['clients']} clients: {row['ratio']['median']:.3f}"
                f" x nextval, was {before['ratio']['median']:.3f} on {earlier['date'][:10]};"
                f" {least:.3f} would do"
            )
    return short if compared else None
