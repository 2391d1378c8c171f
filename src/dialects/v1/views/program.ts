/**
 * The program, with what this bank knows of it. A sandbox has one, and it is always active.
 * Source: row 205 of docs/fidelity.md, because the platform publishes no fields.
 */
import type { Static } from '@sinclair/typebox';
import type { Program } from '../../../model/records.ts';
import { spellV1 } from '../../identifiers.ts';
import type { Program as ProgramShape } from '../shapes/program.ts';

/** A program. */
export function viewProgram(program: Program): Static<typeof ProgramShape> {
  return {
    id: spellV1('program', program.programId),
    name: program.name,
    status: 'active',
    env: 'test',
    sponsorBankName: program.sponsorBank,
    routingNumber: program.routingNumber,
  };
}
