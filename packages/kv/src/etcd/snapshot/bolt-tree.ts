import { BRANCH_PAGE, type BoltEntry, ELEMENT_BYTES, LEAF_PAGE, PAGE_HEADER_BYTES } from './bolt-format.js';
import { PAGE_BYTES, type PageSink } from './page-sink.js';

/** A page below a branch: the first key in it, and its number. */
interface Child {
  readonly key: Uint8Array;
  readonly page: number;
}

/** Upstream: bbolt `minKeysPerPage`. */
const MIN_CHILDREN = 2;

/**
 * Writes the pages of one bucket from entries in the ascending order of their keys. It keeps one leaf, and one open branch of each level.
 * A page that is full is written at once, so the memory does not grow with the number of entries.
 */
export class BoltTree {
  readonly #sink: PageSink;
  readonly #elementFlags: number;
  #leaf: BoltEntry[] = [];
  #leafBytes = PAGE_HEADER_BYTES;
  /** The open branch of each level, from the leaves up. */
  readonly #levels: Child[][] = [];

  /** `elementFlags`: those of each entry. */
  constructor(sink: PageSink, elementFlags = 0) {
    this.#sink = sink;
    this.#elementFlags = elementFlags;
  }

  async add(entry: BoltEntry): Promise<void> {
    const bytes = ELEMENT_BYTES + entry[0].length + entry[1].length;
    if (this.#leaf.length > 0 && this.#leafBytes + bytes > PAGE_BYTES) await this.#closeLeaf();
    this.#leaf.push(entry);
    this.#leafBytes += bytes;
  }

  /** Resolves with the number of the top page. */
  async finish(): Promise<number> {
    if (this.#leaf.length > 0 || this.#levels.length === 0) await this.#closeLeaf();
    for (let level = 0; ; level += 1) {
      const children = this.#levels[level] ?? [];
      const [only] = children;
      if (level === this.#levels.length - 1 && children.length === 1 && only !== undefined) return only.page;
      await this.#closeBranch(level, children.length);
    }
  }

  async #closeLeaf(): Promise<void> {
    const page = await this.#sink.add(leafPage(this.#leaf, this.#elementFlags), LEAF_PAGE, this.#leaf.length);
    const key = this.#leaf[0]?.[0] ?? new Uint8Array(0);
    this.#leaf = [];
    this.#leafBytes = PAGE_HEADER_BYTES;
    await this.#addChild(0, { key, page });
  }

  async #addChild(level: number, child: Child): Promise<void> {
    const children = (this.#levels[level] ??= []);
    children.push(child);
    const count = fullCount(children);
    if (count > 0) await this.#closeBranch(level, count);
  }

  async #closeBranch(level: number, count: number): Promise<void> {
    const children = this.#levels[level]?.splice(0, count) ?? [];
    const [first] = children;
    if (first === undefined) return;
    const page = await this.#sink.add(branchPage(children), BRANCH_PAGE, children.length);
    await this.#addChild(level + 1, { key: first.key, page });
  }
}

/** How many of the children fill a branch; 0: they may still fit in one. Two are kept for the next branch, which may be the last one. */
function fullCount(children: readonly Child[]): number {
  if (children.length < 2 * MIN_CHILDREN) return 0;
  const most = children.length - MIN_CHILDREN;
  let bytes = PAGE_HEADER_BYTES;
  for (const [index, { key }] of children.entries()) {
    bytes += ELEMENT_BYTES + key.length;
    if (bytes > PAGE_BYTES) return Math.min(most, Math.max(MIN_CHILDREN, index));
  }
  return 0;
}

/** The headers of the elements come first; each says how far its key is from it. */
function leafPage(entries: readonly BoltEntry[], flags: number): Buffer {
  const head = Buffer.alloc(PAGE_HEADER_BYTES + entries.length * ELEMENT_BYTES);
  let end = head.length;
  for (const [index, [key, value]] of entries.entries()) {
    const at = PAGE_HEADER_BYTES + index * ELEMENT_BYTES;
    head.writeUInt32LE(flags, at);
    head.writeUInt32LE(end - at, at + 4);
    head.writeUInt32LE(key.length, at + 8);
    head.writeUInt32LE(value.length, at + 12);
    end += key.length + value.length;
  }
  return Buffer.concat([head, ...entries.flat()]);
}

function branchPage(children: readonly Child[]): Buffer {
  const head = Buffer.alloc(PAGE_HEADER_BYTES + children.length * ELEMENT_BYTES);
  let end = head.length;
  for (const [index, { key, page }] of children.entries()) {
    const at = PAGE_HEADER_BYTES + index * ELEMENT_BYTES;
    head.writeUInt32LE(end - at, at);
    head.writeUInt32LE(key.length, at + 4);
    head.writeBigUInt64LE(BigInt(page), at + 8);
    end += key.length;
  }
  return Buffer.concat([head, ...children.map(({ key }) => key)]);
}
