/**
 * Business data of v1 outside of the record: the projections, and the ownership disclosure, which is signed at a
 * link. A link is valid for five minutes of the sandbox's clock, and a new link invalidates earlier ones. A
 * verification requires neither, unless a setting requires the disclosure.
 * Source: "submit business projections" and "business ownership disclosure" of the platform's v1 reference; decisions
 * `business-projections`, `ownership-disclosure` and `v1-kyb-not-needed` in docs/fidelity.md.
 */
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { type Instant, MINUTE_MS } from '../../kernel/time.ts';
import type { BusinessProfile, Holder, OwnershipDisclosure } from '../../model/records.ts';
import type { Dependencies } from '../dependencies.ts';
import type { DisclosureFile } from '../inputs.ts';
import { touching } from './changes.ts';

export interface BusinessProfiles {
  /** Refuses: `holder_not_found`, also for a person. */
  byId(id: Id): BusinessProfile;
  /** Replaces the projections. Refuses: `holder_not_found`, `projection_locked` once the KYB was decided. */
  project(id: Id, projection: Record<string, unknown>): BusinessProfile;
  /**
   * Begins or continues the disclosure: a valid link stays unless a new one is requested. A signed disclosure stays
   * signed until it is regenerated. Refuses: `holder_not_found`.
   */
  disclose(id: Id, input: { redirectUri: string; regenerate: boolean }): DisclosureFile;
  /** Refuses: `holder_not_found`, also for a person. */
  disclosureOf(id: Id): DisclosureFile;
  /** Refuses: `disclosure_missing` unless the disclosure is signed. */
  requireSigned(id: Id): void;
  /**
   * Signs the disclosure; signing again has no effect. Refuses: `holder_not_found`, `link_expired` for a link that is
   * not the current one.
   */
  sign(id: Id, generation: number): OwnershipDisclosure;
}

const LINK_MS = 5 * MINUTE_MS;
const DECIDED = new Set<Holder['verification']['status']>(['pass', 'fail']);

/** The verbs of business profiles. */
export function createBusinessProfiles(dependencies: Dependencies): BusinessProfiles {
  const { store, clock } = dependencies;
  const touch = touching(dependencies);
  const businessOf = (id: Id): Holder => {
    const holder = store.holders.byId(id);
    if (holder?.type !== 'business') throw refuse('holder_not_found');
    return holder;
  };

  const profileOf = (holderId: Id): BusinessProfile =>
    store.businessProfiles.byHolder(holderId) ?? { holderId, projection: null, disclosure: null };

  /** The status is a part of the business's record, so a change is published. */
  const writeDisclosure = (business: Holder, disclosure: OwnershipDisclosure): OwnershipDisclosure => {
    const profile = profileOf(business.id);
    store.businessProfiles.write({ ...profile, disclosure });
    if (profile.disclosure?.status === disclosure.status) return disclosure;
    touch(business, disclosure.updatedAt);
    return disclosure;
  };

  const openUntil = ({ status, linkedAt }: OwnershipDisclosure): Instant | null => {
    const end = linkedAt + LINK_MS;
    return status === 'pending' && clock.now() < end ? end : null;
  };

  const disclosureOf = (id: Id): DisclosureFile => {
    const { disclosure } = profileOf(businessOf(id).id);
    return { businessId: id, disclosure, openUntil: disclosure && openUntil(disclosure) };
  };

  return {
    disclosureOf,
    byId: (id) => profileOf(businessOf(id).id),

    project(id, projection) {
      const { verification } = businessOf(id);
      if (DECIDED.has(verification.status)) throw refuse('projection_locked');
      const profile = profileOf(id);
      const next = { ...profile, projection: { ...profile.projection, ...projection } };
      store.businessProfiles.write(next);
      return next;
    },

    disclose(id, { redirectUri, regenerate }) {
      const business = businessOf(id);
      const { disclosure } = profileOf(id);
      const now = clock.now();
      const continues = !regenerate && disclosure !== null;
      if (continues && openUntil(disclosure) !== null) {
        writeDisclosure(business, { ...disclosure, redirectUri, updatedAt: now });
      } else if (!continues || disclosure.status === 'pending') {
        const generation = (disclosure?.generation ?? 0) + 1;
        writeDisclosure(business, {
          status: 'pending',
          redirectUri,
          generation,
          linkedAt: now,
          updatedAt: now,
        });
      }
      return disclosureOf(id);
    },

    requireSigned(id) {
      if (profileOf(id).disclosure?.status !== 'completed') throw refuse('disclosure_missing');
    },

    sign(id, generation) {
      const business = businessOf(id);
      const { disclosure } = profileOf(id);
      if (disclosure?.generation !== generation) throw refuse('link_expired');
      if (disclosure.status === 'completed') return disclosure;
      return writeDisclosure(business, { ...disclosure, status: 'completed', updatedAt: clock.now() });
    },
  };
}
