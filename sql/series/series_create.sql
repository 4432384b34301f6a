-- series_create(p_name, p_carrier, p_space, p_format, p_params, p_on_release, p_on_expiry, p_low_water,
-- p_actor, p_reuse_after, p_program, p_reserve_numbers) -> series id
--
-- Creates a series without blocks, and its carrier if it is new. Null means the default: space = carrier,
-- format plain, no parameters, on_release reissue, on_expiry void, no low water mark, no reserve. Raises
-- GL014 if the name is taken, GL017 if a value breaks a rule. Needs scope admin and a token for every series
-- (GL003, GL004: gapless.require_scope, gapless.require_reach). Writes one audit row. Locks one row of
-- gapless.fence_order, which few other sessions share.
create or replace function gapless.series_create(
    p_name text, p_carrier text, p_space text, p_format text, p_params jsonb,
    p_on_release text, p_on_expiry text, p_low_water bigint, p_actor text,
    p_reuse_after text default null,
    p_program jsonb default '{"head":"","tail":"","width_min":1,"width_max":19,"base":10,"check":null}',
    p_reserve_numbers bigint default null
)
returns integer
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_series_id  integer;
    v_constraint text;
    v_arrived    bigint;
begin
    p_actor := gapless.require_scope('admin', null, p_actor);
    perform gapless.require_reach(null, array[p_name]);
    -- Waits for a fence that is being raised (gapless.lock_fence_order). Both write this row, so at
    -- REPEATABLE READ and above, where the other's commit would be invisible, PostgreSQL raises 40001. Each
    -- session uses one of the rows, so that many can create series at the same time.
    update gapless.fence_order o set changes = o.changes + 1 where o.place = 1 + pg_backend_pid() % 16;
    if exists (select from gapless.series s where s.name = p_name) then
        raise exception 'there is a series % already', quote_literal(p_name) using errcode = 'GL014';
    end if;

    insert into gapless.carrier (code) values (p_carrier) on conflict do nothing;
    insert into gapless.series (
        name, carrier, space, format, params, on_release, on_expiry, low_water, reuse_after, program,
        reserve_numbers
    )
    values (
        p_name, p_carrier, coalesce(p_space, p_carrier), coalesce(p_format, 'plain'),
        coalesce(p_params, '{}'), coalesce(p_on_release, 'reissue'), coalesce(p_on_expiry, 'void'),
        p_low_water, gapless.read_span(p_reuse_after), p_program, p_reserve_numbers
    )
    returning series_id into v_series_id;
    insert into gapless.counter (series_id, epoch, fenced)
    select v_series_id, e.epoch, exists (select from gapless.fence f where f.epoch = e.epoch)
    from gapless.epoch e order by e.epoch desc limit 1;
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, 1, 'counter');
    insert into gapless.tally (series_id) values (v_series_id);
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, 1, 'tally');

    perform gapless.audit(
        p_actor => p_actor, p_action => 'series.create', p_subject => p_name, p_before => null,
        p_after => (select to_jsonb(s) from gapless.series s where s.series_id = v_series_id)
    );
    return v_series_id;
exception
    when unique_violation then -- somebody else has created it meanwhile
        raise exception 'there is a series % already', quote_literal(p_name) using errcode = 'GL014';
    when check_violation or not_null_violation then
        get stacked diagnostics v_constraint = constraint_name;
        raise exception 'series %: %', quote_nullable(p_name),
            coalesce(
                case v_constraint when 'series_name_is_a_slug' then
                    'a name has 1 to 63 characters of a-z, 0-9, ., _ and -, a letter or digit first'
                when 'carrier_code_is_short_and_printable' then
                    'a carrier''s code has 1 to 63 characters of A-Z, a-z, 0-9, ., _, - and blank, a letter '
                    'or digit first and no blank last'
                when 'space_is_short_and_printable' then
                    'a space has 1 to 127 characters of A-Z, a-z, 0-9, ., _, :, - and blank, a letter or '
                    'digit first and no blank last'
                else
                    nullif(replace(v_constraint, '_', ' '), '')
                end,
                'a value is missing'
            )
            using errcode = 'GL017';
end;
$$;
