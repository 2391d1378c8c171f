/**
 * The value types of settings: each has a description for messages, a parser, and a JSON schema for a settings file.
 */
import { isIP } from 'node:net';
import { HOST_WORDS, isNetwork } from '../../bank/delivery/receiver-hosts.ts';

/** The type of a setting: a text that follows "expected", and a parser that returns undefined for invalid values. */
export interface Taker<Value> {
  readonly expected: string;
  readonly parse: (text: string) => Value | undefined;
  /** The JSON schema for a settings file. Default: a string. */
  readonly schema?: Readonly<Record<string, unknown>>;
}

export function oneOf<Word extends string>(...words: Word[]): Taker<Word> {
  return {
    expected: `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`,
    parse: (text) => words.find((word) => word === text),
    schema: { type: 'string', enum: words },
  };
}

export function onOrOff(): Taker<boolean> {
  return {
    expected: 'on or off',
    parse: (text) => (text === 'on' ? true : text === 'off' ? false : undefined),
    schema: { enum: [true, false, 'on', 'off'] },
  };
}

export function wholeNumber(min: number, max: number): Taker<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    parse: (text) => {
      const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
    schema: { type: 'integer', minimum: min, maximum: max },
  };
}

/** A name whose last label is a number would be a mistyped IP address. */
export function isHostName(text: string): boolean {
  const labels = text.split('.');
  return labels.every((label) => /^[a-z\d](-*[a-z\d])*$/i.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '');
}

/** Host names without ports; `undefined` if an item is invalid. */
export function readHosts(text: string): readonly string[] | undefined {
  const names = text.split(',').map((name) => name.trim());
  const isGood = (name: string) => name === '*' || isIP(name) > 0 || isHostName(name.replace(/^\./, ''));
  return names.every(isGood) ? names : undefined;
}

/** Names, addresses, networks and words for receivers; `undefined` if an item is invalid. */
export function readReceiverHosts(text: string): readonly string[] | undefined {
  const hosts = text.split(',').map((host) => host.trim());
  const isGood = (host: string) =>
    HOST_WORDS.includes(host) || isNetwork(host) || isHostName(host.replace(/^\./, ''));
  return hosts.every(isGood) ? hosts : undefined;
}

export function isHttpUrl(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}

/**
 * Kubernetes sets these variables in every pod if a Service is named sandbank, and sets SANDBANK_PORT to a tcp://
 * value.
 */
const SERVICE_LINK = /^SANDBANK_(SERVICE_(HOST|PORT)(_.+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;

/** True for a variable that Kubernetes set for a Service. */
export function isServiceLink(variable: string, text: string): boolean {
  return SERVICE_LINK.test(variable) || (variable === 'SANDBANK_PORT' && /^(tcp|udp|sctp):\/\//.test(text));
}

/** Formats a value for a message. */
export function show(value: unknown): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.join(',') || 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return String(value);
}

/** Converts a value of a file to the text of a variable. */
export function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}
