/**
 * Runs before each test file. Modules are loaded once for all files of a worker, so a hook at the top of a shared
 * module would run only for the first file; in this file it runs for each.
 */
import { afterAll } from 'vitest';
import { endLeftovers } from '../server/process/support.ts';

afterAll(endLeftovers);
