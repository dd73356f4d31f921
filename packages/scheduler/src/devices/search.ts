import type { ResourceClaim } from '@binnacle/client/kinds/resource/v1';
import type { Quantity } from '@binnacle/apimachinery/quantity';
import type { Steps } from '@binnacle/apimachinery/work';
import type { AllocatedDevices } from './allocated-devices.js';
import { devicesOf, type OfferedDevice } from './offered-device.js';
import { capacityFor, type ConsumedCapacity, plus } from './capacity.js';
import { Counters } from './counters.js';
import { AttributeConstraint } from './device-constraints.js';
import { preventsAllocation } from './device-taints.js';
import { isSelected, MOST_DEVICES, type PlannedRequest, type PlanOptions } from './planned-requests.js';
import type { RequestedDevices } from './requested-devices.js';

/** The work of a trial: a device is compared with all constraints, capacities and counters. */
const TRIAL = 50;

/** A device that a request gets. */
export interface ChosenDevice {
  readonly requested: RequestedDevices;
  readonly offered: OfferedDevice;
  /** What the claim takes of a device that it shares. */
  readonly consumed: ConsumedCapacity | undefined;
}

export interface SearchOptions extends PlanOptions {
  readonly claims: readonly ResourceClaim[];
  /** The alternatives of each request of each claim. */
  readonly requests: readonly (readonly (readonly PlannedRequest[])[])[];
  readonly allocated: AllocatedDevices;
}

/** A claim's devices, and the alternative of each request that they fulfill. */
export interface ClaimSolution {
  readonly devices: readonly ChosenDevice[];
  readonly fulfilled: readonly PlannedRequest[];
}

/** `tooMany`: with these choices a claim has more devices than it may, so other devices do not help. */
type Outcome = 'found' | 'none' | 'tooMany';

/**
 * Tries devices for one request after the other until all requests of all claims are fulfilled, and backtracks when a request
 * finds none. The first solution is the answer. Upstream: dynamic-resource-allocation `allocator_incubating.go`.
 */
export class Search {
  readonly #options: SearchOptions;
  readonly #constraints: readonly (readonly AttributeConstraint[])[];
  readonly #candidates: readonly OfferedDevice[];
  readonly #counters: ReadonlyMap<string, Counters>;
  readonly #chosen: ChosenDevice[][];
  readonly #fulfilled: PlannedRequest[][];
  /** The claims of this search that have a device. */
  readonly #users = new Map<string, Set<number>>();
  readonly #shared: Map<string, ConsumedCapacity>;

