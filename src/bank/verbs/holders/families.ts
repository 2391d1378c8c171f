/**
 * Families of v1: several persons who share accounts. Only the members of a family are verified. v2 has no families.
 * Source: the family object of the platform's v1 reference; decision `family-changes` in docs/fidelity.md.
 */
import type { Id } from '../../kernel/sequence.ts';
import { on } from '../../model/conditions.ts';
import { FAMILY_FILTERS, type FamilyCondition } from '../../model/filters.ts';
import type { Family } from '../../model/records.ts';
import type { Page, Window } from '../../store/lists.ts';
import type { Dependencies } from '../dependencies.ts';
import type { FamilyChange, NewFamily } from '../inputs.ts';
import { mergeMetadata } from '../metadata.ts';
import { changed, createNoun } from '../noun.ts';

export interface Families {
  /** Refuses: `metadata_too_large`. */
  create(input: NewFamily): Family;
  /** Refuses: `family_not_found`. */
  byId(id: Id): Family;
  /** Absent fields stay. Refuses: `family_not_found`, `metadata_too_large`. */
  change(id: Id, change: FamilyChange): Family;
  list(where: readonly FamilyCondition[], window: Window): Page<Family>;
  /** The families that a person created or is a member of. */
  idsOfPerson(personId: Id): Id[];
}

/** The verbs of families. */
export function createFamilies(dependencies: Dependencies): Families {
  const { store, sequence, clock } = dependencies;
  const noun = createNoun(dependencies, {
    resource: 'family',
    rows: store.families,
    filters: FAMILY_FILTERS,
    show: (family) => family,
  });

  return {
    byId: noun.byId,
    list: noun.list,

    idsOfPerson(personId) {
      const made = store.families.list.all([on('createdBy', { is: personId })]).map(({ id }) => id);
      const joined = store.members.list
        .all([on('personId', { is: personId })])
        .flatMap(({ familyId }) => familyId ?? []);
      return [...new Set([...made, ...joined])];
    },

    create(input) {
      const now = clock.now();
      return noun.add({
        id: sequence.id(now),
        name: input.name,
        phone: input.phone ?? '',
        email: input.email ?? '',
        address: input.address ?? null,
        metadata: mergeMetadata(null, input.metadata),
        status: 'activated',
        createdBy: input.createdBy ?? '',
        createdAt: now,
        updatedAt: now,
      });
    },

    change: (id, change) => noun.put(changed(noun.row(id), change, clock.now()), 'updated'),
  };
}
