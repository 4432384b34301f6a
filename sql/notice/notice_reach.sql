-- notice_reach(p_token_ids, p_secret_hashes) -> which notices these tokens see, one row each
--
-- Of the tokens that are in force, have scope read and the secret of that hash (element k of both arrays);
-- one that has no row sees nothing any more. series: null for every series. whole: notices that concern no
-- series, too. For the streams of an instance, whose tokens may be revoked while they last.
create or replace function gapless.notice_reach(p_token_ids integer[], p_secret_hashes bytea[])
returns table (token_id integer, series text[], whole boolean)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select distinct on (t.token_id) t.token_id, t.series, t.series is null and 'admin' = any (t.scopes)
    from unnest(p_token_ids, p_secret_hashes) as a (token_id, secret_hash)
    join gapless.token t on t.token_id = a.token_id and t.secret_hash = a.secret_hash
    where t.revoked_at is null and (t.expires_at is null or t.expires_at > now()) and 'read' = any (t.scopes)
    order by t.token_id;
$$;
