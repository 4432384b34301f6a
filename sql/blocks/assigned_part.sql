-- assigned_part(p_block) -> the serials that the carrier assigned, including those issued elsewhere; inlined
create or replace function gapless.assigned_part(p_block gapless.block) returns int8range
language sql
immutable
as $$
    select int8range(coalesce(p_block.assigned_serial, p_block.first_serial), p_block.last_serial, '[]');
$$;
