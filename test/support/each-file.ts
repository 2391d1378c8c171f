/**
 * Runs before each test file. Modules are loaded once for all files of a worker, so a hook at the top of a shared module
 * would belong to the first file alone; here it belongs to every one.
 */
import { afterAll } from 'vitest';
import { endLeftovers } from '../process/support.ts';

afterAll(endLeftovers);
