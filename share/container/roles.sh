#!/bin/sh
# Makes the role of the service, at the first start of the database of compose.yaml. Membership in
# gapless_service comes before the migrations, which take the roles that are there.
set -eu
psql --no-psqlrc --set=ON_ERROR_STOP=1 --set=password="$GAPLESS_SERVICE_PASSWORD" \
    --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role gapless_service nologin;
create role gaplessd login password :'password' in role gapless_service;
SQL
