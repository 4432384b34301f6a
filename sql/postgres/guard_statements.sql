-- guard_statements(p_kind, p_place, p_name, p_definition, p_present) -> the statements that restore a
-- constraint or index as it was noted, in order
--
-- Run each statement in its own transaction. They do not block writers while they read rows: a unique index
-- is created concurrently, a check or foreign key is validated afterwards. Exclusion and deferrable
-- constraints cannot be created that way.
create or replace function gapless.guard_statements(
    p_kind text, p_place text, p_name text, p_definition text, p_present boolean
)
returns text[]
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    select case
    when p_kind = 'index' then array[
        format('drop index concurrently if exists gapless.%I', p_name),
        regexp_replace(p_definition, ' INDEX ', ' INDEX CONCURRENTLY ')]
    when p_kind <> 'constraint' then '{}'
    else
        case
            when p_present then array[format('alter table gapless.%I drop constraint %I', p_place, p_name)]
            else '{}'
            end
        || case
        when p_definition ~ '^(CHECK|FOREIGN KEY) ' then array[
            format('alter table gapless.%I add constraint %I %s not valid', p_place, p_name, p_definition),
            format('alter table gapless.%I validate constraint %I', p_place, p_name)]
        when p_definition ~ '^(PRIMARY KEY|UNIQUE) \([^)]*\)$' then array[
            format('drop index concurrently if exists gapless.%I', p_name), -- left from a failed attempt
            format(
                'create unique index concurrently %I on gapless.%I %s', p_name, p_place,
                substring(p_definition from '\(.*\)')
            ),
            format('alter table gapless.%I add constraint %I %s using index %I', p_place, p_name,
                   substring(p_definition from '^(PRIMARY KEY|UNIQUE)'), p_name)]
        else array[format('alter table gapless.%I add constraint %I %s', p_place, p_name, p_definition)]
        end
    end;
$$;
