/**
 * The views in which the responses of each version show the record of a fact, with the resource of the fact. The
 * formats are in `src/bank/api`; the names are stored in the database.
 */
export const VIEWS = {
  v1: {
    account: 'account',
    business: 'holder',
    card: 'card',
    contact: 'counterparty',
    family: 'family',
    member: 'member',
    person: 'holder',
    transaction: 'transaction',
    transfer: 'transaction',
    wallet: 'wallet',
  },
  v2: {
    account: 'account',
    card: 'card',
    card_holder: 'card_holder',
    counterparty: 'counterparty',
    holder: 'holder',
    transaction: 'transaction',
  },
} as const;

export type ViewName = keyof (typeof VIEWS)['v1'] | keyof (typeof VIEWS)['v2'];

export const VIEW_NAMES = [...new Set(Object.values(VIEWS).flatMap(Object.keys))] as readonly ViewName[];
