import type { Clock, Random } from '@binnacle/apimachinery/clock';
import type { SharedInformer } from '@binnacle/client/cache';
import type { DynamicClient } from '@binnacle/client/dynamic';
import { Lease } from '@binnacle/client/kinds/coordination/v1';
import { Node } from '@binnacle/client/kinds/core/v1';
import { CSINode } from '@binnacle/client/kinds/storage/v1';
import { isAlreadyExists, isConflict, isNotFound } from '@binnacle/client/rest';
import { WorkQueue } from '@binnacle/client/workqueue';
import {
  csiNodeOf,
  hasOtherStatus,
  LEASE_NAMESPACE,
  leaseOf,
  nodeObject,
  nodeStatus,
  statusPatch,
  type LocalNode,
} from '../node/index.js';

/** Upstream: `nodeLeaseRenewIntervalFraction` of the lease, and its jitter. Milliseconds. */
const RENEW = 10_000;
const JITTER = 0.04;
/** Upstream: `nodeStatusReportFrequency`. */
const REPORT = 5 * 60_000;
const RETRY = 1000;
/** The most nodes that have a request in flight. */
const CONCURRENCY = 10;

export interface HeartbeatParts {
  readonly nodes: ReadonlyMap<string, LocalNode>;
  readonly nodeObjects: SharedInformer<Node>;
  readonly clientOf: (node: string) => DynamicClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: (error: unknown) => void;
  /** Beat only at the start, and after a change of the node's conditions or resources by others. */
  readonly elidesHeartbeats: boolean;
}

interface Life {
  /** The server has the node. A node that a user deletes stays away until the next start. */
  isRegistered: boolean;
  /** When the status was written, on the monotonic clock. */
  reportedAt: number;
  lease: Lease | undefined;
}

/** Registers the nodes, renews their leases and reports their status until the signal fires. Does not reject. */
export async function keepAlive(parts: HeartbeatParts, signal: AbortSignal): Promise<void> {
  const queue = new WorkQueue<string>({ clock: parts.clock });
  const lives = new Map<string, Life>();
  for (const name of parts.nodes.keys()) {
    lives.set(name, { isRegistered: false, reportedAt: 0, lease: undefined });
    queue.add(name);
  }
  const watching = parts.elidesHeartbeats ? beatAfterChanges(parts, queue) : undefined;
  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      const name = await queue.get(signal).catch(() => undefined);
      const [life, node] = [lives.get(name ?? ''), parts.nodes.get(name ?? '')];
      if (name === undefined || life === undefined || node === undefined) return;
      const wait = await beat(node, life, parts, signal).catch((error: unknown) => {
        if (!signal.aborted && !isConflict(error)) parts.report(error);
        return RETRY;
      });
      queue.done(name);
      if (!parts.elidesHeartbeats || wait === RETRY) queue.addAfter(name, wait);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  watching?.[Symbol.dispose]();
  queue.shutDown();
}

function beatAfterChanges({ nodes, nodeObjects }: HeartbeatParts, queue: WorkQueue<string>): Disposable {
  const consider = (node: Node): void => {
    const { name = '' } = node.metadata;
    if (nodes.has(name) && hasOtherStatus(node)) queue.add(name);
  };
  return nodeObjects.addHandler({ onAdd: consider, onUpdate: (_, node) => consider(node) });
}

/** Resolves to the milliseconds until the next beat. */
async function beat(node: LocalNode, life: Life, parts: HeartbeatParts, signal: AbortSignal): Promise<number> {
  const { clock, random, nodeObjects } = parts;
  const client = parts.clientOf(node.name);
  if (!life.isRegistered) await register(node, life, { ...parts, client }, signal);
  const known = nodeObjects.lister.get(node.name);
  // The cache may not show a new node yet.
  if (known === undefined) return clock.monotonic() - life.reportedAt < RENEW ? RETRY : RENEW;
  const isDue = clock.monotonic() - life.reportedAt >= REPORT;
  if (isDue || hasOtherStatus(known)) await reportStatus(node, life, { client, known, clock }, signal);
  await renew(known, life, { client, clock }, signal);
  return RENEW * (1 + JITTER * random.number());
}

type Acting = Pick<HeartbeatParts, 'clock'> & { readonly client: DynamicClient };

/** A node of an earlier run gets the status of this one. */
async function register(node: LocalNode, life: Life, { client, clock }: Acting, signal: AbortSignal): Promise<void> {
  const nodes = client.resource(Node);
  const created = await unlessPresent(nodes.create(nodeObject(node, clock.now()), { signal }));
  const known = created ?? (await nodes.get(node.name, { signal }));
  if (created === undefined) await reportStatus(node, life, { client, known, clock }, signal);
  await unlessPresent(client.resource(CSINode).create(csiNodeOf(known), { signal }));
  life.isRegistered = true;
  life.reportedAt = clock.monotonic();
}

/** Resolves to undefined if the object was already there. */
async function unlessPresent<T>(creating: Promise<T>): Promise<T | undefined> {
  try {
    return await creating;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return undefined;
  }
}

async function reportStatus(
  node: LocalNode,
  life: Life,
  { client, known, clock }: Acting & { readonly known: Node },
  signal: AbortSignal,
): Promise<void> {
  const body = statusPatch(nodeStatus(node, clock.now(), known.status), known.status);
  await client.resource(Node).status.patch(node.name, { type: 'strategic', body }, { signal });
  life.reportedAt = clock.monotonic();
}

/** Upstream: component-helpers `lease.controller`. */
async function renew(node: Node, life: Life, { client, clock }: Acting, signal: AbortSignal): Promise<void> {
  const leases = client.resource(Lease).namespace(LEASE_NAMESPACE);
  try {
    life.lease ??= await leases.get(node.metadata.name ?? '', { signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    life.lease = await leases.create(leaseOf(node, clock.now()), { signal });
    return;
  }
  try {
    life.lease = await leases.update(leaseOf(node, clock.now(), life.lease), { signal });
  } catch (error) {
    life.lease = undefined;
    throw error;
  }
}
