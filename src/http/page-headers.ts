/**
 * The headers of pages for people. Such a page takes scripts, styles and answers from this server alone and stands in no
 * page of anybody else's, so that nothing that comes to be written on it can act in its name. No script stands in a page
 * itself. Swagger UI shows its own icons as `data:`, and its filter boxes are forms that send nothing.
 */
const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** Of the pages at `/docs`. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = headersWith(POLICY);

/** Of a page that holds text and nothing else. */
export const TEXT_PAGE_HEADERS: Readonly<Record<string, string>> = headersWith({
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
});

function headersWith(policy: Readonly<Record<string, string>>): Record<string, string> {
  return {
    'content-security-policy': Object.entries(policy)
      .map(([what, from]) => `${what} ${from}`)
      .join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };
}
