/** The manifests that `sandbank cluster init` writes match the published schemas of Kubernetes. */

import { readFileSync } from 'node:fs';
import * as apps from 'kubernetes-models/apps/v1';
import * as autoscaling from 'kubernetes-models/autoscaling/v2';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

const MANIFESTS = new URL('../../deploy/cluster/kubernetes.yml', import.meta.url);
// biome-ignore lint/suspicious/noExplicitAny: documents of every kind
const KINDS: Record<string, new (document: any) => { validate(): void }> = {
  Deployment: apps.Deployment,
  HorizontalPodAutoscaler: autoscaling.HorizontalPodAutoscaler,
  NetworkPolicy: networking.NetworkPolicy,
  PodDisruptionBudget: policy.PodDisruptionBudget,
  Service: core.Service,
};

it('every manifest matches the schema of its kind', () => {
  const documents = parseAllDocuments(readFileSync(MANIFESTS, 'utf8')).map((document) => document.toJS());
  expect(documents.map(({ kind }) => kind).toSorted()).toEqual(Object.keys(KINDS));
  for (const document of documents) {
    const KindOf = KINDS[document.kind];
    if (KindOf === undefined) throw new Error(`no schema for ${document.kind}`);
    new KindOf(document).validate();
  }
  const [first] = documents;
  const KindOf = KINDS[first.kind];
  if (KindOf === undefined) throw new Error(`no schema for ${first.kind}`);
  expect(() => new KindOf({ ...first, spec: 'none' }).validate()).toThrow('spec');
});
