import { Quantity } from '@binnacle/apimachinery/quantity';
import type { Device } from '@binnacle/client/kinds/resource/v1';
import { devicesOf } from './offered-device.js';
import type { Pool } from './pools.js';

/** What is left of the counters that the devices of a pool share. */
export class Counters {
  readonly #left = new Map<string, Quantity>();

  /** `isAllocated`: the device already consumes its counters. */
  constructor({ counterSets, allSlices }: Pool, isAllocated: (key: string) => boolean) {
    for (const { name, counters } of counterSets.values()) {
      for (const [counter, { value }] of Object.entries(counters)) {
        this.#left.set(`${name}/${counter}`, Quantity.parse(value));
      }
    }
    for (const { key, device } of allSlices.flatMap(devicesOf)) if (isAllocated(key)) this.#take(device);
  }

  /** Takes what the device consumes. Returns a function that gives it back; undefined if too little is left. */
  consume(device: Device): (() => void) | undefined {
    const before = this.#take(device);
    const restore = (): void => {
      for (const [key, value] of before) this.#left.set(key, value);
    };
    if ([...before.keys()].every((key) => (this.#left.get(key)?.sign ?? 0) >= 0)) return restore;
    restore();
    return undefined;
  }

  /** Returns the earlier values of what it changes. */
  #take({ consumesCounters = [] }: Device): ReadonlyMap<string, Quantity> {
    const before = new Map<string, Quantity>();
    for (const { counterSet, counters } of consumesCounters) {
      for (const [name, { value }] of Object.entries(counters)) {
        const key = `${counterSet}/${name}`;
        const left = this.#left.get(key);
        if (left === undefined) continue;
        if (!before.has(key)) before.set(key, left);
        this.#left.set(key, left.subtract(Quantity.parse(value)));
      }
    }
    return before;
  }
}
