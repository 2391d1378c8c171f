/**
 * Addresses with a user and a password, like `https://user:password@host/`. Every request to one sends them as basic
 * authorization, and no text that a person reads shows them. It uses only what browsers have too.
 * Source: decision `address-credentials` in docs/fidelity.md.
 */

/** The part of an address before the user, and the user with the password. */
const CREDENTIALS = /^(https?:\/\/)([^/\\?#]*)@/i;
const ANYWHERE = /(https?:\/\/)[^\s/\\?#"'`<>]*@/gi;
const HIDDEN = '***';

/** Where to send a request, and the header that carries the credentials of the address. */
export interface Target {
  /** The address without credentials, which `fetch` requires. */
  readonly url: string;
  readonly headers: { readonly authorization?: string };
}

/** Separates the credentials from an address. */
export function targetOf(address: string): Target {
  const [whole, scheme = '', user = ''] = CREDENTIALS.exec(address) ?? [];
  if (whole === undefined) return { url: address, headers: {} };
  const text = user.includes(':') ? user : `${user}:`;
  const bytes = new TextEncoder().encode(decoded(text));
  const authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`;
  return { url: scheme + address.slice(whole.length), headers: user === '' ? {} : { authorization } };
}

/** The text with `***` instead of the user and the password of each address in it. */
export function maskAddresses(text: string): string {
  return text.includes('@') ? text.replaceAll(ANYWHERE, `$1${HIDDEN}@`) : text;
}

/** A percent sign that begins no escape stands for itself, as in browsers. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
