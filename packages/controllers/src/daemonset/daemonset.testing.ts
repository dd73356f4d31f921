import type { DaemonSet } from '@binnacle/client/kinds/apps/v1';
import type { Node, Pod, Taint } from '@binnacle/client/kinds/core/v1';

/** Builds DaemonSets, nodes and pods for tables of tests. */
export const NOW = Date.parse('2026-01-01T12:00:00Z');
const LONG_AGO = '2026-01-01T00:00:00Z';

type Spec = NonNullable<DaemonSet['spec']>;

export function daemonSet(spec: Partial<Spec> = {}, metadata: DaemonSet['metadata'] = {}): DaemonSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent', namespace: 'shop', uid: 'agent-uid', generation: 2, ...metadata },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template: template('new'),
      updateStrategy: rolling(1, 0),
      revisionHistoryLimit: 10,
      ...spec,
    },
  };
}

export function template(image: string): Spec['template'] {
  return { metadata: { labels: { app: 'agent' } }, spec: { containers: [{ name: 'main', image }] } };
}

export function rolling(
  maxUnavailable: number | string,
  maxSurge: number | string,
): NonNullable<Spec['updateStrategy']> {
  return { type: 'RollingUpdate', rollingUpdate: { maxUnavailable, maxSurge } };
}

/** Nodes in short: `a`; `a!` is one that the template does not fit, `a*` one with a taint that keeps new pods away. */
export function node(text: string): Node {
  const taints: Taint[] = [];
  if (text.includes('*')) taints.push({ key: 'full', effect: 'NoSchedule' });
  if (text.includes('!')) taints.push({ key: 'broken', effect: 'NoExecute' });
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: text.charAt(0), labels: {} }, spec: { taints } };
}

export const nodes = (text: string): Node[] => (text === '' ? [] : text.split(' ').map(node));

/**
 * Pods in short: `a1` is pod 1 on node `a`, of the new revision and available; the number is its age, 1 being the oldest. Letters after it: `o` of an old
 * revision, `u` unready, `y` young (ready for 5 s), `f` failed, `s` succeeded, `d` being deleted, `n` not bound yet.
 */
export function pod(text: string): Pod {
  const [, node = '', age = '', letters = ''] = /^([a-z])(\d)([a-z]*)$/.exec(text) ?? [];
  const is = (letter: string) => letters.includes(letter);
  const name = `${node}${age}`;
  const since = is('y') ? '2026-01-01T11:59:55Z' : LONG_AGO;
  const phase = is('f') ? 'Failed' : is('s') ? 'Succeeded' : 'Running';
  const isReady = phase === 'Running' && !is('u') && !is('n');
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }] as const;
  const requiredDuringSchedulingIgnoredDuringExecution = { nodeSelectorTerms: [{ matchFields }] };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'shop',
      uid: `${name}-uid`,
      creationTimestamp: `2026-01-01T00:0${age}:00Z`,
      labels: { app: 'agent', 'controller-revision-hash': is('o') ? 'old' : 'new' },
      ...(is('d') ? { deletionTimestamp: LONG_AGO } : {}),
    },
    spec: {
      containers: [],
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution } },
      ...(is('n') ? {} : { nodeName: node }),
    },
    status: { phase, conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: since }] },
  };
}

export const pods = (text: string): Pod[] => (text === '' ? [] : text.split(' ').map(pod));
