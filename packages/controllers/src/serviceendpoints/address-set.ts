import type { EndpointAddress } from '@binnacle/client/kinds/core/v1';
import { createHash } from 'node:crypto';

/**
 * Addresses in order, each ready or not. A member is a number: twice the address's place in `order`, plus 1 if it is
 * not ready. This keeps many sets that share addresses small.
 */
export class AddressSet {
  readonly #order: readonly EndpointAddress[];
  readonly #members: Uint32Array;

  constructor(order: readonly EndpointAddress[], members: Uint32Array) {
    this.#order = order;
    this.#members = members;
  }

  get size(): number {
    return this.#members.length;
  }

  ready(): Iterable<EndpointAddress> {
    return this.#select(0);
  }

  notReady(): Iterable<EndpointAddress> {
    return this.#select(1);
  }

  *#select(remainder: 0 | 1): Generator<EndpointAddress> {
    for (const member of this.#members) {
      const address = this.#order[member >>> 1];
      if (member % 2 === remainder && address !== undefined) yield address;
    }
  }
}

/** Equal for equal sets. */
export function membersKey({ buffer, byteOffset, byteLength }: Uint32Array): string {
  return createHash('sha256')
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest('base64');
}

/** Sorts members, and merges those of the same address. It is ready if all of them are. */
export function toMembers(members: readonly number[]): Uint32Array {
  const sorted = Uint32Array.from(members).sort();
  return mergeMembers(sorted, new Uint32Array());
}

/** The members of both. An address that is not ready in one of them is not ready. */
export function mergeMembers(one: Uint32Array, other: Uint32Array): Uint32Array {
  const merged = new Uint32Array(one.length + other.length);
  let length = 0;
  const append = (member: number) => {
    const last = merged[length - 1];
    if (last !== undefined && last >>> 1 === member >>> 1) merged[length - 1] = Math.max(last, member);
    else merged[length++] = member;
  };
  let taken = 0;
  for (const member of other) {
    for (let next = one[taken]; next !== undefined && next <= member; next = one[++taken]) append(next);
    append(member);
  }
  for (let next = one[taken]; next !== undefined; next = one[++taken]) append(next);
  return merged.slice(0, length);
}
