/** The acts of a scheduler and of kubelets, for tests that decide on each of them. */
import type { Clock } from '@binnacle/apimachinery/clock';
import type { DynamicClient } from '@binnacle/client/dynamic';
import {
  type Binding,
  type ContainerStatus,
  Pod,
  type PodCondition,
  type PodStatus,
} from '@binnacle/client/kinds/core/v1';

export interface PodActor {
  readonly client: DynamicClient;
  readonly clock: Clock;
}

type ContainerState = NonNullable<ContainerStatus['state']>;

const at = ({ clock }: PodActor): string => new Date(clock.now()).toISOString().replace(/\.\d+/, '');

export async function bindPod({ client }: PodActor, pod: Pod, node: string): Promise<void> {
  const { name = '', namespace = '' } = pod.metadata;
  const target = { apiVersion: 'v1', kind: 'Node', name: node };
  const binding: Binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace }, target };
  await client.resource(Pod).namespace(namespace).subresource<Binding>('binding').create(name, binding);
}

/** Sets a pod to Running, with all containers ready or not. */
export async function runPod(actor: PodActor, pod: Pod, { isReady = true } = {}): Promise<void> {
  const startedAt = at(actor);
  const state = { running: { startedAt } };
  await writeStatus(actor, pod, {
    phase: 'Running',
    startTime: pod.status?.startTime ?? startedAt,
    podIP: '10.1.0.1',
    podIPs: [{ ip: '10.1.0.1' }],
    conditions: conditionsOf(actor, isReady, isReady ? undefined : 'ContainersNotReady'),
    containerStatuses: containersOf(pod, isReady, state),
  });
}

/** Ends all containers with this exit code. The phase is Succeeded for 0, otherwise Failed. */
export async function finishPod(actor: PodActor, pod: Pod, exitCode = 0): Promise<void> {
  const finishedAt = at(actor);
  const reason = exitCode === 0 ? 'Completed' : 'Error';
  const startedAt = pod.status?.startTime ?? finishedAt;
  await writeStatus(actor, pod, {
    phase: exitCode === 0 ? 'Succeeded' : 'Failed',
    conditions: conditionsOf(actor, false, exitCode === 0 ? 'PodCompleted' : 'PodFailed'),
    containerStatuses: containersOf(pod, false, { terminated: { exitCode, reason, startedAt, finishedAt } }),
  });
}

/** Removes a terminating pod, or kills another one. */
export async function removePod({ client }: PodActor, { metadata }: Pod): Promise<void> {
  const { name = '', namespace = '', uid = '' } = metadata;
  const options = { gracePeriodSeconds: 0, preconditions: { uid } };
  await client.resource(Pod).namespace(namespace).delete(name, options);
}

async function writeStatus({ client }: PodActor, { metadata }: Pod, status: PodStatus): Promise<void> {
  const { name = '', namespace = '', uid = '' } = metadata;
  const body = { metadata: { uid }, status };
  await client.resource(Pod).namespace(namespace).status.patch(name, { type: 'strategic', body });
}

function conditionsOf(actor: PodActor, isReady: boolean, reason: string | undefined): PodCondition[] {
  const lastTransitionTime = at(actor);
  const status = isReady ? 'True' : 'False';
  const readiness = { status, lastTransitionTime, ...(reason === undefined ? {} : { reason }) } as const;
  return [
    { type: 'Initialized', status: 'True', lastTransitionTime },
    { type: 'Ready', ...readiness },
    { type: 'ContainersReady', ...readiness },
  ];
}

function containersOf({ spec }: Pod, ready: boolean, state: ContainerState): ContainerStatus[] {
  return (spec?.containers ?? []).map(({ name, image = '' }) => ({
    name,
    image,
    imageID: '',
    ready,
    restartCount: 0,
    state,
  }));
}
