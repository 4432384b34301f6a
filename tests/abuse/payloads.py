"""Texts that break what puts them together with other text: SQL, lines, JSON, shells, encodings."""

SQL = [
    "'", "''", "'''", '"', '""', "`", ";", "--", "-- ", "/*", "*/", "/**/", "\\", "\\'", "\\\\'",
    "$$", "$a$", "$1", "$2", "$0", "%s", "%L", "%I", "%1$s", ":1", ":'x'", ":a", "?", "{0}",
    "E'\\''", "' or '1'='1", "' or 1=1 --", "' or 1=1/*", "') or ('1'='1", "1 or 1=1",
    "1; select 1", "'; drop table ledger; --", "'; drop schema public cascade; --",
    "x'; truncate ledger; --", "'; update counter set next_serial = 1; --",
    "'; delete from block; --", "'; insert into token values (1); --",
    "'; select pg_sleep(10); --", "'||pg_sleep(10)||'", "' || (select version()) || '",
    "'||(select secret_hash from token)||'", "1||pg_sleep(10)", "' union select null --",
    "' union select null, null, null --", "' union all select usename --",
    "' and 1=cast(version() as int) --", "' and (select 1 from pg_sleep(5)) is not null --",
    "1) or (1=1", "1)) or ((1=1", "0x27", "char(39)", "chr(39)||chr(39)", "U&'\\0027'", "%27",
    "%2527", "'; commit; --", "'; rollback; --", "'; begin; --",
    "'; copy ledger to program 'id'; --", "'; set role postgres; --",
    "'; alter role current_user superuser; --", "';vacuum;--",
    "'; do $$ begin perform 1; end $$; --", "$$; select 1; $$", "'::int", "null", "NULL",
    "default", "current_user", "now()", "infinity", "-infinity", "epoch", "{1,2}", "{}", "[1,5)",
    "(1,2)", "{\"a\",null}", "{NULL}", "NaN", "1e400", "-1", "0", "00", "+1", "1.0", "1e3",
    "0x10", "1_000", "9223372036854775807", "9223372036854775808", "-9223372036854775809",
    "1" * 400,
]

LINES = [
    "\r\n", "\n", "\r", "a\r\nX-Evil: 1", "a\nX-Evil: 1", "a\rX-Evil: 1",
    "a\r\n\r\nHTTP/1.1 200 OK",
    "a\r\nContent-Length: 0\r\n\r\nGET /livez HTTP/1.1\r\nHost: a\r\n\r\n", "%0d%0aX-Evil:1",
    "%0a", 'a"}\n{"level":"error","event":"forged"}', "a\u2028b", "a\u2029b", "a\x85b", "a\x0bb",
    "a\x0cb", "a\r\nSet-Cookie: a=b", "\n\n\n", "a\\r\\nb", "a\\nb",
]

JSON = [
    '"', '\\"', '"}', '","admin":true,"x":"', '{"$ne":null}', '{"$gt":""}', '[]', '[1]', '{}',
    '{"a":{"a":{"a":1}}}', 'true', 'false', '"a"', '\\u0000', '\\u0022', '\\ud800', '\\x00', '\\',
    '\\\\', '</script><script>alert(1)</script>', '<img src=x onerror=alert(1)>', '<!--', ']]>',
    '&quot;', '{"__proto__":{"admin":true}}', '__proto__', 'constructor', 'toString', "{{7*7}}",
    "${7*7}", "#{7*7}", "<%= 7*7 %>", "*{7*7}", "${jndi:ldap://localhost/a}",
]

OTHERS = [
    "../../../etc/passwd", "..%2f..%2fetc%2fpasswd", "..\\..\\windows", "/etc/passwd",
    "file:///etc/passwd", "\\\\host\\share", "C:\\boot.ini", ".", "..", "...", "/", "//", "a/b",
    "a//b", "~", "*", "%", "%%", "%n", "%n%n%n%n", "%x%x%x", "%s%s%s%s%s", "%p", "%99999d", "|id",
    ";id", "&&id", "$(id)", "`id`", "a\tb", " ", "  a  ", "=1+1", "+1+1", "-1+1", "@SUM(1)",
    "=cmd|' /C calc'!A0", "*)(uid=*))(|(uid=*", "&lt;", "a&b=c", "a#b", "a?b", "a;b", "a,b",
    "--help", "-o", "-", "a" * 64, "a" * 256, "a" * 1000, "%00", "%c0%ae",
]

UNICODE = [
    "ä", "ß", "İ", "ı", "Å", "A\u030a", "\u0301", "\u200b", "\u200d", "\u202e\u0031", "\ufeff",
    "\ufffd", "\ufffe", "\uffff", "\U0001f4e6", "\U0010ffff", "\u00a0", "\u2003", "\u3000",
    "\uff07 or 1=1", "\u02bc", "\u2019 or 1=1", "\uff02", "\u037e", "\u0660\u0661",
    "\uff11\uff12", "\u00b2", "Ⅻ", "日本語", "עברית", "\U000e0041", "e\u0301" * 60,
]

CONTROLS = [f"a{chr(code)}b" for code in [*range(32), 127]]

PAYLOADS = list(dict.fromkeys(SQL + LINES + JSON + OTHERS + UNICODE + CONTROLS))
assert len(PAYLOADS) >= 200
