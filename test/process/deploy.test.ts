/**
 * The files in deploy/: the manifests match the schemas of Kubernetes, each other, compose and the configuration of
 * the proxy, and the dashboard uses metrics that a bank has.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as apps from 'kubernetes-models/apps/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';
import { describe, expect, it, test, vi } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { formatSlots, parseSlots } from '../../src/kernel/slots.ts';
import { readConfig } from '../../src/process/config.ts';
import { startBank } from './support.ts';

vi.setConfig({ testTimeout: 30_000 });

const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url));
const read = (path: string): string => readFileSync(DEPLOY + path, 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: documents of every kind
type Document = any;

const KINDS: Record<string, new (document: Document) => { validate(): void }> = {
  'v1 Namespace': core.Namespace,
  'v1 Service': core.Service,
  'apps/v1 StatefulSet': apps.StatefulSet,
  'apps/v1 Deployment': apps.Deployment,
  'policy/v1 PodDisruptionBudget': policy.PodDisruptionBudget,
  'networking.k8s.io/v1 NetworkPolicy': networking.NetworkPolicy,
};
const FILES = readdirSync(`${DEPLOY}fleet/kubernetes`).map((name) => `kubernetes/${name}`);
const MANIFESTS: Document[] = FILES.flatMap((path) =>
  parseAllDocuments(read(`fleet/${path}`)).map((document) => document.toJS()),
);
const named = (kind: string, name: string): Document =>
  MANIFESTS.find((one) => one.kind === kind && one.metadata.name === name);
const compose = parse(read('fleet/compose.yml'), { merge: true });
const map = new Map(
  read('fleet/slots.map')
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as [string, string]),
);
/** The slots of a bank by the map, as SANDBANK_SLOTS spells them. */
const slotsByMap = (bank: string): string =>
  formatSlots([...map].filter(([, of]) => of === bank).map(([key]) => Number.parseInt(key, 16)));
const BANKS = ['bank-0', 'bank-1', 'bank-2'];

describe('the manifests', () => {
  test.each(MANIFESTS.map((one) => [`${one.apiVersion} ${one.kind}`, one.metadata.name, one]))(
    '%s %s matches the schema of Kubernetes',
    (kind, _, document) => {
      const KindOf = KINDS[kind];
      if (KindOf === undefined) throw new Error(`no schema for ${kind}`);
      new KindOf(document).validate();
    },
  );

  it('are refused by the schemas if they are invalid', () => {
    const wrong = structuredClone(named('StatefulSet', 'bank'));
    wrong.spec.replicas = 'three';
    expect(() => new apps.StatefulSet(wrong).validate()).toThrow(/replicas/);
  });

  it('are all named by the kustomization, with the files of the proxy', () => {
    const { resources, configMapGenerator } = parse(read('fleet/kustomization.yaml'));
    expect(resources.toSorted()).toEqual(FILES.toSorted());
    expect(configMapGenerator).toEqual([{ name: 'proxy', files: ['haproxy.cfg', 'slots.map'] }]);
    for (const file of configMapGenerator[0].files) expect(existsSync(`${DEPLOY}fleet/${file}`)).toBe(true);
  });

  it('run as an unprivileged user, write only to their volumes, and have limits and probes', () => {
    for (const [kind, name] of [
      ['StatefulSet', 'bank'],
      ['Deployment', 'proxy'],
    ] as const) {
      const { securityContext, containers, automountServiceAccountToken } = named(kind, name).spec.template
        .spec;
      expect(securityContext.runAsNonRoot).toBe(true);
      expect(automountServiceAccountToken).toBe(false);
      for (const container of containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources.requests).toBeDefined();
        expect(container.resources.limits.memory).toBeDefined();
        expect(container.readinessProbe).toBeDefined();
        expect(container.livenessProbe).toBeDefined();
      }
      expect(named('PodDisruptionBudget', name).spec.maxUnavailable).toBe(1);
      expect(named('NetworkPolicy', name).spec.podSelector.matchLabels['app.kubernetes.io/name']).toBe(name);
    }
  });
});

