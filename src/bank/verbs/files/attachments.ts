/**
 * Attachments: files of a record of any kind in `ATTACHABLE`. Every record shows its attachments, so the bank caches
 * which records have had one: a new payment needs no query.
 * Source: decision `attachment-subjects` in docs/fidelity.md.
 */
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { on } from '../../model/conditions.ts';
import type { Attachment } from '../../model/records.ts';
import type { Page, Window } from '../../store/lists.ts';
import type { Dependencies } from '../dependencies.ts';
import type { NewAttachment } from '../inputs.ts';
import { createFiles, type Files } from './files.ts';

export interface Attachments extends Files {
  /** Refuses: the `..._not_found` of the record. */
  create(input: NewAttachment): Attachment;
  /** Refuses: `attachment_not_found`, also for a deleted one. */
  byId(id: Id): Attachment;
  /** All except deleted ones, newest first. */
  list(window: Window): Page<Attachment>;
  /** Refuses: `attachment_not_found`. */
  remove(id: Id): void;
  /** The attachments of a record, newest first. */
  of(referenceId: Id): readonly Attachment[];
}

const PRESENT = on('deletedAt', { isNull: true });
/** Lets SQLite use the index of the entries in the master account. */
const ENTRY = on('masterTotals', { isSet: true });
const NONE: readonly Attachment[] = [];

/** The verbs of attachments. */
export function createAttachments(dependencies: Dependencies): Attachments {
  const { store, sequence, clock, program } = dependencies;
  /**
   * The records that have had an attachment, and possibly more, because a rolled-back creation stays. `undefined`
   * until the first use.
   */
  let referenceIds: Set<Id> | undefined;

  const byId = (id: Id): Attachment => {
    const attachment = store.attachments.byId(id);
    if (attachment === undefined || attachment.deletedAt !== null) throw refuse('attachment_not_found');
    return attachment;
  };

  const exists: Readonly<Record<Attachment['kind'], (id: Id) => boolean>> = {
    holder: (id) => store.holders.byId(id) !== undefined,
    account: (id) => store.accounts.byId(id) !== undefined,
    master_account: (id) => id === program.masterAccountId,
    card_holder: (id) => store.cardHolders.byId(id) !== undefined,
    card: (id) => store.cards.byId(id) !== undefined,
    counterparty: (id) => store.counterparties.byId(id) !== undefined,
    // Its own id, or that of its entry in the master account.
    transaction: (id) =>
      store.transactions.byId(id) !== undefined ||
      store.transactions.inMaster.total([ENTRY, on('masterId', { is: id })]) > 0,
  };

  return {
    ...createFiles(dependencies, byId, 'attachment_not_found'),
    byId,
    create({ kind, referenceId, label }) {
      if (!exists[kind](referenceId)) throw refuse(`${kind}_not_found`);
      const now = clock.now();
      const attachment: Attachment = {
        id: sequence.id(now),
        kind,
        referenceId,
        label: label ?? '',
        createdAt: now,
        deletedAt: null,
      };
      store.attachments.insert(attachment);
      referenceIds?.add(referenceId);
      return attachment;
    },
    list: (window) => store.attachments.list.page([PRESENT], window),
    remove(id) {
      store.attachments.replace({ ...byId(id), deletedAt: clock.now() });
    },
    of(referenceId) {
      referenceIds ??= new Set(store.attachments.list.all([]).map((attachment) => attachment.referenceId));
      if (!referenceIds.has(referenceId)) return NONE;
      return store.attachments.list.all([on('referenceId', { is: referenceId }), PRESENT]);
    },
  };
}
