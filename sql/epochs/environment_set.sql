-- environment_set(p_name, p_actor) -> nothing; sets the environment that a service may insist on (gaplessd
-- --environment)
--
-- Raises GL017 unless the name is one word of up to 63 letters, digits, '.', '_' and '-'. Writes one audit
-- row.
create or replace function gapless.environment_set(p_name text, p_actor text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_before text;
begin
    if (p_name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$') is not true then
        raise exception 'the environment ''%'' is not one word of up to 63 letters, digits, '
                        '''.'', ''_'' and ''-''', p_name
            using errcode = 'GL017';
    end if;
    lock table gapless.environment in share row exclusive mode;
    select e.name into v_before from gapless.environment e;
    insert into gapless.environment (name) values (p_name)
    on conflict (only_row) do update set name = excluded.name;
    perform gapless.audit(
        p_actor => p_actor, p_action => 'environment.set', p_subject => 'database',
        p_before => to_jsonb(v_before), p_after => to_jsonb(p_name)
    );
end;
$$;
