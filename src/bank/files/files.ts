/**
 * The file behind a record: making the record takes no file, a link to it does. There is one at a time; the next takes
 * the place of the one before.
 * Source: decision `uploaded-files` in docs/fidelity.md.
 */
import { refuse } from '../../kernel/refusal.ts';
import type { RefusalCode } from '../../kernel/refusals.ts';
import type { Id } from '../../kernel/sequence.ts';
import type { Dependencies } from '../dependencies.ts';
import type { UploadedFile } from '../inputs.ts';

export interface Files {
  /** Puts the record's file in the place of any former one. Refuses: what the record's `byId` does, `field_invalid` for no bytes. */
  upload(id: Id, file: UploadedFile): void;
  /** Refuses: what the record's `byId` does, and the same while nothing was uploaded. */
  download(id: Id): UploadedFile;
}

/** The files of one noun, whose records `byId` finds or refuses. */
export function createFiles(
  { store, clock }: Pick<Dependencies, 'store' | 'clock'>,
  byId: (id: Id) => unknown,
  missing: RefusalCode,
): Files {
  return {
    upload(id, file) {
      byId(id);
      if (file.content.length === 0) {
        throw refuse('field_invalid', {
          field: 'file',
          message: 'the file is empty: send its bytes as the body',
        });
      }
      const row = { id, ...file, updatedAt: clock.now() };
      if (store.files.byId(id) === undefined) store.files.insert(row);
      else store.files.replace(row);
    },
    download(id) {
      byId(id);
      const file = store.files.byId(id);
      if (file === undefined) throw refuse(missing, { message: 'nothing was uploaded here yet' });
      return file;
    },
  };
}
