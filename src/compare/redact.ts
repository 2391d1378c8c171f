/**
 * Redacts a transcript: names, numbers, addresses, tokens and keys are removed. It works with an allow list:
 * documented words, flags, amounts, times, codes and counts are kept, and every other text is replaced by a pseudonym
 * of its sort.
 */

import { V1_KINDS, V2_KINDS } from '../bank/model/facts.ts';
import { isOwnFailure } from './failures.ts';
import { formOf, isIdForm, isTimeForm } from './forms.ts';
import { OPERATIONS } from './operations.ts';
import { createPseudonyms, type Pseudonyms, type Sort } from './pseudonyms.ts';
import type { EventWait, Exchange, ReceivedAnswer, SentRequest, Transcript } from './transcript.ts';

/** The sort of a field by the end of its name, in lower case and without underscores. The first match applies. */
const SORTS: readonly (readonly [RegExp, Sort])[] = [
  [
    /^(firstname|middlename|lastname|legalname|dba|cardholdername|businessname|sendername|name|counterpartyname|initiatedbypersonname|subaccountholdername|label|title)$/,
    'name',
  ],
  [/email$/, 'email'],
  [/phone$/, 'phone'],
  [/^(dateofbirth|dob|formationdate|expirationdate)$/, 'date'],
  [/^idnumber$/, 'idNumber'],
  [/routingnumber$/, 'routing'],
  [/^(cardnumber|pan)$/, 'card'],
  [/^iban$/, 'iban'],
  [/^(identifiercode|bankidentifiercode|bic|swift\w*)$/, 'bic'],
  [/^line[12]$/, 'street'],
  [/city$/, 'city'],
  [/^(state|merchantstate|issuingstate)$/, 'state'],
  [/postalcode$/, 'postalCode'],
  [/^(front|back|image)$/, 'image'],
  [/(token|secret|key|signature|nonce|devicecert|cert|password|authorization)$/, 'token'],
  [/(accountnumber|tracenumber|last4|number|imad|omad|pin|cvv|idnumberlast4|ssn|ein)$/, 'digits'],
];

/** Fields whose digits are counts or codes of a published list. */
const COUNTS =
  /^(limit|offset|total|count|maxspendcount|sequence|radius|latitude|longitude|status|year|month|expirymonth|expiryyear|merchantcategorycode|mcc|naicscode|categories|allowedcategories|blockedcategories|code|expiresin|ownership|minownership|hasmore|currency|\w*rate|\w*percent\w*)$/;
const SHORT_WORDS = /^(true|false|[A-Z]{2}|[A-Z]{3}|usd)$/;
const CODES = /^(ERROR_CODE|EC)_[A-Z0-9_]{2,60}$/;
const RETURN_CODE = /^R\d\d$/;
/** The enum values of all documented fields. */
const WORDS = new Set(
  OPERATIONS.flatMap(({ response, body, query }) =>
    [response, body, query].flatMap((shape) => wordsIn(shape)),
  ),
);
const KINDS: ReadonlySet<string> = new Set([...V1_KINDS, ...V2_KINDS]);
/** The request headers that are redacted like a field. */
const HEADERS = /^(sd-person-id|sd-show-token|sd-pin-token|sd-debitcard-token|show-token)$/;
/** Headers of scenarios that try a wrong key. */
const KEY_HEADERS = /^(sd-)?api-key$/;
const WRONG_KEY = 'no-such-key';
const FIXED_SEGMENTS = new Set(
  OPERATIONS.flatMap(({ path }) => path.split('/').filter((part) => !part.startsWith(':'))),
);
/** Objects whose keys a client chooses. */
const FREE_KEYS = /^metadata$/;
const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]{0,40}$/;

function wordsIn(shape: unknown): string[] {
  if (typeof shape !== 'object' || shape === null) return [];
  const { enum: words = [] } = shape as { enum?: unknown[] };
  const own = words.filter((word) => typeof word === 'string');
  return [...own, ...Object.values(shape).flatMap((inner) => (inner === words ? [] : wordsIn(inner)))];
}

/** Redacts a transcript so that it can be shared. */
export function redact(transcript: Transcript): Transcript {
  const names = createPseudonyms();
  const { exchanges, events } = transcript;
  return {
    exchanges: exchanges.map((exchange) => redactExchange(names, exchange)),
    ...(events !== undefined && { events: events.map((wait) => redactWait(names, wait)) }),
  };
}

function redactExchange(names: Pseudonyms, exchange: Exchange): Exchange {
  const { step, operation, request, answer, failure, states, field, isReached, ignore, isSteady } = exchange;
  return {
    step: PLAIN_STEP.test(step) ? step : names.of('text', step),
    operation: isKnown(operation) ? operation : redactOperation(names, operation),
    request: redactRequest(names, request),
    ...(answer !== undefined && { answer: redactAnswer(names, answer) }),
    ...(failure !== undefined && { failure: isOwnFailure(failure) ? failure : 'no answer' }),
    ...(states !== undefined && { states: states.map((state) => redactText(names, 'status', state)) }),
    ...(field !== undefined && { field }),
    ...(isReached !== undefined && { isReached }),
    ...(ignore !== undefined && { ignore }),
    ...(isSteady !== undefined && { isSteady }),
  };
}

const PLAIN_STEP = /^[A-Za-z0-9][\w/-]{0,80} \d{1,6}$/;

const IDS = new Set(OPERATIONS.map(({ id }) => id));
const isKnown = (operation: string): boolean => IDS.has(operation);

function redactOperation(names: Pseudonyms, operation: string): string {
  const [method = '', path = ''] = operation.split(' ');
  return `${/^[A-Z]{3,7}$/.test(method) ? method : 'GET'} ${redactPath(names, path)}`;
}

