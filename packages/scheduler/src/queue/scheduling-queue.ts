import { Backoff, type Clock } from '@binnacle/apimachinery/clock';
import type { Steps } from '@binnacle/apimachinery/work';
import type { ClusterEvent, Plugin, PodFacts, QueuedPod } from '../framework/index.js';
import { Heap } from './heap.js';
import { NoticedChanges } from './noticed-changes.js';

/** A pod is tried again after this time although nothing has changed. Upstream: `podMaxInUnschedulablePodsDuration`. */
const LONGEST_WAIT = 300_000;
/** Pods whose backoffs end in the same window leave it together, the important ones first. Upstream: `backoffQOrderingWindowDuration`. */
const WINDOW = 1000;

type Place = 'gated' | 'active' | 'backoff' | 'unschedulable' | 'in flight';

interface Entry {
  facts: PodFacts;
  place: Place;
  /** Since when it has been in the queue. */
  readonly since: number;
  /** How often no node was found. */
  rejections: number;
  /** How often in a row an attempt has failed for another reason. */
  failures: number;
  /** How many events the queue had seen when the pod was popped. */
  eventsBefore: number;
  /** When the last attempt failed. */
  failedAt: number;
  rejectedBy: ReadonlySet<string>;
  /** The plugin that keeps a gated pod out of the queue. */
  gatedBy: string;
  /** Counts the moves, so that a heap can tell a stale item. */
  moves: number;
}

interface Item {
  readonly entry: Entry;
  readonly moves: number;
}

export interface QueueOptions {
  readonly clock: Clock;
  /** The order of active pods. */
  readonly compare: (a: QueuedPod, b: QueuedPod) => number;
  /** The plugins of the pod's profile. */
  readonly profileOf: (pod: PodFacts) => QueueProfile | undefined;
  /** Milliseconds of the backoff after the first failure. Default: 1000. */
  readonly initialBackoff?: number;
  /** Default: 10,000. */
  readonly longestBackoff?: number;
}

/** Plugins that gate pods, and that say which changes may let a pod pass. */
export interface QueueProfile {
  readonly gates: readonly Plugin[];
  plugin(name: string): Plugin | undefined;
}

/**
 * The pods that have no node. A pod is in one place: gated, active, waiting for the end of its backoff, unschedulable until
 * something changes, or in flight. Upstream: `SchedulingQueue`.
 */
export class SchedulingQueue {
  readonly #clock: Clock;
  readonly #profileOf: QueueOptions['profileOf'];
  readonly #windowOf: (entry: Entry) => number;
  readonly #entries = new Map<string, Entry>();
  readonly #active: Heap<Item>;
  /** Taken early if nothing is active. */
  readonly #backoff: Heap<Item>;
  /** Pods whose attempt failed with an error, which no change of the cluster mends. They are not taken early. */
  readonly #failed: Heap<Item>;
  #events = 0;
  #noticed = new NoticedChanges();
  /** The one that failed first is the first. */
  readonly #unschedulable = new Map<string, Entry>();
  /** By the uid of the pod. Only those whose plugin waits for changes of other objects. */
  readonly #gated = new Map<string, Entry>();

  constructor({ clock, compare, profileOf, initialBackoff = 1000, longestBackoff = 10_000 }: QueueOptions) {
    this.#clock = clock;
    this.#profileOf = profileOf;
    const backoff = new Backoff({ initial: initialBackoff, maximum: longestBackoff });
    const windowOf = (entry: Entry) => windowOfBackoff(entry, backoff);
    this.#windowOf = windowOf;
    this.#active = new Heap((a, b) => compare(a.entry, b.entry));
    this.#backoff = new Heap((a, b) => windowOf(a.entry) - windowOf(b.entry) || compare(a.entry, b.entry));
    this.#failed = new Heap((a, b) => windowOf(a.entry) - windowOf(b.entry));
  }

  /** Where the pod is; undefined if the queue does not have it. For tests and diagnosis. */
  placeOf(uid: string): Place | undefined {
    return this.#entries.get(uid)?.place;
  }

  /** Adds a pod, or takes its new version. `mayPass`: the change may let a rejected pod pass. */
  set(facts: PodFacts, mayPass = true): void {
    const present = this.#entries.get(facts.uid);
    if (present === undefined) {
      const now = this.#clock.monotonic();
      const entry: Entry = {
        facts,
        place: 'gated',
        since: now,
        rejections: 0,
        failures: 0,
        eventsBefore: 0,
        failedAt: -Infinity,
        rejectedBy: new Set(),
        gatedBy: '',
        moves: 0,
      };
      this.#entries.set(facts.uid, entry);
      this.#activate(entry);
      return;
    }
    present.facts = facts;
    if (present.place === 'gated' || (present.place === 'unschedulable' && mayPass)) this.#activate(present);
  }

  delete(uid: string): void {
    const entry = this.#entries.get(uid);
    if (entry === undefined) return;
    this.#leave(entry);
    this.#entries.delete(uid);
  }

  /** Whether a pod may be active. False is certain. */
  get hasActive(): boolean {
    return this.#active.size > 0 || this.#backoff.size > 0;
  }

  /** The next pod to try. If none is active, one whose backoff has not ended; undefined if there is none either. */
  pop(): PodFacts | undefined {
    this.#endBackoffs();
    const entry = this.#take(this.#active, 'active') ?? this.#take(this.#backoff, 'backoff');
    if (entry === undefined) return undefined;
    this.#move(entry, 'in flight');
    entry.eventsBefore = this.#events;
    return entry.facts;
  }

