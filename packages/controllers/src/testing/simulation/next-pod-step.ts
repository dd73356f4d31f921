import type { Node, Pod } from '@binnacle/client/kinds/core/v1';

/** How nodes treat pods. Times are milliseconds. */
export interface NodeBehaviour {
  /** From the creation of a pod until it has a node. Default: 0. */
  readonly bindAfter?: number;
  /** From the binding until the pod is ready. Default: 1000. */
  readonly readyAfter?: number;
  /** From the deletion of a running pod until it is gone. Default: 500. */
  readonly terminateAfter?: number;
  /** When and with which exit code the containers end. Default: they run forever. */
  readonly outcome?: (pod: Pod) => { readonly after: number; readonly exitCode: number } | undefined;
}

export type PodStep =
  | { readonly type: 'bind'; readonly after: number; readonly node: string }
  | { readonly type: 'run' | 'remove'; readonly after: number }
  | { readonly type: 'finish'; readonly after: number; readonly exitCode: number };

const ALL_DONE: ReadonlySet<string | undefined> = new Set(['Succeeded', 'Failed']);

/** The next thing that the scheduler or the pod's kubelet does; undefined if they wait. */
export function nextPodStep(pod: Pod, nodes: readonly Node[], behaviour: NodeBehaviour): PodStep | undefined {
  const { bindAfter = 0, readyAfter = 1000, terminateAfter = 500, outcome } = behaviour;
  const nodeName = pod.spec?.nodeName ?? '';
  const isTerminating = pod.metadata.deletionTimestamp !== undefined;
  if (nodeName === '') {
    const node = isTerminating ? undefined : nodeFor(pod, nodes);
    return node === undefined ? undefined : { type: 'bind', after: bindAfter, node };
  }
  if (!nodes.some(({ metadata }) => metadata.name === nodeName)) return undefined;
  if (isTerminating) return { type: 'remove', after: terminateAfter };
  const phase = pod.status?.phase;
  if (ALL_DONE.has(phase)) return undefined;
  if (phase !== 'Running') return { type: 'run', after: readyAfter };
  const end = outcome?.(pod);
  return end === undefined ? undefined : { type: 'finish', ...end };
}

/** The first node that fits, starting at one that the UID chooses. */
function nodeFor(pod: Pod, nodes: readonly Node[]): string | undefined {
  const { schedulerName = 'default-scheduler', schedulingGates = [] } = pod.spec ?? {};
  if (schedulerName !== 'default-scheduler' || schedulingGates.length > 0) return undefined;
  const fitting = nodes.filter((node) => fits(pod, node)).map(({ metadata }) => metadata.name ?? '');
  return fitting[Number.parseInt((pod.metadata.uid ?? '0').slice(0, 6), 16) % fitting.length];
}

/** Node selectors, and the affinity by name of a DaemonSet. */
function fits({ spec }: Pod, { metadata, spec: nodeSpec }: Node): boolean {
  const labels = metadata.labels ?? {};
  if (Object.entries(spec?.nodeSelector ?? {}).some(([key, value]) => labels[key] !== value)) return false;
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const fields = terms?.flatMap(({ matchFields = [] }) => matchFields) ?? [];
  if (fields.length > 0) return fields.some(({ values = [] }) => values.includes(metadata.name ?? ''));
  return nodeSpec?.unschedulable !== true;
}
