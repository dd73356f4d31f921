import type { RangeUsage } from './allocation-observer.js';

/** A range of port numbers, both ends included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
  /** `30000-32767`, as messages and the stored object show it. */
  readonly text: string;
}

/**
 * Parses `30000-32767`, one port, or `30000+100` (a start and the number of ports after it). Throws RangeError for
 * other texts.
 */
export function parsePortRange(text: string): PortRange {
  const match = /^\s*(\d{1,5})\s*(?:([-+])\s*(\d{1,5})\s*)?$/.exec(text);
  const first = Number(match?.[1]);
  const second = Number(match?.[3] ?? first);
  const last = match?.[2] === '+' ? first + second : second;
  if (match === null || first < 1 || last > 65535 || last < first) {
    throw new RangeError(`${JSON.stringify(text)} is not a port range`);
  }
  return { first, last, text: `${first}-${last}` };
}

/**
 * The allocated ports of a range. Serialized it is one big-endian number whose bit n is the n-th port, as
 * kube-apiserver stores it.
 * Upstream: kubernetes `pkg/registry/core/service/allocator/bitmap.go`.
 */
export class PortBitmap {
  readonly range: PortRange;
  #bits: bigint;

  constructor(range: PortRange, bytes: Uint8Array = new Uint8Array()) {
    this.range = range;
    this.#bits = bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  }

  covers(port: number): boolean {
    return Number.isInteger(port) && port >= this.range.first && port <= this.range.last;
  }

  has(port: number): boolean {
    return this.covers(port) && (this.#bits & this.#bit(port)) !== 0n;
  }

  /** Ignores ports outside the range. */
  add(port: number): void {
    if (this.covers(port)) this.#bits |= this.#bit(port);
  }

  remove(port: number): void {
    if (this.has(port)) this.#bits ^= this.#bit(port);
  }

  /** The allocated ports, in ascending order. */
  *taken(): Generator<number> {
    for (let port = this.range.first; port <= this.range.last; port++) if (this.has(port)) yield port;
  }

  get usage(): RangeUsage {
    const allocated = this.#bits.toString(2).replaceAll('0', '').length;
    return { allocated, available: this.range.last - this.range.first + 1 - allocated };
  }

  toBytes(): Buffer {
    const digits = this.#bits === 0n ? '' : this.#bits.toString(16);
    return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  }

  #bit(port: number): bigint {
    return 1n << BigInt(port - this.range.first);
  }
}
