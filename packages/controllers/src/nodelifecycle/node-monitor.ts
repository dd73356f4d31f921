import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import type { Indexer, SharedInformer } from '@binnacle/client/cache';
import type { DynamicClient } from '@binnacle/client/dynamic';
import type { EventRecorder } from '@binnacle/client/events';
import type { Lease } from '@binnacle/client/kinds/coordination/v1';
import { Node, type Pod } from '@binnacle/client/kinds/core/v1';
import { isConflict, isNotFound } from '@binnacle/client/rest';
import { Expectations, nodeReference, podsOnNode, Writer } from '../common/index.js';
import { Evictions } from './evictions.js';
import { firstObject } from './first-object.js';
import { assessNode, type NodeAssessment, type NodeHealth, STOPPED_REPORTING } from './node-health.js';
import type { NodeLifecycleSettings } from './settings.js';
import { markUnready } from './unready-pods.js';

export interface MonitorParts {
  readonly client: DynamicClient;
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  readonly nodes: SharedInformer<Node>;
  readonly leases: SharedInformer<Lease>;
  readonly pods: Pick<Indexer<Pod>, 'byIndex'>;
  readonly settings: NodeLifecycleSettings;
  readonly report: (error: unknown) => void;
}

/** A ready node that needed nothing, as the last pass saw it. */
interface Settled {
  readonly node: Node;
  readonly lease: Lease | undefined;
}

/** The progress of the loop with a node that was ready until it became silent. */
interface Loss {
  isAnnounced: boolean;
}

/** Upstream: `NodeHealthUpdateRetry`. */
const ATTEMPTS = 5;
/** Upstream: `nodeUpdateWorkerSize`. */
const CONCURRENCY = 8;

/** Looks after all nodes once a period: their conditions, the taints that evict pods, and the readiness of their pods. */
export class NodeMonitor {
  readonly #parts: MonitorParts;
  readonly #expectations: Expectations;
  readonly #known = new Map<string, Node>();
  readonly #health = new Map<string, NodeHealth>();
  readonly #readiness = new Map<string, string | undefined>();
  readonly #losses = new Map<string, Loss>();
  readonly #settled = new Map<string, Settled>();
  readonly #evictions: Evictions;

