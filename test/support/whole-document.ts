/** A served OpenAPI document with the shared responses of its operations in their places, and the decisions with their words. */
type Json = Record<string, unknown>;

interface Shared {
  readonly paths: Record<string, Record<string, Json>>;
  readonly components?: { readonly responses?: Record<string, Json>; readonly examples?: Json };
  readonly 'x-decisions'?: Record<string, Json>;
}

export function wholeDocument<T>(served: T): T {
  const document = structuredClone(served) as Shared;
  const { components: { responses: named = {} } = {}, 'x-decisions': decisions = {} } = document;
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const responses = operation.responses as Record<string, { $ref?: string }>;
    for (const [status, { $ref }] of Object.entries(responses)) {
      const name = $ref?.split('/').at(-1) ?? '';
      // The default response has no status of its own.
      if (status !== 'default' && named[name] !== undefined) responses[status] = named[name];
    }
    const slugs = operation['x-decisions'] as string[] | undefined;
    if (slugs !== undefined) operation['x-decisions'] = slugs.map((slug) => ({ slug, ...decisions[slug] }));
  }
  return document as T;
}
