/**
 * Checks a seed document before anything is seeded: every name is defined once and before its use, every amount is
 * valid. An error has the path of its value in the file.
 */
import { MAX_CENTS, parseMoney } from '../../bank/kernel/money.ts';
import { type Refusal, refuse } from '../../bank/kernel/refusal.ts';
import { parseInstant } from '../../bank/kernel/time.ts';
import type { SeedDocument } from './seed-document.ts';

/** The lists of a document, in the order in which they are loaded. */
export const SECTIONS = [
  'persons',
  'businesses',
  'accounts',
  'counterparties',
  'card_holders',
  'cards',
  'families',
  'memberships',
  'documents',
  'attachments',
  'transfers',
  'incoming',
  'tokens',
  'wallets',
] as const satisfies (keyof SeedDocument)[];
export type Section = (typeof SECTIONS)[number];
type Entry<S extends Section> = NonNullable<SeedDocument[S]>[number];

/** Hundredths of a percent. */
const WHOLE = 10_000;

/** Throws the first error of a document with the right shape. Refuses: `field_invalid` with the path. */
export function checkDocument(document: SeedDocument): void {
  checkNames(document);
  document.businesses.forEach(({ members }, index) => {
    members.forEach(({ ownership }, of) => {
      const path = `businesses.${index}.members.${of}.ownership`;
      const expected = 'a percentage from "0.00" to "100.00"';
      checkAmount(ownership, path, expected, WHOLE);
    });
  });
  document.memberships?.forEach(({ ownership = '0.00' }, index) => {
    const path = `memberships.${index}.ownership`;
    checkAmount(ownership, path, 'a percentage from "0.00" to "100.00"', WHOLE);
  });
  document.accounts.forEach(({ funded }, index) => {
    const expected = 'an amount like "12.50", or "0.00" for nothing';
    checkAmount(funded, `accounts.${index}.funded`, expected, MAX_CENTS);
  });
  for (const section of ['transfers', 'incoming'] as const) {
    document[section]?.forEach(({ amount }, index) => {
      checkAmount(amount, `${section}.${index}.amount`, 'an amount like "12.50"', MAX_CENTS);
    });
  }
  document.tokens?.forEach(({ expires_at: text }, index) => {
    if (parseInstant(text) !== undefined) return;
    const problem = `is ${JSON.stringify(text)}; expected an instant like 2099-12-31T00:00:00Z`;
    throw wrong(`tokens.${index}.expires_at`, problem);
  });
}

/**
 * Wraps the lists of a document so that `at` returns the path of the entry that was read last. A loader therefore
 * need not track its position for the error message of a refusal.
 */
export function watchEntries(document: SeedDocument): { document: SeedDocument; at(): string } {
  let last = '';
  const watch = <T>(section: Section, entries: T[]): T[] =>
    Object.defineProperty([...entries], Symbol.iterator, {
      value: function* () {
        for (const [index, entry] of entries.entries()) {
          last = `${section}.${index}`;
          yield entry;
        }
      },
    });
  const lists = Object.fromEntries(
    SECTIONS.flatMap((section) => {
      const entries = document[section] as unknown[] | undefined;
      return entries === undefined ? [] : [[section, watch(section, entries)]];
    }),
  );
  return { document: { ...document, ...lists }, at: () => last };
}

function checkNames(document: SeedDocument): void {
  const made = new Map<string, Section | 'members'>();
  const requireName = (name: string, sections: readonly (Section | 'members')[], path: string): void => {
    const section = made.get(name);
    if (section !== undefined && sections.includes(section)) return;
    const known = [...made].filter(([, of]) => sections.includes(of)).map(([known]) => known);
    const choice = known.length === 0 ? 'there are none' : `there are: ${known.slice(0, 20).join(', ')}`;
    throw wrong(path, `names ${JSON.stringify(name)}, which is not in ${sections.join(' or ')}; ${choice}`);
  };
  const add = (name: string, section: Section | 'members', path: string): void => {
    const other = made.get(name);
    if (other !== undefined) {
      const problem = `is ${JSON.stringify(name)}, which is already used in ${other}; each name must be unique`;
      throw wrong(`${path}.as`, problem);
    }
    made.set(name, section);
  };
  const checks: { [S in Section]?: (entry: Entry<S>, path: string) => void } = {
    businesses: ({ members }, path) => {
      members.forEach(({ as }, index) => {
        if (as !== undefined) add(as, 'members', `${path}.members.${index}`);
      });
    },
    accounts: ({ holder }, path) => requireName(holder, ['persons', 'businesses'], `${path}.holder`),
    counterparties: ({ account, intra_account: intra }, path) => {
      requireName(account, ['accounts'], `${path}.account`);
      if (intra !== undefined) requireName(intra, ['accounts'], `${path}.intra_account`);
    },
    card_holders: ({ account, person }, path) => {
      requireName(account, ['accounts'], `${path}.account`);
      requireName(person, ['persons'], `${path}.person`);
    },
    cards: ({ card_holder: cardHolder }, path) =>
      requireName(cardHolder, ['card_holders'], `${path}.card_holder`),
    families: ({ created_by: createdBy }, path) => requireName(createdBy, ['persons'], `${path}.created_by`),
    memberships: ({ of, person }, path) => {
      requireName(of, ['businesses', 'families'], `${path}.of`);
      requireName(person, ['persons'], `${path}.person`);
    },
    documents: ({ holder }, path) => requireName(holder, ['persons', 'businesses'], `${path}.holder`),
    attachments: ({ account }, path) => requireName(account, ['accounts'], `${path}.account`),
    transfers: ({ account, counterparty }, path) => {
      requireName(account, ['accounts'], `${path}.account`);
      requireName(counterparty, ['counterparties'], `${path}.counterparty`);
    },
    incoming: ({ account }, path) => {
      if (account !== undefined) requireName(account, ['accounts'], `${path}.account`);
    },
    wallets: ({ account }, path) => requireName(account, ['accounts'], `${path}.account`),
    tokens: ({ opens, of }, path) =>
      requireName(of, opens === 'set_debit_card' ? ['counterparties'] : ['cards'], `${path}.of`),
  };
  for (const section of SECTIONS) {
    const check = checks[section] as ((entry: { as: string }, path: string) => void) | undefined;
    document[section]?.forEach((entry, index) => {
      const path = `${section}.${index}`;
      check?.(entry, path);
      add(entry.as, section, path);
    });
  }
}

function checkAmount(text: string, path: string, expected: string, max: number): void {
  const amount = parseMoney(text);
  if (amount !== undefined && amount <= max) return;
  throw wrong(path, `is ${JSON.stringify(text)}; expected ${expected}`);
}

function wrong(field: string, problem: string): Refusal {
  return refuse('field_invalid', { field, message: `${field} ${problem}` });
}
