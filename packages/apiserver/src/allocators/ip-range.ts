import type { Random } from '@binnacle/apimachinery/clock';
import {
  firstIpAddress,
  formatIpAddress,
  type IpAddress,
  type IpFamily,
  ipFamilyOf,
  ipOfNumber,
  maskIpAddress,
  numberOfIp,
  parseIpAddress,
  parseIpPrefix,
} from '@binnacle/apimachinery/validation';

/**
 * The static block at the start of a range serves requests for a specific address. It has a 16th of the addresses, within
 * these bounds.
 */
const STATIC_DIVISOR = 16n;
const STATIC_MINIMUM = 16n;
const STATIC_MAXIMUM = 256n;
/** The largest offset at which a search begins: a float represents every integer up to it exactly. */
const LARGEST_OFFSET = 1n << 48n;
const LARGEST_SIZE = (1n << 63n) - 1n;

/**
 * The addresses of one network that services may use. It excludes the network address and, for IPv4, the broadcast
 * address.
 * Upstream: kubernetes `pkg/registry/core/service/ipallocator`.
 */
export class IpRange {
  readonly family: IpFamily;
  /** `10.0.0.0/24` */
  readonly text: string;
  readonly #network: bigint;
  readonly #first: bigint;
  readonly #last: bigint;
  /** Start of the dynamic block, which serves requests for any address. */
  readonly #dynamic: bigint;

  /** Throws RangeError when `text` is not a network. */
  constructor(text: string) {
    const prefix = parseIpPrefix(text);
    if (prefix === undefined) throw new RangeError(`${JSON.stringify(text)} is not a network`);
    const network = maskIpAddress(prefix.address, prefix.length);
    const hostBits = BigInt(network.bytes.length * 8 - prefix.length);
    const size = 1n << hostBits;
    this.family = ipFamilyOf(network);
    this.#network = numberOfIp(network);
    this.text = `${this.#format(this.#network)}/${prefix.length}`;
    this.#first = numberOfIp(firstIpAddress(prefix));
    this.#last = this.#network + size - (this.family === 'IPv4' ? 2n : 1n);
    this.#dynamic = this.#first + staticSize(size);
  }

  /** The network's own address. */
  get network(): string {
    return this.#format(this.#network);
  }

  get first(): string {
    return this.#format(this.#first);
  }

  /** How many addresses it has, at most 2^63 - 1. Upstream: `ipallocator.Allocator`. */
  get size(): number {
    return Number(this.#last - this.#first + 1n < LARGEST_SIZE ? this.#last - this.#first + 1n : LARGEST_SIZE);
  }

  contains(address: IpAddress): boolean {
    if (ipFamilyOf(address) !== this.family) return false;
    const number = numberOfIp(address);
    return number >= this.#first && number <= this.#last;
  }

  /**
   * Yields every address once: the dynamic block, then the static one, each from a random start.
   */
  *candidates(random: Random): Generator<string> {
    yield* this.#cycle(this.#dynamic, this.#last, random);
    yield* this.#cycle(this.#first, this.#dynamic - 1n, random);
  }

  *#cycle(from: bigint, to: bigint, random: Random): Generator<string> {
    if (to > this.#last || from > to) return;
    const size = to - from + 1n;
    const reach = size < LARGEST_OFFSET ? size : LARGEST_OFFSET;
    const start = from + BigInt(Math.floor(random.number() * Number(reach)));
    for (let number = start; number <= to; number++) yield this.#format(number);
    for (let number = from; number < start; number++) yield this.#format(number);
  }

  #format(number: bigint): string {
    return formatIpAddress(ipOfNumber(number, this.family));
  }
}

/**
 * Parses the ranges of a flag: one network, or one of each family joined by a comma. The first is the default family.
 */
export function parseIpRanges(text: string): readonly [IpRange, ...IpRange[]] {
  const [first = '', ...others] = text.split(',').map((part) => part.trim());
  return [new IpRange(first), ...others.map((part) => new IpRange(part))];
}

/** The canonical text of an address, which is the name of its IPAddress object. */
export function canonicalIp(text: string): string {
  const address = parseIpAddress(text);
  return address === undefined ? text : formatIpAddress(address);
}

function staticSize(size: bigint): bigint {
  if (size <= STATIC_MINIMUM) return 0n;
  const share = size / STATIC_DIVISOR;
  if (share < STATIC_MINIMUM) return STATIC_MINIMUM;
  return share > STATIC_MAXIMUM ? STATIC_MAXIMUM : share;
}
