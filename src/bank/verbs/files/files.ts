/**
 * The file of a record, which is uploaded to its link. A record has one file; a new upload replaces it.
 * Source: decision `uploaded-files` in docs/fidelity.md.
 */
import { refuse } from '../../kernel/refusal.ts';
import type { RefusalCode } from '../../kernel/refusals.ts';
import type { Id } from '../../kernel/sequence.ts';
import type { Dependencies } from '../dependencies.ts';
import type { UploadedFile } from '../inputs.ts';

export interface Files {
  /**
   * Stores or replaces the record's file. Refuses: what the record's `byId` refuses, `field_invalid` for an empty
   * file.
   */
  upload(id: Id, file: UploadedFile): void;
  /** Refuses: what the record's `byId` refuses, also if nothing was uploaded. */
  download(id: Id): UploadedFile;
}

/** Creates the files of one noun; `byId` finds its records or refuses. */
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
