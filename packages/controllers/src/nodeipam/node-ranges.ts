import { type IpPrefix, parseIpPrefix } from '@binnacle/apimachinery/validation';
import type { NodeBlocks } from '../loop/index.js';
import { NodeRange } from './node-range.js';

interface Held {
  readonly uid: string | undefined;
  readonly cidrs: readonly string[];
}

/** The ranges of a cluster, one for each family, and what nodes hold of them. */
export class NodeRanges {
  readonly #ranges: readonly NodeRange[];
  /** By the name of the node. */
  readonly #held = new Map<string, Held>();

  /** `reserved`: CIDRs that nodes do not get, separated by commas. */
  constructor(blocks: readonly NodeBlocks[], reserved: string) {
    this.#ranges = blocks.map(({ range, blockLength }) => new NodeRange(range, blockLength));
    for (const prefix of prefixesOf(reserved)) {
      for (const range of this.#ranges) range.occupy(prefix);
    }
  }

  /** The CIDRs that a node holds. */
  heldBy(name: string, uid: string | undefined): readonly string[] | undefined {
    const held = this.#held.get(name);
    return held?.uid === uid ? held?.cidrs : undefined;
  }

  /** Takes one block of each range for a node; undefined if one of them is full. */
  allocate(name: string, uid: string | undefined): readonly string[] | undefined {
    this.release(name);
    const taken = this.#ranges.map((range) => range.take());
    const cidrs = taken.filter((cidr) => cidr !== undefined);
    this.#held.set(name, { uid, cidrs });
    if (cidrs.length === taken.length) return cidrs;
    this.release(name);
    return undefined;
  }

  /** Notes what a node has. Throws an Error for CIDRs that are not of the ranges. */
  occupy(name: string, uid: string | undefined, cidrs: readonly string[]): void {
    if (this.heldBy(name, uid)?.join() === cidrs.join()) return;
    this.release(name);
    const known = cidrs.filter((cidr) => {
      const prefix = parseIpPrefix(cidr);
      return prefix !== undefined && this.#ranges.some((range) => range.occupy(prefix));
    });
    this.#held.set(name, { uid, cidrs: known });
    if (known.length < cidrs.length) throw new Error(`node ${name} has ${cidrs.join()}, which is not of the cluster`);
  }

  release(name: string): void {
    for (const cidr of this.#held.get(name)?.cidrs ?? []) {
      const prefix = parseIpPrefix(cidr);
      if (prefix !== undefined) for (const range of this.#ranges) range.release(prefix);
    }
    this.#held.delete(name);
  }
}

function prefixesOf(list: string): IpPrefix[] {
  const texts = list.split(',').map((text) => text.trim());
  return texts.flatMap((text) => (text === '' ? [] : (parseIpPrefix(text) ?? [])));
}
