-- In v1 the ownership of the first member of a business is empty until it is set, which differs from an ownership of
-- zero.
CREATE TABLE members_with_or_without_part (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
  holder_id TEXT REFERENCES holders (id),
  family_id TEXT REFERENCES families (id),
  person TEXT NOT NULL CHECK (json_valid(person)),
  kyc TEXT NOT NULL CHECK (json_valid(kyc)),
  idv TEXT NOT NULL CHECK (json_valid(idv)),
  ownership INTEGER CHECK (ownership BETWEEN 0 AND 10000),
  title TEXT NOT NULL,
  designation TEXT NOT NULL,
  control_person INTEGER NOT NULL CHECK (control_person IN (0, 1)),
  person_id TEXT NOT NULL,
  metadata TEXT CHECK (metadata IS NULL OR json_valid(metadata)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK ((holder_id IS NULL) <> (family_id IS NULL))
) STRICT, WITHOUT ROWID;
INSERT INTO members_with_or_without_part
  SELECT id, holder_id, family_id, person, kyc, idv, ownership, title, designation, control_person, person_id, metadata,
    created_at, updated_at FROM members;
DROP TABLE members;
ALTER TABLE members_with_or_without_part RENAME TO members;
CREATE INDEX members_by_holder ON members (holder_id, id) WHERE holder_id IS NOT NULL;
CREATE INDEX members_by_family ON members (family_id, id) WHERE family_id IS NOT NULL;
CREATE INDEX members_by_person ON members (person_id, id) WHERE person_id <> '';
