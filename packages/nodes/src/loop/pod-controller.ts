import { pause } from '@binnacle/apimachinery/turns';
import type { SharedInformer } from '@binnacle/client/cache';
import { type Component, Controller, type ReconcileContext, type ReconcileResult } from '@binnacle/client/controller';
import type { DynamicClient } from '@binnacle/client/dynamic';
import type { EventRecorder } from '@binnacle/client/events';
import { type Node, Pod } from '@binnacle/client/kinds/core/v1';
import { isConflict, isNotFound, isRequestEntityTooLarge } from '@binnacle/client/rest';
import { ExponentialLimiter } from '@binnacle/client/workqueue';
import { hostAddress, type LocalNode } from '../node/index.js';
import { isAdmitted, nextPodStep, type PodEvent, type PodStep } from '../pods/index.js';
import type { ProcessPods } from '../workloads/index.js';
import { findHolds, type Holds } from './find-holds.js';
import { NodeMemory } from './node-memory.js';

/** All pods that have a node. */
export const ASSIGNED = 'spec.nodeName!=';
/** The most requests for pods that are in flight. */
const CONCURRENCY = 20;
/** How soon to look again at a node that has no address, or is not in the cache yet, in milliseconds. */
const RETRY = 1000;
/** The longest wait of a pod after failures, so that a node that was cut off continues soon. Upstream: `backOffPeriod`. */
const MOST_BACKOFF = 10_000;

/** How soon to try again to write a status that was too large for a request, in milliseconds. It stays so until the pod changes. */
const TOO_LARGE_RETRY = 5 * 60_000;

/** What runs the pods of nodes whose containers are processes. */
export type PodProcesses = Pick<ProcessPods, 'behaviourOf' | 'carryOut' | 'forget' | 'listen' | 'prepare'>;

export interface PodControllerParts {
  readonly nodes: ReadonlyMap<string, LocalNode>;
  readonly pods: SharedInformer<Pod>;
  readonly nodeObjects: SharedInformer<Node>;
  /** Acts as the kubelet of this node. */
  readonly clientOf: (node: string) => DynamicClient;
  readonly recorderOf: (node: string) => EventRecorder;
  /** Runs the pods of nodes whose containers are processes. */
  readonly processes?: PodProcesses | undefined;
}

/** The pods of all simulated nodes: each change, or the time that a step has asked for, leads to the next step. */
export function podController(parts: PodControllerParts): Component {
  const memory = new NodeMemory(parts.pods.indexer);
  const isOurs = ({ spec, metadata }: Pod): boolean =>
    parts.nodes.has(spec?.nodeName ?? '') && metadata.annotations?.['kubernetes.io/config.mirror'] === undefined;
  return new Controller({
    name: 'pods',
    watches: [
      {
        resource: Pod,
        select: { fieldSelector: ASSIGNED },
        map: (pod) => {
          if (!isOurs(pod)) return [];
          const { name = '', namespace = '' } = pod.metadata;
          const isGone = parts.pods.lister.namespace(namespace).get(name)?.metadata.uid !== pod.metadata.uid;
          memory.forget(pod, isGone);
          if (isGone) parts.processes?.forget(pod);
          return [{ name, namespace }];
        },
      },
    ],
    concurrency: CONCURRENCY,
    rateLimiter: () => new ExponentialLimiter({ maximum: MOST_BACKOFF }),
    reconcile: async ({ name, namespace = '' }, context) => {
      const pod = parts.pods.lister.namespace(namespace).get(name);
      const node = parts.nodes.get(pod?.spec?.nodeName ?? '');
      if (pod === undefined || node === undefined) return undefined;
      listen(parts, context);
      return look(pod, node, { ...parts, memory, context });
    },
  });
}

interface Surroundings extends PodControllerParts {
  readonly memory: NodeMemory;
  readonly context: ReconcileContext;
}