  constructor(options: SearchOptions) {
    const { claims, pools, allocated } = options;
    this.#options = options;
    this.#constraints = claims.map(({ spec }) =>
      (spec.devices?.constraints ?? []).map((constraint) => new AttributeConstraint(constraint)),
    );
    this.#candidates = pools.flatMap(({ slices }) => slices.flatMap(devicesOf));
    const isAllocated = (key: string): boolean => allocated.exclusive.has(key) || allocated.shared.has(key);
    this.#counters = new Map(pools.map((pool) => [pool.id, new Counters(pool, isAllocated)]));
    this.#chosen = claims.map(() => []);
    this.#fulfilled = claims.map(() => []);
    this.#shared = new Map(allocated.shared);
  }

  /** Undefined if there is no solution. Throws if a selector fails, or after too much work. */
  *run(): Steps<readonly ClaimSolution[] | undefined> {
    const outcome = yield* this.#nextRequest(0, 0);
    if (outcome === 'tooMany') throw new Error('allocation max size exceeded');
    if (outcome === 'none') return undefined;
    return this.#chosen.map((devices, index) => ({ devices, fulfilled: this.#fulfilled[index] ?? [] }));
  }

  *#nextRequest(claim: number, index: number): Steps<Outcome> {
    const requests = this.#options.requests[claim];
    if (requests === undefined) return 'found';
    const alternatives = requests[index];
    if (alternatives === undefined) {
      const outcome = yield* this.#nextRequest(claim + 1, 0);
      return outcome === 'tooMany' ? 'none' : outcome;
    }
    // Too many only if every alternative is.
    let failure: Outcome = 'tooMany';
    for (const planned of alternatives) {
      const outcome = yield* this.#nextDevice({ claim, index, planned, count: 0, start: 0 });
      if (outcome === 'found') {
        (this.#fulfilled[claim] ?? [])[index] = planned;
        return outcome;
      }
      if (outcome === 'none') failure = outcome;
    }
    return failure;
  }

  /** Each set of devices of a request is tried in one order only. */
  *#nextDevice(place: Place): Steps<Outcome> {
    const { claim, index, planned, count, start } = place;
    if (planned.all?.length === 0) return 'none';
    if (count >= planned.count) return yield* this.#nextRequest(claim, index + 1);
    const have = this.#chosen[claim]?.length ?? 0;
    if (have + planned.count - count > MOST_DEVICES) return 'tooMany';
    if (planned.all !== undefined) {
      const device = planned.all[count];
      return device === undefined ? 'none' : yield* this.#with(device, place, count + 1);
    }
    const { work } = this.#options;
    for (let next = start; next < this.#candidates.length; next++) {
      const offered = this.#candidates[next];
      if (work.endsStep(1)) yield;
      if (offered === undefined || this.#isTaken(offered.key, claim, planned.requested)) continue;
      if (!(yield* isSelected(offered, planned.selectors, this.#options))) continue;
      const outcome = yield* this.#with(offered, place, next + 1);
      if (outcome !== 'none') return outcome;
    }
    return 'none';
  }

  /** Takes the device, and tries to complete the allocation. If that fails, it gives the device back. */
  *#with(offered: OfferedDevice, place: Place, start: number): Steps<Outcome> {
    if (this.#options.work.endsStep(TRIAL)) yield;
    const giveBack = this.#take(offered, place.planned, place.claim);
    if (giveBack === undefined) return 'none';
    const outcome = yield* this.#nextDevice({ ...place, count: place.count + 1, start });
    if (outcome !== 'found') giveBack();
    return outcome;
  }

  /** Undefined if the device cannot join the others. */
  #take(offered: OfferedDevice, { requested, all }: PlannedRequest, claim: number): (() => void) | undefined {
    const { key, device, slice } = offered;
    if (this.#isTaken(key, claim, requested) || preventsAllocation(device, requested.tolerations)) return undefined;
    const isShared = device.allowMultipleAllocations === true;
    const used = this.#shared.get(key);
    const consumed = capacityFor(requested, device, used ?? new Map<string, Quantity>());
    if (consumed === undefined) return undefined;
    const undo: (() => void)[] = [];
    const giveBack = (): void => {
      for (const step of undo.toReversed()) step();
    };
    if ((device.consumesCounters ?? []).length > 0 && !(isShared && used !== undefined)) {
      const release = this.#counters.get(`${slice.spec.driver}/${slice.spec.pool.name}`)?.consume(device);
      if (release === undefined) return undefined;
      undo.push(release);
    }
    for (const constraint of this.#constraints[claim] ?? []) {
      const leave = constraint.add(requested, offered);
      if (leave === undefined) {
        giveBack();
        if (all !== undefined) throw new Error(this.#unsatisfied(claim, requested, offered));
        return undefined;
      }
      undo.push(leave);
    }
    undo.push(isShared ? this.#share(key, consumed) : this.#use(key, claim));
    const chosen = this.#chosen[claim];
    chosen?.push({ requested, offered, consumed: isShared ? consumed : undefined });
    undo.push(() => void chosen?.pop());
    return giveBack;
  }

  #share(key: string, consumed: ConsumedCapacity): () => void {
    const before = this.#shared.get(key);
    this.#shared.set(key, before === undefined ? consumed : plus(before, consumed));
    return () => {
      if (before === undefined) this.#shared.delete(key);
      else this.#shared.set(key, before);
    };
  }

  #use(key: string, claim: number): () => void {
    const users = this.#users.get(key) ?? new Set<number>();
    this.#users.set(key, users.add(claim));
    return () => void users.delete(claim);
  }

  /** With admin access only a second use by the same claim is refused. */
  #isTaken(key: string, claim: number, { adminAccess }: RequestedDevices): boolean {
    const users = this.#users.get(key);
    if (adminAccess) return users?.has(claim) === true;
    return this.#options.allocated.exclusive.has(key) || (users?.size ?? 0) > 0;
  }

  #unsatisfied(claim: number, { reference }: RequestedDevices, { key }: OfferedDevice): string {
    const { namespace = '', name = '' } = this.#options.claims[claim]?.metadata ?? {};
    const problem = `cannot add device ${key} because a claim constraint would not be satisfied`;
    return `claim ${namespace}/${name}, request ${reference}: ${problem}`;
  }
}

interface Place {
  readonly claim: number;
  /** The request of the claim. */
  readonly index: number;
  readonly planned: PlannedRequest;
  /** How many devices the request has. */
  readonly count: number;
  /** The first candidate for the next one. */
  readonly start: number;
}
