/**
 * Signed links to the files behind records: whoever holds one may take the file (GET) and give it (PUT), as with the
 * platform's object store.
 * Source: rows 45 and 202 of docs/fidelity.md.
 */
import { parseId, spellV1, spellV2 } from '../dialects/identifiers.ts';
import { refuse } from '../kernel/refusal.ts';
import type { Id } from '../kernel/sequence.ts';
import { SECOND_MS } from '../kernel/time.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { openLink, type Seal, sealLink } from './signed-links.ts';

/** The records that have files behind them: the generation that has such records, and how long a link lives. */
const FILE_KINDS = {
  document: { dialect: 'v1', seconds: 900 },
  attachment: { dialect: 'v2', seconds: 300 },
} as const;

export type FileKind = keyof typeof FILE_KINDS;

/** What a link names. */
export interface FilePlace {
  readonly kind: FileKind;
  readonly id: Id;
}

/** A fresh link to the file of a record. */
export function fileLink(sandbox: Sandbox, baseUrl: string, place: FilePlace): string {
  const { kind, id } = place;
  const { dialect, seconds } = FILE_KINDS[kind];
  const name = dialect === 'v1' ? spellV1(kind, id) : spellV2(kind, id);
  const seal = sealLink(sandbox, subjectOf(place), sandbox.clock.now() + seconds * SECOND_MS);
  return `${baseUrl}/_sandbox/files/${sandbox.name}/${name}?${seal}`;
}

/** What a link names. Refuses: `link_unknown` for a link that we did not make, `link_expired`. */
export function readFileLink(
  sandbox: Sandbox | undefined,
  name: string,
  seal: Seal,
): FilePlace & { readonly sandbox: Sandbox } {
  const place = placeOf(name);
  if (sandbox === undefined || place === undefined) throw refuse('link_unknown');
  openLink(sandbox, subjectOf(place), seal);
  return { ...place, sandbox };
}

/** The generation in whose words a link that does not open says so; v1 where it names nothing. */
export function dialectOfLink(name: string): 'v1' | 'v2' {
  return FILE_KINDS[placeOf(name)?.kind ?? 'document'].dialect;
}

function placeOf(name: string): FilePlace | undefined {
  for (const kind of Object.keys(FILE_KINDS) as FileKind[]) {
    const id = parseId(kind, name);
    if (id !== undefined) return { kind, id };
  }
  return undefined;
}

function subjectOf({ kind, id }: FilePlace): string {
  return `${kind}/${id}`;
}