describe('the slots of the fleet', () => {
  it('are 256, each of one bank', () => {
    expect(map.size).toBe(256);
    expect([...new Set(map.values())]).toEqual(BANKS);
    expect(formatSlots(BANKS.flatMap((bank) => parseSlots(slotsByMap(bank)) ?? []))).toBe('0-255');
  });

  it.each(BANKS)('of %s are the same in the map, in compose and in Kubernetes', (bank) => {
    expect(compose.services[bank].environment.SANDBANK_SLOTS).toBe(slotsByMap(bank));
    const [script] = named('StatefulSet', 'bank').spec.template.spec.containers[0].args;
    expect(script).toContain(`${bank}) slots=${slotsByMap(bank)} ;;`);
    expect(read('fleet/haproxy.cfg')).toContain(`\nbackend ${bank}\n`);
  });
});

describe('the settings of a bank', () => {
  const secrets = { SANDBANK_SECRET_ROOT: 'r'.repeat(64), SANDBANK_CONTROL_TOKEN: 't'.repeat(32) };
  it.each(BANKS)('%s are accepted by the program', (bank) => {
    const given = { ...compose.services[bank].environment, ...secrets };
    expect(readConfig(given)).not.toHaveProperty('problems');
    const { env } = named('StatefulSet', 'bank').spec.template.spec.containers[0];
    const ours = env.map(({ name }: { name: string }) => name).filter((name: string) => name !== 'POD_NAME');
    expect(ours.toSorted()).toEqual(
      Object.keys(given)
        .filter((name) => name !== 'SANDBANK_SLOTS')
        .toSorted(),
    );
  });

  it.each(BANKS)('%s writes each payment to the disk before it acknowledges it', (bank) => {
    expect(compose.services[bank].environment.SANDBANK_SYNCHRONOUS).toBe('full');
    const { env } = named('StatefulSet', 'bank').spec.template.spec.containers[0];
    expect(env).toContainEqual({ name: 'SANDBANK_SYNCHRONOUS', value: 'full' });
  });

  it('name each bank as the proxy does, in compose and in Kubernetes', () => {
    const pods = named('Deployment', 'proxy').spec.template.spec.containers[0].env;
    const inPods = named('StatefulSet', 'bank').spec.template.spec.containers[0].env;
    const settingIn = (env: { name: string; value: string }[], name: string) =>
      env.find((one) => one.name === name)?.value;
    BANKS.forEach((bank, at) => {
      expect(compose.services.proxy.environment[`BANK_${at}`]).toBe(`${bank}:4800`);
      expect(compose.services[bank].environment.SANDBANK_BANKS).toContain(`${bank}=http://${bank}:4800`);
      expect(settingIn(pods, `BANK_${at}`)).toBe(`${bank}.banks:4800`);
      expect(settingIn(inPods, 'SANDBANK_BANKS')).toContain(`${bank}=http://${bank}.banks:4800`);
    });
  });
});

it('the dashboard queries only existing metrics', async () => {
  const bank = await startBank();
  const { text } = await bank.v2('GET', '/metrics');
  const { panels } = JSON.parse(read('grafana.json'));
  const asked = panels.flatMap(({ targets }: Document) =>
    targets.flatMap(({ expr }: Document) => expr.match(/\b(?:sandbank|nodejs|process)_[a-z0-9_]+/g)),
  );
  expect(asked.length).toBeGreaterThan(12);
  for (const name of asked) {
    // Without an observation a histogram of labels has no lines yet.
    const family = name.replace(/_(bucket|sum|count)$/, '');
    expect([name, text.includes(`# TYPE ${name} `) || text.includes(`# TYPE ${family} histogram`)]).toEqual([
      name,
      true,
    ]);
  }
  const own = [...text.matchAll(/^# TYPE (sandbank_\S+)/gm)].map(([, name]) => name);
  expect(own.filter((name) => !asked.some((metric: string) => metric.startsWith(name ?? '')))).toEqual([]);
});
