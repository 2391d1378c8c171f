-- A webhook names the API version of its events as every other table, field and option does.
ALTER TABLE webhooks RENAME COLUMN dialect TO api_version;
