import { formatTime } from '@binnacle/apimachinery/time';
import type { Pod, PodCondition, PodSpec } from '@binnacle/client/kinds/core/v1';
import { isSidecar, type Phase, type Statuses } from './phase.js';

type Verdict = Pick<PodCondition, 'status' | 'reason' | 'message'>;

const SANDBOX = 'PodReadyToStartContainers';
/** The conditions that the kubelet sets. */
const OWNED: ReadonlySet<string> = new Set([SANDBOX, 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled']);

const TRUE: Verdict = { status: 'True' };

/** What decides on conditions besides the pod. */
export interface ConditionFacts {
  readonly phase: Phase;
  /** The statuses of init containers and containers. */
  readonly statuses: Statuses;
  /** The pod has an address, and containers may run. */
  readonly hasSandbox: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The conditions of others, then those of the kubelet, in upstream's order. Upstream: `generateAPIPodStatus`. */
export function conditionsOf(pod: Pod, facts: ConditionFacts): readonly PodCondition[] {
  const { spec = { containers: [] }, metadata } = pod;
  const before = pod.status?.conditions ?? [];
  const others = othersConditions(pod);
  const containersReady = containersReadyVerdict(spec, facts);
  const verdicts: readonly (readonly [string, Verdict])[] = [
    [SANDBOX, { status: facts.hasSandbox ? 'True' : 'False' }],
    ['Initialized', initializedVerdict(spec, facts)],
    ['Ready', containersReady.status === 'True' ? readinessGatesVerdict(spec, others) : containersReady],
    ['ContainersReady', containersReady],
    ['PodScheduled', TRUE],
  ];
  const owned = verdicts.map(([type, { status, ...details }]) => {
    const known = before.find((condition) => condition.type === type);
    const keepsTime = known?.status === status && known.lastTransitionTime !== undefined;
    return {
      type,
      ...(metadata.generation === undefined ? {} : { observedGeneration: metadata.generation }),
      status,
      // Servers add it as null.
      ...(known?.lastProbeTime === undefined ? {} : { lastProbeTime: known.lastProbeTime }),
      lastTransitionTime: keepsTime ? known.lastTransitionTime : formatTime(facts.now),
      ...details,
    };
  });
  return [...others, ...owned];
}

/** Whether the pod had a sandbox when its kubelet last looked. */
export const hadSandbox = ({ status }: Pod): boolean =>
  status?.conditions?.some((condition) => condition.type === SANDBOX && condition.status === 'True') === true;

/** The conditions that the kubelet keeps as they are. */
export function othersConditions({ status }: Pod): readonly PodCondition[] {
  return (status?.conditions ?? []).filter(({ type }) => !OWNED.has(type));
}

/** Upstream: `GenerateContainersReadyCondition`. */
function containersReadyVerdict(
  { containers, initContainers = [] }: PodSpec,
  { phase, statuses }: ConditionFacts,
): Verdict {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const lasting = [...initContainers.filter(isSidecar), ...containers].map(({ name }) => name);
  const unready = lasting.filter((name) => statuses.get(name)?.ready !== true);
  if (unready.length === 0) return TRUE;
  const message = `containers with unready status: [${unready.join(' ')}]`;
  return { status: 'False', reason: 'ContainersNotReady', message };
}

/** Upstream: `GeneratePodReadyCondition`. */
function readinessGatesVerdict({ readinessGates = [] }: PodSpec, others: readonly PodCondition[]): Verdict {
  const complaints = readinessGates.flatMap(({ conditionType }) => {
    const status = others.find(({ type }) => type === conditionType)?.status;
    const gate = `pod readiness gate ${JSON.stringify(conditionType)}`;
    if (status === undefined) return [`corresponding condition of ${gate} does not exist.`];
    return status === 'True' ? [] : [`the status of ${gate} is not "True", but ${status}`];
  });
  if (complaints.length === 0) return TRUE;
  return { status: 'False', reason: 'ReadinessGatesNotReady', message: complaints.join(', ') };
}

/** Upstream: `GeneratePodInitializedCondition`. */
function initializedVerdict(
  { containers, initContainers = [] }: PodSpec,
  { phase, statuses }: ConditionFacts,
): Verdict {
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  const hasStarted = containers.some(({ name }) => {
    const { running, terminated } = statuses.get(name)?.state ?? {};
    return running !== undefined || terminated !== undefined;
  });
  const incomplete = initContainers.filter((container) => {
    const status = statuses.get(container.name);
    return isSidecar(container) ? status?.started !== true : status?.ready !== true;
  });
  if (hasStarted || incomplete.length === 0) return TRUE;
  const message = `containers with incomplete status: [${incomplete.map(({ name }) => name).join(' ')}]`;
  return { status: 'False', reason: 'ContainersNotInitialized', message };
}
