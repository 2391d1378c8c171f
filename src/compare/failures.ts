/**
 * The messages of this program when a request has no response. A recording keeps them, because they contain no data
 * of the sandbox; it replaces every other message.
 */
const FORMS = {
  timeout: 'no answer in # s',
  rateLimit: 'refused # times because of the rate limit (429)',
  notCaptured: '{#} was not captured',
  needsLonger: 'this bank needs # for it, and --patience is #',
} as const;

const VALUE = '[a-z0-9_. ]{1,80}';
const PATTERNS = Object.values(FORMS).map((form) => {
  const literals = form.split('#').map((text) => text.replace(/[{}().]/g, '\\$&'));
  return new RegExp(`^${literals.join(VALUE)}$`);
});

/** The message with its values, in order. */
export function formatFailure(name: keyof typeof FORMS, ...values: readonly (string | number)[]): string {
  const [first = '', ...others] = FORMS[name].split('#');
  return first + others.map((text, at) => `${values[at]}${text}`).join('');
}

/** Whether a message is one of the above. */
export const isOwnFailure = (message: string): boolean => PATTERNS.some((pattern) => pattern.test(message));