  /**
   * Puts a pod back that no node fits. It waits for a change that one of these plugins is interested in; for any, if there are
   * none. A change during the attempt counts.
   */
  putBack(uid: string, rejectedBy: ReadonlySet<string>): void {
    const entry = this.#entries.get(uid);
    if (entry === undefined) return;
    entry.rejectedBy = rejectedBy;
    entry.failedAt = this.#clock.monotonic();
    entry.rejections++;
    entry.failures = 0;
    if (entry.eventsBefore !== this.#events) {
      this.#activate(entry);
      return;
    }
    this.#move(entry, 'unschedulable');
    this.#unschedulable.set(uid, entry);
  }

  /** Puts a pod back whose attempt failed for another reason. It is tried again after its backoff. */
  retry(uid: string): void {
    const entry = this.#entries.get(uid);
    if (entry === undefined) return;
    entry.failedAt = this.#clock.monotonic();
    entry.failures++;
    this.#activate(entry);
  }

  /** A change may let pods pass, apart from the pod that caused it. {@link settle} moves them. */
  notice(event: ClusterEvent, cause?: string): void {
    this.#events++;
    this.#noticed.add(event, cause);
  }

  /** Whether no change waits for {@link settle}. */
  get isSettled(): boolean {
    return this.#noticed.isEmpty;
  }

  /** Moves the pods that the noticed changes may let pass. Thousands of pods and changes take long, and the queue must not change meanwhile. */
  *settle(): Steps<void> {
    const noticed = this.#noticed;
    this.#noticed = new NoticedChanges();
    for (const entry of [...this.#gated.values(), ...this.#unschedulable.values()]) {
      if (yield* this.#isWorthTrying(entry, noticed)) this.#activate(entry);
      yield;
    }
  }

  /** Milliseconds until a pod becomes active; undefined if only a change can do that. */
  nextActivation(): number | undefined {
    if (this.#firstOf(this.#backoff) !== undefined) return 0;
    const now = this.#clock.monotonic();
    const [oldest] = this.#unschedulable.values();
    const failed = this.#firstOf(this.#failed);
    const times = [
      ...(oldest === undefined ? [] : [oldest.failedAt + LONGEST_WAIT]),
      ...(failed === undefined ? [] : [this.#windowOf(failed) + WINDOW]),
    ];
    return times.length === 0 ? undefined : Math.max(0, Math.min(...times) - now);
  }

  *#isWorthTrying({ facts, place, gatedBy, rejectedBy }: Entry, noticed: NoticedChanges): Steps<boolean> {
    const isGated = place === 'gated';
    if (!isGated && rejectedBy.size === 0) return yield* noticed.concern(facts, undefined);
    for (const name of isGated ? [gatedBy] : rejectedBy) {
      if (yield* noticed.concern(facts, this.#profileOf(facts)?.plugin(name)?.interests)) return true;
    }
    return false;
  }

  /** Moves a pod to the active pods, to its backoff first, or to the gated pods. */
  #activate(entry: Entry): void {
    this.#leave(entry);
    const gate = this.#gateOf(entry.facts);
    if (gate !== undefined) {
      this.#move(entry, 'gated');
      entry.gatedBy = gate.name;
      if (gate.interests?.length !== 0) this.#gated.set(entry.facts.uid, entry);
      return;
    }
    const isBackingOff = this.#windowOf(entry) + WINDOW > this.#clock.monotonic();
    this.#move(entry, isBackingOff ? 'backoff' : 'active');
    const backoff = entry.failures > 0 ? this.#failed : this.#backoff;
    (isBackingOff ? backoff : this.#active).push({ entry, moves: entry.moves });
  }

  /** The first plugin that keeps the pod out of the queue. */
  #gateOf(facts: PodFacts): Plugin | undefined {
    for (const plugin of this.#profileOf(facts)?.gates ?? []) {
      if ((plugin.preEnqueue?.(facts).code ?? 'Success') !== 'Success') return plugin;
    }
    return undefined;
  }

  #endBackoffs(): void {
    const now = this.#clock.monotonic();
    for (const entry of this.#unschedulable.values()) {
      if (entry.failedAt + LONGEST_WAIT > now) break;
      this.#activate(entry);
    }
    for (const heap of [this.#backoff, this.#failed]) {
      for (let next = this.#firstOf(heap); next !== undefined; next = this.#firstOf(heap)) {
        if (this.#windowOf(next) + WINDOW > now) break;
        heap.pop();
        this.#activate(next);
      }
    }
  }

  /** The first pod of a heap of backoffs. Drops items whose pods have moved on. */
  #firstOf(heap: Heap<Item>): Entry | undefined {
    for (let item = heap.peek(); item !== undefined; item = heap.peek()) {
      if (this.#isCurrent(item, 'backoff')) return item.entry;
      heap.pop();
    }
    return undefined;
  }

  #take(heap: Heap<Item>, place: Place): Entry | undefined {
    for (let item = heap.pop(); item !== undefined; item = heap.pop()) {
      if (this.#isCurrent(item, place)) return item.entry;
    }
    return undefined;
  }

  #isCurrent({ entry, moves }: Item, place: Place): boolean {
    return entry.place === place && entry.moves === moves && this.#has(entry);
  }

  #has(entry: Entry): boolean {
    return this.#entries.get(entry.facts.uid) === entry;
  }

  #leave(entry: Entry): void {
    this.#gated.delete(entry.facts.uid);
    this.#unschedulable.delete(entry.facts.uid);
  }

  #move(entry: Entry, place: Place): void {
    this.#leave(entry);
    entry.place = place;
    entry.moves++;
  }
}

/** The start of the window in which the backoff ends. A backoff doubles with each failure. */
function windowOfBackoff({ rejections, failures, failedAt }: Entry, backoff: Backoff): number {
  const count = failures > 0 ? failures : rejections;
  if (count === 0) return -Infinity;
  return Math.floor((failedAt + backoff.delay(count - 1)) / WINDOW) * WINDOW;
}
