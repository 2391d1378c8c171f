/**
 * Puts secrets in place of those that a bank was seeded with. It happens once to every new sandbox, so it is written as
 * SQL: to prepare the statements of the rows would take longer than all of it.
 */
import type { Connection } from './open.ts';

/** A text and what comes in its place. */
export interface Replaced {
  readonly from: string;
  readonly to: string;
}

/** What was changed meanwhile stays as it is, and so does a token whose new text is taken. */
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