  constructor(parts: MonitorParts) {
    this.#parts = parts;
    this.#expectations = new Expectations(parts.clock);
    this.#evictions = new Evictions({
      ...parts,
      readinessOf: (node) => this.#readiness.get(node),
      writerFor: (node, signal) => this.#writer(node, signal),
    });
  }

  /** Whether the node was not ready when it was looked at. */
  isUnready(node: string): boolean {
    const ready = this.#readiness.get(node);
    return ready !== undefined && ready !== 'True';
  }

  /** Resolves when the signal has fired. Failures are reported, and the next pass tries again. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, settings, nodes, report } = this.#parts;
    let nextPass = clock.monotonic();
    while (!signal.aborted) {
      try {
        if (clock.monotonic() >= nextPass) {
          await this.#pass(signal);
          nextPass = clock.monotonic() + settings.monitorPeriod;
        }
        await this.#evictions.taintNext(signal);
      } catch (error) {
        if (!signal.aborted) report(error);
        nextPass = Math.max(nextPass, clock.monotonic() + 1000);
      }
      if (nodes.indexer.list().length === 0 && this.#known.size === 0) await firstObject(nodes, signal);
      else await sleep(clock, this.#pause(nextPass), signal).catch(() => undefined);
    }
  }

  #pause(nextPass: number): number {
    return Math.max(0, Math.min(nextPass - this.#parts.clock.monotonic(), this.#evictions.wait));
  }

  async #pass(signal: AbortSignal): Promise<void> {
    const nodes = this.#parts.nodes.indexer.list();
    const changed = nodes.filter((node) => !this.#isUnchanged(node));
    // A pass without changes still has to forget deleted nodes.
    if (changed.length === 0 && nodes.length === this.#known.size) return;
    this.#register(nodes);
    const failed = new Set<Node>();
    const settled: Settled[] = [];
    for (let start = 0; start < changed.length; start += CONCURRENCY) {
      const slice = changed.slice(start, start + CONCURRENCY);
      const results = await Promise.allSettled(slice.map((node) => this.#look(node, signal)));
      results.forEach((result, index) => {
        const node = slice[index];
        if (node === undefined) return;
        if (result.status === 'rejected') {
          failed.add(node);
          this.#fail(result.reason, signal);
        } else if (result.value !== undefined) settled.push(result.value);
      });
      if (signal.aborted) return;
    }
    const judged = nodes.filter((node) => !failed.has(node));
    const turn = await this.#evictions.judgeZones(judged, signal);
    for (const each of settled) this.#settled.set(each.node.metadata.name ?? '', each);
    if (turn !== 'resume') return;
    const seenAt = this.#parts.clock.now();
    for (const [name, health] of this.#health) this.#health.set(name, { ...health, seenAt });
  }

  /** Whether another look at the node would find what the last one found. A sign of life that a simulation leaves out counts as seen. */
  #isUnchanged(node: Node): boolean {
    const { clock, settings } = this.#parts;
    const { name = '' } = node.metadata;
    const settled = this.#settled.get(name);
    const health = this.#health.get(name);
    if (settled?.node !== node || health === undefined) return false;
    if (settings.hasHeartbeat(name)) this.#health.set(name, { ...health, seenAt: clock.now() });
    else if (settled.lease !== this.#leaseOf(name) || clock.now() > health.seenAt + settings.monitorGrace) return false;
    return true;
  }

  #leaseOf(name: string): Lease | undefined {
    return this.#parts.leases.lister.namespace('kube-node-lease').get(name);
  }

  /** Notices new and deleted nodes. */
  #register(nodes: readonly Node[]): void {
    const present = new Map(nodes.map((node) => [node.metadata.name ?? '', node]));
    for (const [name, node] of this.#known) {
      if (present.get(name)?.metadata.uid === node.metadata.uid) continue;
      this.#announce(node, 'RemovingNode', `Removing Node ${name} from Controller`);
      for (const of of [this.#known, this.#health, this.#readiness, this.#losses, this.#settled]) of.delete(name);
      this.#expectations.forget(name);
      this.#evictions.forget(node);
    }
    for (const [name, node] of present) {
      if (this.#known.has(name)) continue;
      this.#announce(node, 'RegisteredNode', `Registered Node ${name} in Controller`);
      this.#known.set(name, node);
    }
  }

  /**
   * Resolves to the node if it is ready, and needs nothing until it or its lease changes. Rejects if the status of the node could not be
   * written. Then its pods are not changed.
   */
  async #look(cached: Node, signal: AbortSignal): Promise<Settled | undefined> {
    const { name = '' } = cached.metadata;
    const lease = this.#leaseOf(name);
    const isFirst = !this.#health.has(name);
    const assessed = await this.#assess(cached, signal);
    if (assessed === undefined) return undefined;
    const { node, after } = assessed;
    this.#readiness.set(name, after?.status);
    if (after === undefined) return undefined;
    // Another process may have been stopped between the status of the node and those of its pods.
    const isLeft = isFirst && after.status === 'Unknown' && after.reason === STOPPED_REPORTING;
    if (isLeft && !this.#losses.has(name)) this.#losses.set(name, { isAnnounced: true });
    await this.#evictions.consider(node, after.status, signal);
    await this.#finishLoss(node, after.status, signal);
    return after.status === 'True' ? { node: cached, lease } : undefined;
  }

  /** Writes the status of a silent node. Resolves to undefined if the node is gone, or if the cache lacks the last write. */
  async #assess(cached: Node, signal: AbortSignal): Promise<(NodeAssessment & { readonly node: Node }) | undefined> {
    const { clock, settings } = this.#parts;
    const { name = '' } = cached.metadata;
    if (this.#expectations.remainingWait(cached) > 0) return undefined;
    const writer = this.#writer(cached, signal);
    for (let node = cached, attempt = 1; ; attempt++) {
      const lease = this.#leaseOf(name);
      const hasHeartbeat = settings.hasHeartbeat(name);
      const observed = { node, lease, known: this.#health.get(name), now: clock.now(), hasHeartbeat };
      const assessed = assessNode(observed, settings);
      const { health, status, before } = assessed;
      this.#health.set(name, health);
      if (status === undefined) return { ...assessed, node };
      // First, as the write may take effect without an answer.
      if (before.status === 'True') this.#losses.set(name, { isAnnounced: false });
      try {
        return { ...assessed, node: await writer.updateStatus(Node, { ...node, status }) };
      } catch (error) {
        if (isNotFound(error)) return undefined;
        if (!isConflict(error) || attempt === ATTEMPTS) throw error;
        node = await writer.read(Node, node);
      }
    }
  }

  /** Announces a node that became silent, and makes its pods unready. */
  async #finishLoss(node: Node, ready: string, signal: AbortSignal): Promise<void> {
    const { recorder, pods, clock } = this.#parts;
    const { name = '' } = node.metadata;
    const loss = this.#losses.get(name);
    if (ready === 'True') this.#losses.delete(name);
    if (loss === undefined || ready === 'True') return;
    if (!loss.isAnnounced) {
      recorder.event(nodeReference(node), 'Normal', 'NodeNotReady', `Node ${name} status is now: NodeNotReady`);
    }
    loss.isAnnounced = true;
    const writer = this.#writer(node, signal);
    const results = [];
    for (const pod of podsOnNode(pods, name)) {
      results.push(...(await Promise.allSettled([markUnready(pod, clock.now(), { writer, recorder })])));
    }
    const failed = results.filter((result) => result.status === 'rejected');
    if (failed.length === 0) this.#losses.delete(name);
    const fault = failed.find(({ reason }) => !isConflict(reason));
    if (fault !== undefined) throw new Error(`cannot make all pods of ${name} unready`, { cause: fault.reason });
  }

  #writer(owner: Node, signal: AbortSignal): Writer {
    const { client, nodes } = this.#parts;
    const cacheOf = (resource: { readonly kind: string }) => (resource.kind === Node.kind ? nodes : undefined);
    return new Writer({ client, owner, expectations: this.#expectations, cacheOf, signal });
  }

  #announce(node: Node, reason: string, event: string): void {
    const message = `Node ${node.metadata.name ?? ''} event: ${event}`;
    this.#parts.recorder.event(nodeReference(node), 'Normal', reason, message);
  }

  #fail(error: unknown, signal: AbortSignal): void {
    if (!signal.aborted) this.#parts.report(error);
  }
}
