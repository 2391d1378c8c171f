-- What surrounds a bank and is not part of it: the faults, the delivery chaos and the answers of the built-in receiver that are
-- set, by their names, ...
CREATE TABLE surroundings (
  name TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL CHECK (json_valid(value))
) STRICT;
-- ... and the last requests, calls of the control plane and deliveries to the built-in receiver: some entries in a row, as compressed
-- JSON. Snapshots and exports contain neither.
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
