-- The surroundings of a bank, which are not part of it. This table has the faults, the delivery chaos and the
-- configured responses of the built-in receiver, by name.
CREATE TABLE surroundings (
  name TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL CHECK (json_valid(value))
) STRICT;
-- This table has the last requests, calls of the control plane and deliveries to the built-in receiver: several entries
-- in each row, as compressed JSON. Snapshots and exports contain neither table.
CREATE TABLE journal_parts (
  tape TEXT NOT NULL CHECK (tape IN ('requests', 'calls', 'deliveries')),
  -- the number of its first entry, and of the one that follows its last
  first INTEGER NOT NULL CHECK (first >= 0),
  up_to INTEGER NOT NULL CHECK (up_to > first),
  -- of its bodies, before they were compressed
  characters INTEGER NOT NULL CHECK (characters >= 0),
  entries BLOB NOT NULL,
  PRIMARY KEY (tape, first)
) STRICT;