async function look(pod: Pod, node: LocalNode, around: Surroundings): Promise<ReconcileResult> {
  const { memory, nodeObjects, context } = around;
  const object = nodeObjects.lister.get(node.name);
  if (object === undefined) return { requeueAfter: RETRY };
  const rejection = isAdmitted(pod) ? undefined : memory.admit(pod, object);
  const address = rejection === undefined ? memory.addressFor(pod, node, object.spec?.podCIDR) : undefined;
  const mayStart = rejection === undefined && pod.metadata.deletionTimestamp === undefined;
  const processes = node.processes === undefined ? undefined : around.processes;
  const holds = mayStart ? await findHolds(pod, context.client, context.signal) : {};
  const more = mayStart && address !== undefined ? await prepared(pod, address, { ...around, processes }) : {};
  if (processes !== undefined && isGone(pod, around)) {
    processes.forget(pod);
    return undefined;
  }
  await pause();
  const step = nextPodStep({
    pod,
    mountProblem: holds.mountProblem ?? more.mountProblem,
    holds: new Map([...(holds.holds ?? []), ...(more.holds ?? [])]),
    behaviour: processes?.behaviourOf(pod),
    now: context.clock.now(),
    hostIPs: [hostAddress(node)],
    podIPs: address === undefined ? [] : [address],
    rejection,
  });
  try {
    return await act(pod, step, { ...around, processes });
  } catch (error) {
    // The cache will show the change of another client, or that the pod is gone. A conflict may also come from an admission plugin.
    if (isConflict(error) || isNotFound(error)) return { requeueAfter: RETRY };
    if (!isRequestEntityTooLarge(error)) throw error;
    const message = `The status of the pod is not written: ${error.message}`;
    record(around.recorderOf(node.name), pod, { type: 'Warning', reason: 'FailedStatusUpdate', message });
    return { requeueAfter: TOO_LARGE_RETRY };
  }
}

/** The informer's event of a write leads to the next step. */
async function act(pod: Pod, step: PodStep, around: Surroundings): Promise<ReconcileResult> {
  const { clientOf, recorderOf, context, processes } = around;
  const { name = '', namespace = '', uid = '', resourceVersion } = pod.metadata;
  const { nodeName = '' } = pod.spec ?? {};
  const pods = clientOf(nodeName).resource(Pod).namespace(namespace);
  const { signal } = context;
  if (step.canGo) await pods.delete(name, { gracePeriodSeconds: 0, preconditions: { uid }, signal });
  // A container runs before its status says so. Its ID lets the next look see that it does, if the write fails.
  const ends = (await processes?.carryOut(pod, step, clientsFor(pod, around), signal)) ?? [];
  for (const event of ends) record(recorderOf(nodeName), pod, event);
  const later: ReconcileResult = step.lookAgainAfter === undefined ? undefined : { requeueAfter: step.lookAgainAfter };
  if (step.status === undefined) return later;
  await pause();
  const written = await pods.status.update({ ...pod, status: step.status }, { signal });
  for (const event of step.events) record(recorderOf(nodeName), pod, event);
  // A write that has changed nothing has no event.
  return written.metadata.resourceVersion === resourceVersion ? later : undefined;
}

/** Wakes pods whose processes have changed, and records their events. */
function listen({ processes, recorderOf }: PodControllerParts, { enqueue }: ReconcileContext): void {
  processes?.listen({
    onChange: ({ metadata: { name = '', namespace = '' } }) => enqueue({ name, namespace }),
    onEvent: (pod, event) => record(recorderOf(pod.spec?.nodeName ?? ''), pod, event),
  });
}

const clientsFor = ({ spec }: Pod, { clientOf, context }: Surroundings) => ({
  reader: context.client,
  node: clientOf(spec?.nodeName ?? ''),
});

async function prepared(pod: Pod, address: string, around: Surroundings): Promise<Holds> {
  const { processes, context } = around;
  return (await processes?.prepare(pod, address, clientsFor(pod, around), context.signal)) ?? {};
}

const isGone = ({ metadata: { name = '', namespace = '', uid } }: Pod, { pods }: Surroundings): boolean =>
  pods.lister.namespace(namespace).get(name)?.metadata.uid !== uid;

/** An event about a container refers to that part of the pod. */
function record(recorder: EventRecorder, pod: Pod, { type, reason, message, fieldPath }: PodEvent): void {
  const { name = '', namespace = '', uid = '', resourceVersion = '' } = pod.metadata;
  const reference = { apiVersion: 'v1', kind: 'Pod', name, namespace, uid, resourceVersion };
  recorder.event({ ...reference, ...(fieldPath === undefined ? {} : { fieldPath }) }, type, reason, message);
}
