/**
 * What the clients know: of everything that was asked for, whether it must be in a sandbox, may be, or must not be. A bank
 * can be exchanged for another image while it is asked, so an image is a map of what is in it, and where a kill leaves open
 * whether an exchange took place there are two such worlds, of which one has to fit.
 */
export type Presence = 'yes' | 'maybe';
/** What is in an image; what is not named is not in it. */
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

/** Something that was asked for once, under a tag that nothing else has. */
export interface Item {
  readonly tag: string;
  readonly sandbox: string;
  readonly kind: ItemKind;
  readonly cents: number;
  /** What the two seeded accounts get of the amount. */
  readonly first: number;
  readonly second: number;
  /** The authorization that is captured or reversed. */
  readonly of: string;
  state: 'flying' | 'acknowledged' | 'refused' | 'broken';
  /** Under way while the bank was exchanged: whatever came of it, came of one of two banks. */
  overlapped: boolean;
  /** As the bank named it. */
  id: string;
  /** Asks again, with the same key; `null` where nothing can make that harmless. */
  again: (() => Promise<void>) | null;
}

interface Stored {
  readonly worlds: readonly World[];
  /** A kill leaves open whether it is there at all. */
  readonly mayMiss: boolean;
}

export interface SandboxModel {
  worlds: World[];
  readonly snapshots: Map<string, Stored>;
  readonly flying: Set<Item>;
  /** Images that are being taken or exchanged: whoever is under way then may be in them. */
  readonly takers: Set<Set<Item>>;
  exchanging: number;
  /** The clock was moved far enough for keys to be forgotten. */
  hasMoved: boolean;
  isDamaged: boolean;
}

export interface Model {
  readonly items: Map<string, Item>;
  readonly exports: Map<string, { worlds: readonly World[]; image: Uint8Array }>;
  sandbox(name: string): SandboxModel;
  names(): string[];
  send(item: Omit<Item, 'state' | 'overlapped' | 'id' | 'again'>, again?: () => Promise<void>): Item;
  /** The same item once more, after its answer was lost. */
  resend(item: Item): void;
  settle(item: Item, outcome: 'acknowledged' | 'refused' | 'broken', id?: string): void;
  /** Begins an exchange; the result says what came of it: the image's worlds, or that nobody knows. */
  exchange(name: string): (done: 'done' | 'refused' | 'broken', image: readonly World[]) => void;
  /** Begins to take an image; the result answers the worlds that may be in it. */
  take(name: string): () => World[];
}

/** A bank of which nothing is known but its seeding. */
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
        // What was under way meanwhile may be of the new bank, or may have gone with the old one.
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
