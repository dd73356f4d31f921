import {
  formatIpAddress,
  ipFamilyOf,
  ipOfNumber,
  type IpPrefix,
  maskIpAddress,
  numberOfIp,
} from '@binnacle/apimachinery/validation';

/** Blocks of a range, both included. */
interface Blocks {
  readonly first: bigint;
  readonly last: bigint;
}

/** A range of addresses for pods, in blocks of one size. A node gets a block. Upstream: `CidrSet`. */
export class NodeRange {
  readonly #cluster: IpPrefix;
  readonly #blockLength: number;
  /** The number of holders of each taken block. It is free when all have released it; upstream has one bit. */
  readonly #holders = new Map<bigint, number>();
  #next = 0n;

  /** `blockLength`: the prefix length of a block, not less than that of the cluster. */
  constructor({ address, length, leadingZeros }: IpPrefix, blockLength: number) {
    this.#cluster = { address: maskIpAddress(address, length), length, leadingZeros };
    this.#blockLength = blockLength;
  }

  /** Takes the next free block after the last one that was taken, so a released block is reused late. Undefined if there is none. */
  take(): string | undefined {
    const count = 1n << BigInt(this.#blockLength - this.#cluster.length);
    for (let tried = 0n; tried < count; tried++) {
      const block = (this.#next + tried) % count;
      if (this.#holders.has(block)) continue;
      this.#next = (block + 1n) % count;
      this.#holders.set(block, 1);
      return this.#textOf(block);
    }
    return undefined;
  }

  /** Takes all blocks that a prefix covers, even those that are taken. Returns false for a prefix out of the range. */
  occupy(prefix: IpPrefix): boolean {
    return this.#change(prefix, 1);
  }

  release(prefix: IpPrefix): void {
    this.#change(prefix, -1);
  }

  #change(prefix: IpPrefix, step: 1 | -1): boolean {
    const blocks = this.#blocksOf(prefix);
    if (blocks === undefined) return false;
    for (let block = blocks.first; block <= blocks.last; block++) {
      const holders = (this.#holders.get(block) ?? 0) + step;
      if (holders > 0) this.#holders.set(block, holders);
      else this.#holders.delete(block);
    }
    return true;
  }

  #blocksOf({ address, length }: IpPrefix): Blocks | undefined {
    const cluster = this.#cluster;
    if (address.family !== cluster.address.family) return undefined;
    const count = 1n << BigInt(this.#blockLength - cluster.length);
    const shared = Math.min(length, cluster.length);
    const isInside = numberOfIp(maskIpAddress(address, shared)) === numberOfIp(maskIpAddress(cluster.address, shared));
    if (!isInside) return undefined;
    if (length <= cluster.length) return { first: 0n, last: count - 1n };
    const first = (numberOfIp(maskIpAddress(address, length)) - numberOfIp(cluster.address)) >> this.#blockBits;
    return {
      first,
      last: first + (length >= this.#blockLength ? 0n : (1n << BigInt(this.#blockLength - length)) - 1n),
    };
  }

  get #blockBits(): bigint {
    return BigInt(this.#cluster.address.bytes.length * 8 - this.#blockLength);
  }

  #textOf(block: bigint): string {
    const { address } = this.#cluster;
    const number = numberOfIp(address) + (block << this.#blockBits);
    return `${formatIpAddress(ipOfNumber(number, ipFamilyOf(address)))}/${this.#blockLength}`;
  }
}
