import { labelSelectorFromMap } from '@binnacle/apimachinery/labels';
import { seededRandom } from '@binnacle/apimachinery/clock';
import type { Node, Pod, PodSpec, PodStatus, Taint } from '@binnacle/client/kinds/core/v1';
import type { PodDisruptionBudget } from '@binnacle/client/kinds/policy/v1';
import { type StorageTraits, storageView } from './storage.js';
import { type Attempt, CycleState, NodeState, PodFacts, type Snapshot } from '../framework/index.js';

export interface NodeTraits {
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  readonly unschedulable?: boolean;
  readonly allocatable?: Readonly<Record<string, string>>;
  readonly images?: readonly { readonly names: readonly string[]; readonly sizeBytes: number }[];
  readonly pods?: readonly PodFacts[];
}

/** Two cores and 4 GiB, unless the traits say otherwise. */
export function nodeObject(name: string, traits: NodeTraits = {}): Node {
  const { labels = {}, taints, unschedulable, allocatable = {}, images } = traits;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec: { ...(taints && { taints }), ...(unschedulable === undefined ? {} : { unschedulable }) },
    status: { allocatable: { cpu: '2', memory: '4Gi', pods: '10', ...allocatable }, ...(images && { images }) },
  };
}

export function nodeState(name: string, traits: NodeTraits = {}): NodeState {
  return new NodeState(nodeObject(name, traits), traits.pods);
}

export interface PodTraits {
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly requests?: Readonly<Record<string, string>>;
  readonly spec?: Partial<PodSpec>;
  readonly status?: PodStatus;
  readonly isTerminating?: boolean;
  readonly image?: string;
  readonly hostPort?: number;
}

export function podObject(name: string, traits: PodTraits = {}): Pod {
  const { namespace = 'default', labels = {}, requests, spec = {}, status, isTerminating, image, hostPort } = traits;
  const ports = hostPort === undefined ? undefined : [{ containerPort: 80, hostPort }];
  const container = {
    name: 'main',
    image: image ?? 'app:1',
    ...(requests && { resources: { requests } }),
    ...(ports && { ports }),
  };
  const deletion = isTerminating === true ? { deletionTimestamp: '2027-01-04T00:00:00Z' } : {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name, uid: `${namespace}/${name}`, labels, ...deletion },
    spec: { containers: [container], schedulerName: 'default-scheduler', ...spec },
    ...(status && { status }),
  };
}

export function podFacts(name: string, traits: PodTraits = {}): PodFacts {
  return new PodFacts(podObject(name, traits));
}

export interface SnapshotTraits {
  readonly namespaces?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Labels of the service that the pods belong to. */
  readonly service?: Readonly<Record<string, string>>;
  readonly nominated?: Readonly<Record<string, readonly PodFacts[]>>;
  readonly budgets?: readonly PodDisruptionBudget[];
  readonly storage?: StorageTraits;
}

export function snapshotOf(nodes: readonly NodeState[], traits: SnapshotTraits = {}): Snapshot {
  const { namespaces = {}, service, nominated = {}, budgets = [], storage = {} } = traits;
  return {
    nodes,
    node: (name) => nodes.find((node) => node.name === name),
    namespaceLabels: (namespace) => namespaces[namespace] ?? {},
    defaultSelector: () => service && labelSelectorFromMap(service),
    *matchingPods(namespace, selector) {
      const isCounted = (pod: PodFacts) =>
        !pod.isTerminating && pod.namespace === namespace && selector.matches(pod.labels);
      yield;
      return new Map(nodes.map(({ name, pods }) => [name, [...pods].filter(isCounted).length]));
    },
    nominated: (name) => nominated[name] ?? [],
    budgets,
    storage: storageView(storage, nodes),
    nodesWithImage: (name) => nodes.filter(({ images }) => images.has(name)).length,
  };
}

export function attemptOf(pod: PodFacts, nodes: readonly NodeState[], traits: SnapshotTraits = {}): Attempt {
  return { state: new CycleState(), pod, snapshot: snapshotOf(nodes, traits), random: seededRandom(1) };
}
