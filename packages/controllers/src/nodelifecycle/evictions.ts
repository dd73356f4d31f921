import { asJson } from '@binnacle/apimachinery/meta';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { SharedInformer } from '@binnacle/client/cache';
import { Node, type Taint } from '@binnacle/client/kinds/core/v1';
import { isConflict, isNotFound } from '@binnacle/client/rest';
import type { Writer } from '../common/index.js';
import { EvictionQueue } from './eviction-queue.js';
import type { NodeLifecycleSettings } from './settings.js';
import { isEvicted, noExecuteTaints } from './taints.js';
import { countsInZone, planZones, type ZoneState, type ZonesPlan, zoneOf } from './zones.js';

export interface EvictionParts {
  readonly clock: Clock;
  readonly nodes: SharedInformer<Node>;
  readonly settings: NodeLifecycleSettings;
  /** The status of the condition Ready, as the last pass has seen it. */
  readonly readinessOf: (node: string) => string | undefined;
  readonly writerFor: (node: Node, signal: AbortSignal) => Writer;
}

/** Gives nodes the taints that evict their pods, at the rates of their zones, and takes them off again. */
export class Evictions {
  readonly #parts: EvictionParts;
  readonly #queues = new Map<string, EvictionQueue>();
  #zones: ReadonlyMap<string, ZoneState> = new Map();

  constructor(parts: EvictionParts) {
    this.#parts = parts;
  }

  /** Milliseconds until the next node gets its taint; Infinity if none waits. */
  get wait(): number {
    const now = this.#parts.clock.monotonic();
    return Math.min(...[...this.#queues.values()].map((queue) => queue.wait(now) ?? Infinity));
  }

  /** A node that changes between not ready and unreachable gets the other taint at once. A node gets its first one by the queue. */
  async consider(node: Node, ready: string, signal: AbortSignal): Promise<void> {
    const { name = '' } = node.metadata;
    const taints = noExecuteTaints(node, ready, this.#parts.clock.now());
    if (taints !== undefined && ready !== 'True' && !isEvicted(node)) return this.#queueOf(node).add(name);
    this.forget(node);
    if (taints !== undefined) await this.#taint(node, taints, signal);
  }

  forget(node: Node): void {
    this.#queueOf(node).remove(node.metadata.name ?? '');
  }

  /** Sets the rates of all zones by the nodes that a pass has looked at. */
  async judgeZones(nodes: readonly Node[], signal: AbortSignal): Promise<ZonesPlan['turn']> {
    const { clock, settings, readinessOf } = this.#parts;
    const readiness = new Map<string, (string | undefined)[]>();
    for (const node of nodes.filter(countsInZone)) {
      const zone = readiness.get(zoneOf(node)) ?? [];
      readiness.set(zoneOf(node), zone);
      zone.push(readinessOf(node.metadata.name ?? ''));
    }
    const { states, rates, turn } = planZones(this.#zones, readiness, settings);
    this.#zones = states;
    for (const [zone, rate] of rates) this.#queue(zone).setRate(rate, clock.monotonic());
    if (turn === 'stop') await this.#takeBack(signal);
    return turn;
  }

  /** Taints the nodes whose turn has come. */
  async taintNext(signal: AbortSignal): Promise<void> {
    const { clock, nodes, readinessOf } = this.#parts;
    for (const queue of this.#queues.values()) {
      for (let name = queue.take(clock.monotonic()); name !== undefined; name = queue.take(clock.monotonic())) {
        const node = nodes.lister.get(name);
        const taints = node && noExecuteTaints(node, readinessOf(name) ?? 'True', clock.now());
        if (node !== undefined && taints !== undefined) await this.#taint(node, taints, signal);
        queue.remove(name);
      }
    }
  }

  async #takeBack(signal: AbortSignal): Promise<void> {
    for (const node of this.#parts.nodes.indexer.list()) {
      this.forget(node);
      const taints = isEvicted(node) ? noExecuteTaints(node, 'True', this.#parts.clock.now()) : undefined;
      if (taints !== undefined) await this.#taint(node, taints, signal);
    }
  }

  /** A conflict is not a failure: the next pass sees the change. */
  async #taint(node: Node, taints: readonly Taint[], signal: AbortSignal): Promise<void> {
    const { resourceVersion = '' } = node.metadata;
    const body = { metadata: { resourceVersion }, spec: { taints: taints.length === 0 ? null : asJson(taints) } };
    try {
      await this.#parts.writerFor(node, signal).patch(Node, node, body);
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  #queueOf(node: Node): EvictionQueue {
    return this.#queue(zoneOf(node));
  }

  #queue(zone: string): EvictionQueue {
    const queue = this.#queues.get(zone) ?? new EvictionQueue(this.#parts.settings.evictionRate);
    this.#queues.set(zone, queue);
    return queue;
  }
}
