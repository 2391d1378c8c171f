/** Every operation of v1 responds correctly to invalid input, without side effects. */
import { describeBadInput } from './bad-input.ts';

describeBadInput('v1');
