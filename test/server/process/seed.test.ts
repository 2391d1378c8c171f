/** The seed file of SANDBANK_SEED_FILE: the initial records of new sandboxes, and the refusal of an invalid file. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { launch, makeFolder, type Settings, startBank, stop, within } from './support.ts';

const SHOP = fileURLToPath(new URL('../../../examples/seed/shop.json', import.meta.url));
const ALICE = { 'api-key': 'test_other' };

type Bank = Awaited<ReturnType<typeof startBank>>;
type Edit = (document: Record<string, Record<string, unknown>[]>) => void;

async function namesOf(bank: Bank, headers: Settings = {}): Promise<Record<string, string>> {
  return (await bank.v2('GET', '/_sandbox', undefined, headers)).body.names as Record<string, string>;
}

async function balanceOf(bank: Bank, id: string | undefined, headers: Settings = {}): Promise<unknown> {
  return (await bank.v2('GET', `/v2/accounts/sub_account/${id}`, undefined, headers)).body.available_balance;
}

/** The example with a change, in a separate folder. */
function edited(edit: Edit): string {
  const document = JSON.parse(readFileSync(SHOP, 'utf8')) as Parameters<Edit>[0];
  edit(document);
  const path = join(makeFolder(), 'bad.json');
  writeFileSync(path, JSON.stringify(document));
  return path;
}

async function refusal(seedFile: string): Promise<string> {
  const data = join(makeFolder(), 'data');
  const { ended } = launch({ SANDBANK_SEED_FILE: seedFile, SANDBANK_DATA: data });
  const { code, stdout, stderr } = await within(30_000, 'the refusal', ended);
  expect([code, stdout]).toEqual([1, '']);
  expect(() => readdirSync(data), 'nothing is left behind').toThrow('ENOENT');
  return stderr;
}

it('every sandbox starts with the records of the file, under their names, and a reset restores them', async () => {
  const bank = await startBank({ SANDBANK_SEED_FILE: SHOP });
  for (const headers of [{}, ALICE]) {
    const names = await namesOf(bank, headers);
    expect(Object.keys(names).toSorted()).toEqual([
      'alice',
      'alice_card',
      'alice_cards',
      'alice_checking',
      'alice_savings',
      'bakery',
      'flour',
    ]);
    expect(await balanceOf(bank, names.alice_checking, headers)).toBe('237.50');
  }
  const { alice: id } = await namesOf(bank);
  await bank.v2('POST', '/_sandbox/reset');
  expect((await namesOf(bank)).alice).toBe(id);
  expect((await stop(bank)).stdout).toContain('"alice_checking":"sub_');
});

it('a restart keeps the data directory; a new sandbox starts with the file', async () => {
  const data = makeFolder();
  const first = await startBank({ SANDBANK_DATA: data });
  const before = await namesOf(first);
  await stop(first);
  const folder = makeFolder();
  copyFileSync(SHOP, join(folder, 'shop.json'));
  const second = await startBank({ SANDBANK_DATA: data, SANDBANK_SEED_FILE: folder });
  expect(await namesOf(second)).toEqual(before);
  expect(await namesOf(second, ALICE)).toHaveProperty('bakery');
  await second.v2('POST', '/_sandbox/reset');
  expect(await namesOf(second)).toEqual(before);
  // An event that does not exist in this bank is created from the default records.
  const example = await second.v2('GET', '/openapi/v1.json');
  expect(example.status).toBe(200);
});

it('a folder without a file has no effect', async () => {
  const bank = await startBank({ SANDBANK_SEED_FILE: makeFolder() });
  expect(await namesOf(bank)).toHaveProperty('person');
});

it('an invalid file is refused with its name and the position of the error', async () => {
  const folder = makeFolder();
  copyFileSync(SHOP, join(folder, 'a.json'));
  copyFileSync(SHOP, join(folder, 'b.json'));
  const text = join(makeFolder(), 'text.json');
  writeFileSync(text, '{"persons": ');
  const cases: [string, string][] = [
    [join(folder, 'none.json'), 'none.json cannot be read'],
    [folder, 'more than one seed file (a.json, b.json)'],
    [text, 'text.json is not JSON'],
    [
      edited(({ persons }) => delete persons?.[0]?.email),
      'bad.json cannot be used: persons.0.email is required',
    ],
    [
      edited(({ persons }) => Object.assign(persons?.[0] ?? {}, { first_name: 'Ada \ud83d' })),
      'persons.0.first_name has half of a surrogate pair',
    ],
    [edited(({ cards }) => Object.assign(cards?.[0] ?? {}, { colour: 'red' })), 'colour is unknown'],
    [
      edited(({ accounts }) => Object.assign(accounts?.[0] ?? {}, { holder: 'bob' })),
      'accounts.0.holder names "bob"',
    ],
    [edited(({ transfers }) => Object.assign(transfers?.[0] ?? {}, { amount: '999.00' })), 'transfers.0'],
  ];
  const said = await Promise.all(cases.map(async ([path, words]) => [await refusal(path), path, words]));
  for (const [stderr, path, words] of said) {
    expect(stderr).toContain(words);
    expect(stderr).toContain(path);
    expect(stderr).toContain('SANDBANK_SEED_FILE');
  }
});

it.each([
  ['a device', () => '/dev/zero'],
  [
    'a pipe',
    () => {
      const path = join(makeFolder(), 'pipe');
      execFileSync('mkfifo', [path]);
      return path;
    },
  ],
])('%s is refused immediately', async (_, make) => {
  const path = make();
  expect(await refusal(path)).toContain(`the seed file ${path} is not a regular file`);
});

it('a file that is too large is refused before it is read', async () => {
  const path = join(makeFolder(), 'large.json');
  writeFileSync(path, '');
  truncateSync(path, 3 * 1024 ** 3);
  expect(await refusal(path)).toContain(`the seed file ${path} has 3221225472 bytes, and the maximum is`);
});

it('a file may start with a byte order mark', async () => {
  const path = join(makeFolder(), 'marked.json');
  writeFileSync(path, `\uFEFF${readFileSync(SHOP, 'utf8')}`);
  const bank = await startBank({ SANDBANK_SEED_FILE: path });
  expect(await namesOf(bank)).toHaveProperty('alice');
  await stop(bank);
});
