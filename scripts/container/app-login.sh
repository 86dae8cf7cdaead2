#!/bin/sh
# Creates the server's login in a new database. It owns nothing, so that it cannot change the event log.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set password="$APP_PASSWORD" <<'SQL'
create role lintel login password :'password';
SQL
