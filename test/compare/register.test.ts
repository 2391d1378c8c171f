// The decisions that a comparison confirms or contradicts, and the patch of the register, which git applies.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { problemsOf } from '../../build/data.ts';
import { howKnown, REGISTER, type RecordingProof } from '../../src/bank/model/fidelity.ts';
import { compareRuns } from '../../src/compare/compare-runs.ts';
import { formatPatch, formatRegister, proofsOf } from '../../src/compare/register.ts';
import { reportOf } from '../../src/compare/report.ts';
import type { Exchange } from '../../src/compare/transcript.ts';

const FILE = fileURLToPath(new URL('../../data/decisions.json', import.meta.url));
const DAY = '2026-11-24';

/** The register after the patch from these results. */
function patched(proofs: ReadonlyMap<string, RecordingProof>): typeof REGISTER {
  const folder = mkdtempSync(join(tmpdir(), 'register-'));
  mkdirSync(join(folder, 'data'));
  cpSync(FILE, join(folder, 'data', 'decisions.json'));
  writeFileSync(join(folder, 'register.patch'), formatPatch(proofs));
  execFileSync('git', ['apply', 'register.patch'], { cwd: folder });
  return JSON.parse(readFileSync(join(folder, 'data', 'decisions.json'), 'utf8'));
}

function run(...accounts: readonly object[]): { exchanges: Exchange[] } {
  return {
    exchanges: accounts.map((body, index) => ({
      step: `createAccount ${index + 1}`,
      operation: index === 0 ? 'createAccount' : 'v2_create_sub_account',
      request: { method: 'POST', path: index === 0 ? '/v1/account' : '/v2/accounts/sub_account' },
      answer: { status: 201, headers: {}, body },
      isSteady: true,
    })),
  };
}

function proofs(here: { exchanges: Exchange[] }, there: { exchanges: Exchange[] }) {
  const comparison = compareRuns(here, there, { sameRecords: true, lateMs: 1 });
  return proofsOf(
    reportOf(comparison, new Set(), () => ''),
    comparison,
    DAY,
  );
}

describe('a comparison', () => {
  const ours = run({ availableBalance: '1000.00' }, { available_balance: '0.00' });

  it('confirms a decision if all of its fields agree', () => {
    expect(proofs(ours, ours).get('opening-balance')).toEqual({ date: DAY, result: 'confirms' });
    const half = run({ availableBalance: '1000.00' });
    expect(proofs(half, half).get('opening-balance')).toBeUndefined();
  });

  it('contradicts a decision that explains a difference, even if other fields agree', () => {
    const theirs = run({ availableBalance: '500.00' }, { available_balance: '0.00' });
    expect([...proofs(ours, theirs)]).toEqual([['opening-balance', { date: DAY, result: 'contradicts' }]]);
  });

  it('confirms no decision about refusals, states or events', () => {
    const behaviour = /^(status|error|refusal|header|state-order|not-reached|event-)/;
    const card = { status: 'open', cardStatus: 'open', available_balance: '0.00' };
    for (const slug of proofs(run(card, card), run(card, card)).keys()) {
      const causes = REGISTER.find((row) => row.slug === slug)?.about?.causes ?? [];
      expect(causes.filter((cause) => behaviour.test(cause))).toEqual([]);
    }
  });
});

describe('the patch', () => {
  it('is created from the current text of the register', () => {
    expect(formatRegister(REGISTER)).toBe(readFileSync(FILE, 'utf8'));
  });

  it('is applied by git, and changes only its rows', () => {
    const slugs = [REGISTER[0], REGISTER[1], REGISTER[140], REGISTER.at(-1)].map((row) => row?.slug ?? '');
    const all = new Map(
      slugs.map((slug, index): [string, RecordingProof] => [
        slug,
        { date: DAY, result: index % 2 === 0 ? 'confirms' : 'contradicts' },
      ]),
    );
    const rows = patched(all);
    expect(rows.filter(({ recording }) => recording !== undefined).map(({ slug }) => slug)).toEqual(slugs);
    expect(rows.map(({ recording: _, ...row }) => row)).toEqual(
      REGISTER.map(({ recording: _, ...row }) => row),
    );
    expect(problemsOf('decisions.json', rows)).toEqual([]);
    expect(formatPatch(new Map())).toBe('');
  });

  it('is shown by the pages afterwards', () => {
    const evidence = 'inferred';
    expect(howKnown({ evidence })).toBe('inferred');
    expect(howKnown({ evidence: 'ours' })).toBe('ours');
    expect(howKnown({ evidence, recording: { date: DAY, result: 'confirms' } })).toBe(
      `inferred, recording (${DAY})`,
    );
    expect(howKnown({ evidence, recording: { date: DAY, result: 'contradicts' } })).toBe(
      `inferred, recording (${DAY}): contradicts it`,
    );
  });
});
