/**
 * The headers of the pages for people: a page loads scripts, styles and data only from this server, has no inline
 * scripts or styles, and cannot be framed. Its icon is a `data:` URL.
 */

/** The policy of a page with text only: it may load nothing. */
const TEXT_POLICY = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
} as const;

/** The headers of a page with this content security policy. */
export function headersWith(policy: Readonly<Record<string, string>>): Record<string, string> {
  return {
    'content-security-policy': Object.entries({ ...TEXT_POLICY, ...policy })
      .map(([what, from]) => `${what} ${from}`)
      .join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };
}

/** The headers of a page with text only. */
export const TEXT_PAGE_HEADERS: Readonly<Record<string, string>> = headersWith({});

/** The headers of a page with the style sheet of the documentation and no script. */
export const STYLED_PAGE_HEADERS: Readonly<Record<string, string>> = headersWith({
  'style-src': "'self'",
  'img-src': 'data:',
});

/** The headers of the documentation. The search is a form. */
export const DOCUMENTATION_HEADERS: Readonly<Record<string, string>> = headersWith({
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'form-action': "'self'",
});

/** The headers of a drawing, which has its own styles. */
export const DRAWING_HEADERS: Readonly<Record<string, string>> = headersWith({
  'style-src': "'unsafe-inline'",
});
