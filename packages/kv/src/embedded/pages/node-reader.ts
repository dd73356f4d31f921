import {
  BRANCH,
  LEAF,
  nodeBytes,
  nodeCount,
  nodeStart,
  PAGE_HEADER_BYTES,
  type PageNode,
  readLong,
  readNodeAt,
} from './page-file.js';

/** Nodes begin at even offsets. */
const ALIGNMENT = 2;

/** What must be true of a page of a tree. */
export interface ExpectedPage {
  readonly number: number;
  /** The newest transaction that can have written it. */
  readonly transaction: number;
  /** The allowed flags of a leaf's entries; undefined for a branch. */
  readonly entryFlags: readonly number[] | undefined;
}

/** Reads the nodes of pages that may be corrupt. */
export class NodeReader {
  /** The bytes of the node at each aligned offset; 0 between calls. */
  readonly #sizes: Uint16Array;

  constructor(pageSize: number) {
    this.#sizes = new Uint16Array(pageSize / ALIGNMENT);
  }

  /** The nodes in order of the page's table of offsets. Undefined unless they fill the page side by side. */
  read(page: Buffer, { number, transaction, entryFlags }: ExpectedPage): PageNode[] | undefined {
    const isLeaf = entryFlags !== undefined;
    const count = nodeCount(page);
    const isSound =
      readLong(page, 0) === number &&
      readLong(page, 8) <= transaction &&
      page.readUInt16LE(18) === (isLeaf ? LEAF : BRANCH);
    if (!isSound || count === undefined || count === 0) return undefined;
    const nodes: PageNode[] = [];
    for (let index = 0; index < count; index += 1) {
      const start = nodeStart(page, index);
      const node = readNodeAt(page, start, !isLeaf);
      if (node === undefined || start % ALIGNMENT !== 0 || entryFlags?.includes(node.flags) === false) break;
      this.#sizes[start / ALIGNMENT] = nodeBytes(node);
      nodes.push(node);
    }
    if (nodes.length === count && this.#takeNodes(PAGE_HEADER_BYTES + page.readUInt16LE(22), page.length) === count) {
      return nodes;
    }
    this.#sizes.fill(0);
    return undefined;
  }

  /** The number of nodes that lie side by side from `start` to `end`; undefined unless they do. Takes out their sizes. */
  #takeNodes(start: number, end: number): number | undefined {
    let [at, count] = [start, 0];
    while (at < end) {
      const size = this.#sizes[at / ALIGNMENT] ?? 0;
      if (size === 0) return undefined;
      this.#sizes[at / ALIGNMENT] = 0;
      at += size;
      count += 1;
    }
    return at === end ? count : undefined;
  }
}