function redactRequest(names: Pseudonyms, { method, path, query, headers, body }: SentRequest): SentRequest {
  return {
    method: /^[A-Z]{3,7}$/.test(method) ? method : 'GET',
    path: redactPath(names, path),
    ...(query !== undefined && { query: redactValue(names, '', query) as Record<string, string> }),
    ...(headers !== undefined && { headers: redactHeaders(names, headers) }),
    ...(body !== undefined && { body: redactValue(names, '', body) }),
  };
}

function redactPath(names: Pseudonyms, path: string): string {
  return path
    .split('/')
    .map((part) => (FIXED_SEGMENTS.has(part) || /^\d{1,4}$/.test(part) ? part : redactSegment(names, part)))
    .join('/');
}

function redactSegment(names: Pseudonyms, part: string): string {
  return isIdForm(formOf(part)) ? names.of('id', part) : names.of('token', part);
}

function redactHeaders(names: Pseudonyms, headers: Readonly<Record<string, string>>): Record<string, string> {
  const all = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const kept = all.filter(([name]) => HEADERS.test(name) || KEY_HEADERS.test(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, KEY_HEADERS.test(name) ? WRONG_KEY : redactText(names, name, value)]),
  );
}

function redactAnswer(names: Pseudonyms, { status, headers, body }: ReceivedAnswer): ReceivedAnswer {
  return {
    status,
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => answerHeader(names, name, value)),
    ),
    // A file may contain anything.
    body: typeof body === 'string' ? names.of('text', body) : redactValue(names, '', body),
  };
}

function answerHeader(names: Pseudonyms, name: string, value: string): [string, string][] {
  switch (name) {
    case 'content-type':
      return /^[a-z]+\/[a-z0-9.+-]+(; ?charset=[a-z0-9-]+)?$/i.test(value)
        ? [[name, value]]
        : [[name, 'text/plain']];
    case 'content-disposition':
      return [[name, 'attachment']];
    case 'retry-after':
      return [[name, /^\d{1,5}$/.test(value) ? value : '1']];
    case 'location':
      return [[name, names.of('link', value)]];
    case 'x-request-id':
      return [[name, redactSegment(names, value)]];
    default:
      return [];
  }
}

function redactWait(
  names: Pseudonyms,
  { step, event, about, operation, received, isReached, afterMs }: EventWait,
): EventWait {
  return {
    step: PLAIN_STEP.test(step) ? step : names.of('text', step),
    event: redactKind(names, event),
    about: redactText(names, 'id', about),
    operation: isKnown(operation) ? operation : '',
    received: received.map(({ type, body }) => ({
      type: redactKind(names, type),
      body: redactValue(names, '', body),
    })),
    isReached,
    afterMs: Math.round(afterMs),
  };
}

const redactKind = (names: Pseudonyms, kind: string): string =>
  KINDS.has(kind) ? kind : names.of('text', kind);

/** Redacts a value. */
function redactValue(names: Pseudonyms, name: string, value: unknown): unknown {
  if (typeof value === 'string') return redactText(names, name, value);
  if (typeof value === 'number') return redactNumber(names, name, value);
  if (Array.isArray(value)) return value.map((item) => redactValue(names, name, item));
  if (typeof value !== 'object' || value === null) return value;
  const hasFreeKeys = FREE_KEYS.test(name);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isPlain = !hasFreeKeys && PLAIN_KEY.test(key) && !/\d{5}/.test(key);
      return [isPlain ? key : names.of('token', key), redactValue(names, hasFreeKeys ? 'text' : key, inner)];
    }),
  );
}

/** Redacts a number unless it is a count or an amount; a long number may identify something. */
function redactNumber(names: Pseudonyms, name: string, value: number): number {
  const isPlain = COUNTS.test(plain(name)) || (sortOf(name) === undefined && Math.abs(value) < 100_000);
  return isPlain ? value : Number(names.of('digits', String(Math.trunc(Math.abs(value)))));
}

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[_\-[\]]/g, '')
    .replace(/^sd/, '');

function sortOf(name: string, form = 'date'): Sort | undefined {
  const bare = plain(name);
  const sort = SORTS.find(([pattern]) => pattern.test(bare))?.[1];
  // The result of a check has the name of the checked field.
  return sort === 'date' && form !== 'date' ? undefined : sort;
}

function redactText(names: Pseudonyms, name: string, text: string): string {
  if (text === '') return text;
  const form = formOf(text);
  if (isIdForm(form)) return names.of('id', text);
  const isCount = COUNTS.test(plain(name));
  const sort = isCount ? undefined : sortOf(name, form);
  if (sort !== undefined) return names.of(sortFor(sort, text), text);
  if (isTimeForm(form) || form === 'date' || form === 'amount') return text;
  if (form === 'email' || form === 'phone' || form === 'link') return names.of(form, text);
  if (form === 'digits' || form === 'decimal')
    return isCount && text.length <= (form === 'decimal' ? 12 : 6)
      ? text
      : names.of('digits', text.replaceAll(/\D/g, ''));
  if (SHORT_WORDS.test(text) || WORDS.has(text) || KINDS.has(text)) return text;
  if (CODES.test(text) || RETURN_CODE.test(text)) return text;
  return names.of('text', text);
}

/** The sort of a numeric field whose value is not numeric. */
function sortFor(sort: Sort, text: string): Sort {
  const isMasked = /^[*xX•\d -]+$/.test(text) && /[*xX•]/.test(text);
  if (isMasked && ['digits', 'card', 'idNumber'].includes(sort)) return 'masked';
  if (sort === 'digits' && !/^\d+$/.test(text)) return 'token';
  if (sort === 'idNumber' && !/^\d+$/.test(text)) return 'digits';
  return sort;
}
