/**
 * Whatever is sent to whichever operation of v2, it is answered well and breaks nothing.
 */
import { describeBadInput } from './bad-input.ts';

describeBadInput('v2');
