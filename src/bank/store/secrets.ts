/**
 * Replaces the secrets with which a bank was seeded. This runs once for every new sandbox, so it is plain SQL:
 * preparing the statements of the rows would take longer.
 */
import type { Connection } from './open.ts';

/** A text and its replacement. */
export interface Replaced {
  readonly from: string;
  readonly to: string;
}

/** Values that were changed since the seeding are kept, and so is a token whose new text is already used. */
export function replaceSecrets(
  { sqlite }: Pick<Connection, 'sqlite'>,
  webhook: Replaced & { readonly id: string },
  tokens: readonly Replaced[],
): void {
  sqlite
    .prepare('UPDATE webhooks SET secret = @to WHERE id = @id AND secret = @from')
    .run({ id: webhook.id, from: webhook.from, to: webhook.to });
  const rename = sqlite.prepare('UPDATE OR IGNORE tokens SET token = @to WHERE token = @from');
  for (const { from, to } of tokens) rename.run({ from, to });
}
