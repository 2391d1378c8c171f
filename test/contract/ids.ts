/**
 * The caller who receives a record can read the records that it refers to: every id in a response is looked up in the
 * same version. Kinds without an operation for that are listed with the reason.
 */
import type { Answer, Caller } from '../server/http/support.ts';

type Version = 'v1' | 'v2';

interface Named {
  version: Version;
  id: string;
  /** Its location, for the message: `GET /v2/issuing/card fallback.id`. */
  where: string;
  /** The account and the person of the record, which are part of v1's paths of transactions and documents. */
  account: string;
  owner: string;
}

const TRANSFER_PATHS = [
  ...['intrabank', 'ach', 'wire', 'check', 'card', 'debitpush'].map((rail) => `send/${rail}`),
  ...['intrabank', 'ach', 'check', 'debitpull'].map((rail) => `receive/${rail}`),
];

/** The paths that read a record, by the prefix of its id. */
const PATHS: Readonly<Record<Version, Readonly<Record<string, (named: Named) => string[]>>>> = {
  v1: {
    per: ({ id }) => [`/v1/person/${id}`],
    bus: ({ id }) => [`/v1/business/${id}`],
    fam: ({ id }) => [`/v1/family/${id}`],
    cpw: ({ id }) => [`/v1/wallet/${id}`],
    mem: ({ id }) => [`/v1/member/${id}`],
    acc: ({ id }) => [`/v1/account/${id}`],
    con: ({ id }) => [`/v1/contact/${id}`],
    crd: ({ id }) => [`/v1/card/${id}`],
    prg: ({ id }) => [`/v1/program/${id}`],
    wbh: ({ id }) => [`/v1/webhook/${id}`],
    txn: ({ id, account }) => [`/v1/account/${account}/transaction/${id}`],
    doc: ({ id, owner }) => [
      `/v1/${owner.startsWith('bus') ? 'business' : 'person'}/${owner}/document/${id}`,
    ],
    tra: ({ id }) => TRANSFER_PATHS.map((path) => `/v1/${path}/${id}`),
  },
  v2: {
    mas: ({ id }) => [`/v2/accounts/master_account/${id}`],
    sub: ({ id }) => [`/v2/accounts/sub_account/${id}`],
    sah: ({ id }) => [`/v2/accounts/sub_account_holder/${id}`],
    ctp: ({ id }) => [`/v2/payments/counterparty/${id}`],
    cah: ({ id }) => [`/v2/issuing/card_holder/${id}`],
    crd: ({ id }) => [`/v2/issuing/card/${id}`],
    txn: ({ id }) => [`/v2/payments/transaction/${id}`],
    att: ({ id }) => [`/v2/attachment/${id}`],
    whk: ({ id }) => [`/v2/webhook/${id}`],
  },
};

/** Ids without an operation of the platform, by version and prefix. */
export const NO_PAGE: Readonly<Record<string, string>> = {
  'v1 aar': 'a question in real time, which only the client was asked',
  'v1 car': 'a question in real time, which only the client was asked',
  'v1 chd': 'card holders are records of v2',
  'v1 idv': 'a part of its person',
  'v1 kyb': 'a part of its business, read below it',
  'v1 kyc': 'a part of its person, read below it',
  'v1 shp': 'a part of its card',
  'v2 cli': 'the client itself',
  'v2 idv': 'a part of its person',
  'v2 kyb': 'a part of its business',
  'v2 kyc': 'a part of its person',
  'v2 mah': 'the client as the holder of the master account, a part of it',
  'v2 mem': 'a part of its business',
  'v2 rta': 'a question in real time, which only the client was asked',
};

const ID = /^([a-z]{3})[-_]([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
type Json = Record<string, unknown>;

/** Payment methods without a path of transfers in v1: cards, and rails that are newer than v1. */
const WITHOUT_PATH = new Set<unknown>(['card', 'rtp', 'fednow']);
/** What can be deleted and then does not exist. */
const DELETED = ['whk', 'wbh'];
const digitsOf = (id: string): string => id.slice(4).replaceAll('-', '');

export interface Ids {
  watch(caller: Caller): Caller;
  /** Reads all collected ids and returns those that cannot be read; then starts again. */
  follow(caller: Caller): Promise<string[]>;
  readonly read: Set<string>;
  readonly without: Set<string>;
}

export function createIds(): Ids {
  const named = new Map<string, Named>();
  const read = new Set<string>();
  const without = new Set<string>();
  /** Records without a path, and deleted ones: the kind in v1 and the digits. */
  const unreadable = new Set<string>();
  const collect = (value: unknown, at: Omit<Named, 'id'>): void => {
    if (Array.isArray(value)) for (const item of value) collect(item, at);
    else if (value !== null && typeof value === 'object') {
      const own = value as Json;
      if (WITHOUT_PATH.has(own.transferType)) {
        for (const id of [own.id, own.parentTransferId]) unreadable.add(`tra ${digitsOf(String(id))}`);
      }
      const account = String(own.accountId ?? at.account);
      const owner = String(own.businessId || own.personId || at.owner);
      for (const [key, item] of Object.entries(own)) {
        if (key === 'metadata') continue;
        collect(item, { ...at, where: `${at.where} ${key}`, account, owner });
      }
    } else if (typeof value === 'string' && ID.test(value)) {
      named.set(`${at.version} ${value}`, { ...at, id: value });
    }
  };
  const look = (version: Version, call: string, answer: Answer): void => {
    if (answer.status < 300 && call.startsWith('DELETE')) {
      const gone = call.slice(call.lastIndexOf('/') + 1);
      for (const prefix of DELETED) unreadable.add(`${prefix} ${digitsOf(gone)}`);
    }
    if (answer.status < 300) collect(answer.body, { version, where: call, account: '', owner: '' });
  };
  return {
    read,
    without,
    watch: (caller) => ({
      ...caller,
      async v1(method, path, body, headers) {
        const answer = await caller.v1(method, path, body, headers);
        look('v1', `${method} ${path}`, answer);
        return answer;
      },
      async v2(method, path, body, headers) {
        const answer = await caller.v2(method, path, body, headers);
        if (path.startsWith('/v2/')) look('v2', `${method} ${path}`, answer);
        return answer;
      },
    }),
    async follow(caller) {
      const lost: string[] = [];
      for (const one of named.values()) {
        const { version, id, where } = one;
        const prefix = id.slice(0, 3);
        if (unreadable.has(`${prefix} ${digitsOf(id)}`)) continue;
        const paths = PATHS[version][prefix]?.(one);
        if (paths === undefined) {
          without.add(`${version} ${prefix}`);
          continue;
        }
        const statuses: number[] = [];
        for (const path of paths) statuses.push((await caller[version]('GET', path)).status);
        if (statuses.includes(200)) read.add(`${version} ${prefix}`);
        else lost.push(`${id} of ${where}: ${statuses.join(' ')}`);
      }
      named.clear();
      return lost;
    },
  };
}
