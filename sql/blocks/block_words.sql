-- block_words(p_block_id, p_series, p_first, p_last) -> how a refusal or warning names a loaded block
--
-- For a token that is limited to series of other names, that series does not exist.
create or replace function gapless.block_words(
    p_block_id integer, p_series text, p_first text, p_last text
)
returns text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    if p_series <> all ((gapless.acting_token()).series) then
        return 'a block of another series';
    end if;
    return format('block %s of series %L (%s…%s)', p_block_id, p_series, p_first, p_last);
end;
$$;
