-- verify_rest(p_chunk, p_numbers) -> findings: numbers of a chunk whose history leads to a state that no
-- record, or no event, confirms (gapless.verify_events)
create or replace function gapless.verify_rest(p_chunk bigint, p_numbers bytea) returns jsonb
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
    if length(ltrim(p_numbers, 'iux')) = 0 then
        return '[]';
    end if;
    return (
        select coalesce(
            jsonb_agg(
                gapless.finding(format('ordinal %s', p_chunk * gapless.chunk_size() + k.at - 1), k.what)
            ),
            '[]'
        )
        from (
            select position(l.letter in p_numbers) as at, l.what
            from (
                values ('c'::bytea, 'its hold says confirmed, its history does not'),
                       ('r', 'its hold says released, its history does not'),
                       ('e', 'its hold says expired, its history does not'),
                       ('h', 'the history does not lead to the state held there'),
                       ('f', 'the history does not lead to the state free there'),
                       ('p', 'the history does not lead to the state printed there'),
                       ('v', 'the history does not lead to the state voided there'),
                       ('m', 'the history does not lead to the state manifested there'),
                       ('t', 'the history does not lead to the state returned there')
            ) l (letter, what)
        ) k
        where k.at > 0
    );
end;
$$;
