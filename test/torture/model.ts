/**
 * The expected contents of the sandboxes: whether each requested item must, may or must not exist. A bank can be replaced
 * by another image during a request, so an image is a map of the items in it. If a kill leaves it open whether a bank was
 * replaced, there are two such worlds, and one of them must match.
 */
type Presence = 'yes' | 'maybe';
/** The items in an image by tag; an item that is missing here must not exist. */
export type World = Map<string, Presence>;

export type ItemKind =
  | 'payment'
  | 'declined'
  | 'authorization'
  | 'capture'
  | 'reversal'
  | 'holder'
  | 'account'
  | 'contact';

/** An item that was requested once, with a unique tag. */
export interface Item {
  readonly tag: string;
  readonly sandbox: string;
  readonly kind: ItemKind;
  readonly cents: number;
  /** The factors of the amount on the two seeded accounts: 1, -1 or 0. */
  readonly first: number;
  readonly second: number;
  /** The authorization that is captured or reversed. */
  readonly of: string;
  state: 'flying' | 'acknowledged' | 'refused' | 'broken';
  /** Whether the bank was replaced during its request, so that either bank may have executed it. */
  overlapped: boolean;
  /** From the response. */
  id: string;
  /** Sends the request again with the same key; `null` for a request without a key. */
  again: (() => Promise<void>) | null;
}

interface Stored {
  readonly worlds: readonly World[];
  /** Whether a kill leaves it open if it exists. */
  readonly mayMiss: boolean;
}

interface SandboxModel {
  worlds: World[];
  readonly snapshots: Map<string, Stored>;
  readonly flying: Set<Item>;
  /** For each image that is being created or replaced, the items whose requests run meanwhile: they may be in it. */
  readonly takers: Set<Set<Item>>;
  exchanging: number;
  /** Whether the clock was moved so far that idempotency keys may have expired. */
  hasMoved: boolean;
  isDamaged: boolean;
}

export interface Model {
  readonly items: Map<string, Item>;
  readonly exports: Map<string, { worlds: readonly World[]; image: Uint8Array }>;
  sandbox(name: string): SandboxModel;
  names(): string[];
  send(item: Omit<Item, 'state' | 'overlapped' | 'id' | 'again'>, again?: () => Promise<void>): Item;
  /** The request of an item is sent again, after its response was lost. */
  resend(item: Item): void;
  settle(item: Item, outcome: 'acknowledged' | 'refused' | 'broken', id?: string): void;
  /** Begins to replace the bank. Call the result with the outcome and the possible contents of the image. */
  exchange(name: string): (done: 'done' | 'refused' | 'broken', image: readonly World[]) => void;
  /** Begins to create an image; the result returns its possible contents. */
  take(name: string): () => World[];
}

/** The model of a server whose sandboxes have only their seed. */
export function createModel(): Model {
  const sandboxes = new Map<string, SandboxModel>();
  const items = new Map<string, Item>();
  const sandbox = (name: string): SandboxModel => {
    const found = sandboxes.get(name) ?? {
      worlds: [new Map()],
      snapshots: new Map(),
      flying: new Set(),
      takers: new Set(),
      exchanging: 0,
      hasMoved: false,
      isDamaged: false,
    };
    sandboxes.set(name, found);
    return found;
  };
  const fly = (item: Item): void => {
    const own = sandbox(item.sandbox);
    item.state = 'flying';
    if (own.exchanging > 0) item.overlapped = true;
    own.flying.add(item);
    for (const taker of own.takers) taker.add(item);
  };

  return {
    items,
    exports: new Map(),
    sandbox,
    names: () => [...sandboxes.keys()],
    send(request, again) {
      const item: Item = { ...request, state: 'flying', overlapped: false, id: '', again: again ?? null };
      items.set(item.tag, item);
      fly(item);
      return item;
    },
    resend(item) {
      item.overlapped = false;
      fly(item);
    },
    settle(item, outcome, id) {
      const own = sandbox(item.sandbox);
      own.flying.delete(item);
      item.state = outcome;
      if (id !== undefined) item.id = id;
      if (outcome === 'refused') return;
      const isCertain = outcome === 'acknowledged' && !item.overlapped;
      for (const world of own.worlds) {
        if (isCertain) world.set(item.tag, 'yes');
        else if (world.get(item.tag) !== 'yes' || item.overlapped) world.set(item.tag, 'maybe');
      }
    },
    exchange(name) {
      const own = sandbox(name);
      own.exchanging += 1;
      for (const item of own.flying) item.overlapped = true;
      const met = new Set(own.flying);
      own.takers.add(met);
      return (done, image) => {
        own.exchanging -= 1;
        own.takers.delete(met);
        if (done === 'refused') return;
        // Concurrent requests may have reached the new bank, or the old one.
        const since = new Map<string, Presence>();
        for (const item of met)
          if (own.worlds.some((world) => world.has(item.tag))) since.set(item.tag, 'maybe');
        const next = image.map((world): World => new Map([...since, ...world]));
        own.worlds = done === 'done' ? next : [...own.worlds, ...next];
      };
    },
    take(name) {
      const own = sandbox(name);
      const before = own.worlds.map((world): World => new Map(world));
      const open = new Set(own.flying);
      own.takers.add(open);
      return () => {
        own.takers.delete(open);
        for (const world of before)
          for (const item of open) if (!world.has(item.tag)) world.set(item.tag, 'maybe');
        return before;
      };
    },
  };
}
