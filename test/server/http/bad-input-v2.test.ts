/** Every operation of v2 responds correctly to invalid input, without side effects. */
import { describeBadInput } from './bad-input.ts';

describeBadInput('v2');
