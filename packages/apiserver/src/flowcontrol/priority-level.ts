import { createHash } from 'node:crypto';
import { LruMap } from '@binnacle/apimachinery/caches';
import type { Clock } from '@binnacle/apimachinery/clock';
import { deal, type Demand, noLoad, QueueSet, type QueueSetShape } from '../fairqueuing/index.js';
import type { Flow, FlowObservers } from './flow-observer.js';
import type { LevelSettings } from './level-settings.js';
import { type Limits, widestRequest } from './limits.js';
import { RetryAfter } from './retry-after.js';

/** Hands are kept for this many users or namespaces. */
const KEPT_HANDS = 1000;
/** In UTF-16 code units. Clients choose the namespaces of their paths, which may be a megabyte long. */
const LONGEST_KEPT = 512;
const HASH_BYTES = 8;

/** What the last adjustment found and decided. */
export interface Adjustment {
  readonly demand: Demand;
  readonly smoothed: number;
  readonly target: number;
}

const NO_DEMAND: Demand = { seconds: 0, average: 0, deviation: 0, highest: 0 };

/** A priority level in force: its queues, and who uses them. */
export class PriorityLevel {
  settings: LevelSettings;
  limits: Limits;
  /** Whether its object is gone and it serves its last requests. */
  isQuiescing = false;
  adjustment: Adjustment = { demand: NO_DEMAND, smoothed: 0, target: 0 };
  readonly queues: QueueSet;
  readonly retryAfter = new RetryAfter();
  /** By flow schema. */
  readonly flows = new Map<string, Flow>();
  readonly #observers: FlowObservers;
  #hands = new LruMap<string, readonly number[]>(KEPT_HANDS);

  constructor(clock: Clock, settings: LevelSettings, limits: Limits, observers: FlowObservers) {
    this.settings = settings;
    this.limits = limits;
    this.#observers = observers;
    this.queues = new QueueSet(clock, shapeOf(settings), limits.nominal);
    this.queues.onNoRoom = (load) => {
      for (const flow of this.flows.values()) if (flow.load === load) flow.observer.noRoom();
    };
    const observer = observers.level(settings.name);
    this.queues.onChange = (now) => observer.changed(this.queues, now);
  }

  get name(): string {
    return this.settings.name;
  }

  /** The most seats that a request may take; undefined: the level does not say. */
  get widest(): number | undefined {
    return widestRequest(this.settings, this.limits);
  }

  configure(settings: LevelSettings, limits: Limits): void {
    if (settings !== this.settings) this.#hands = new LruMap(KEPT_HANDS);
    this.settings = settings;
    this.limits = limits;
  }

  /** Obeys the settings with this many seats. */
  adjust(seats: number, adjustment: Adjustment): void {
    this.adjustment = adjustment;
    this.queues.configure(shapeOf(this.settings), seats);
  }

  flowOf(schema: string): Flow {
    let flow = this.flows.get(schema);
    if (flow === undefined) {
      flow = { load: noLoad(), observer: this.#observers.flow(this.name, schema) };
      this.flows.set(schema, flow);
    }
    return flow;
  }

  /** The queues among which the requests of a flow choose. */
  handOf(schema: string, distinguisher: string): readonly number[] {
    const { queuing } = this.settings;
    if (queuing === undefined) return [];
    const key = `${schema}\0${distinguisher}`;
    const known = this.#hands.get(key);
    if (known !== undefined) return known;
    const hand = deal(hashOf(key), queuing.queues, queuing.handSize);
    if (key.length <= LONGEST_KEPT) this.#hands.set(key, hand);
    return hand;
  }
}

/** Users cannot choose names whose requests share the queues of another user. */
function hashOf(key: string): bigint {
  return createHash('sha256').update(key).digest().subarray(0, HASH_BYTES).readBigUInt64LE();
}

function shapeOf({ isExempt, queuing }: LevelSettings): QueueSetShape {
  return { isUnlimited: isExempt, queues: queuing?.queues ?? 0, queueLength: queuing?.queueLength ?? 0 };
}
