import { existsSync, statSync } from 'node:fs';
import { damagedFile } from '../disk/failure.js';
import { decodePointer, soundRevision } from '../format/layout.js';
import { isSoundOverflow, OverflowCheck } from './overflow-check.js';
import {
  BIG_DATA,
  BRANCH,
  isTreeRecord,
  LEAF,
  nodeBytes,
  nodeCount,
  PAGE_HEADER_BYTES,
  PageFile,
  type PageNode,
  readLong,
  readNode,
  readOverflow,
  readTree,
  SUB_DATA,
  type TreeRecord,
} from './page-file.js';
import { type TableName, tableName, TABLES } from './page-tree.js';

/** Later problems add nothing. */
const PROBLEMS_KEPT = 20;
/** The flags that determine the order of keys and values, and the one for numeric keys. */
const ORDER_FLAGS = 0x7f;
const INTEGER_KEYS = 8;
const COUNTED = ['branchPages', 'leafPages', 'overflowPages', 'entries'] as const;

interface Tree {
  readonly name: string;
  readonly record: TreeRecord;
  /** The order of keys, as LMDB's flags. */
  readonly order: number;
  /** The allowed flags of an entry. */
  readonly entryFlags: readonly number[];
  /** Whether an entry is intact, so that its key must be in order. Absent: the order of the tree is not checked. */
  readonly isSound: ((node: PageNode) => boolean) | undefined;
  readonly visit?: (node: PageNode) => void;
}

/**
 * Verifies the pages that LMDB reads and writes without checks: each page of each tree is in its place, is used once,
 * and holds nodes that fill it exactly; keys lead to their pages; no page in use is listed as free. Does not verify the
 * entries of tables, which have checksums. Returns the first problems as sentence fragments.
 */
export function checkPages(file: PageFile): string[] {
  const check = new PageCheck(file);
  check.run();
  return check.problems;
}

/**
 * Throws `corrupt` for a data file with corrupt pages. An absent or empty file is intact. Returns the check of the
 * pages on which large values of the log begin. There may be hundreds of thousands, and reads and additions do not
 * depend on them.
 */
export function requireSoundPages(dataFile: string): OverflowCheck {
  const open = (): PageFile => PageFile.open(dataFile);
  if (!existsSync(dataFile) || statSync(dataFile).size === 0) return new OverflowCheck([], open);
  using file = open();
  const later: number[] = [];
  const check = new PageCheck(file, later);
  check.run();
  if (check.problems.length > 0) throw damagedFile(dataFile, check.problems.join('; '));
  return new OverflowCheck(later, open);
}

class PageCheck {
  readonly problems: string[] = [];
  readonly #file: PageFile;
  readonly #used: Uint8Array;
  /** Buffers for one page of each level of a tree, and for the header of another. */
  readonly #levels: Buffer[] = [];
  readonly #header = Buffer.alloc(PAGE_HEADER_BYTES);
  /**
   * Where to record the first pages of the log's large values for a later check. Absent: they are checked like all
   * others.
   */
  readonly #later: number[] | undefined;
  #counts = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 };

  constructor(file: PageFile, later?: number[]) {
    this.#file = file;
    this.#later = later;
    this.#used = new Uint8Array(Math.min(file.lastPage, file.pages) + 1);
  }

  run(): void {
    const { freeTree, mainTree, transaction, isFirstCommit } = this.#file;
    const free: PageNode[] = [];
    const tables: PageNode[] = [];
    const always = (): boolean => true;
    this.#walk({
      name: 'free pages',
      record: freeTree,
      order: INTEGER_KEYS,
      entryFlags: [0, BIG_DATA],
      isSound: undefined,
      visit: (node) => free.push(keep(node)),
    });
    this.#walk({
      name: 'tables',
      record: mainTree,
      order: 0,
      entryFlags: [SUB_DATA],
      isSound: always,
      visit: (node) => tables.push(keep(node)),
    });
    const roots = [freeTree.root, mainTree.root].filter((root) => root !== undefined);
    const written = roots
      .map((root) => this.#file.read(root, this.#header))
      .map((page) => (page ? readLong(page, 8) : 0));
    if (!isFirstCommit && Math.max(...written) !== transaction) this.#found(`no page is of commit ${transaction}`);
    const names = tables.map(({ key }) => tableName(key));
    if (names.length > 0 && names.join() !== TABLES.join()) this.#found(`its tables are ${JSON.stringify(names)}`);
    for (const name of TABLES) {
      const node = tables[names.indexOf(name)];
      if (node === undefined) continue;
      if (isTreeRecord(node)) this.#walk(this.#table(name, readTree(node.data)));
      else this.#found(`the record of table ${name} is damaged`);
    }
    for (const node of free) this.#checkFree(node);
  }

  #table(name: TableName, record: TreeRecord): Tree {
    return { name, record, order: 0, entryFlags: [0, BIG_DATA], isSound: this.#soundness(name) };
  }

  #soundness(name: TableName): ((node: PageNode) => boolean) | undefined {
    if (name === 'index') return ({ key, data }) => decodePointer(key, data) !== undefined;
    if (name !== 'log') return undefined;
    return (node) => soundRevision(node.key, this.#file.value(node)) !== undefined;
  }

  #walk(tree: Tree): void {
    const { name, record } = tree;
    this.#counts = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 };
    if (record.root === undefined ? record.depth > 0 : record.depth === 0) this.#found(`${name}: bad depth`);
    if ((record.flags & ORDER_FLAGS) !== tree.order) this.#found(`${name}: bad flags`);
    if (record.root !== undefined) this.#page(tree, record.root, 1, undefined, undefined);
    for (const counted of COUNTED) {
      const found = this.#counts[counted];
      if (found !== record[counted]) this.#found(`${name}: ${found} ${counted}, not ${record[counted]}`);
    }
  }

  /** A page whose keys must be in [`lower`, `upper`). */
  #page(tree: Tree, number: number, level: number, lower: Buffer | undefined, upper: Buffer | undefined): void {
    const buffer = (this.#levels[level] ??= Buffer.alloc(this.#file.pageSize));
    const page = this.#take(number, 1) ? this.#file.read(number, buffer) : undefined;
    if (page === undefined) return this.#found(`${tree.name}: page ${number} cannot be read`);
    const isLeaf = level === tree.record.depth;
    const nodes = this.#nodes(page, number, isLeaf ? tree.entryFlags : undefined);
    if (nodes === undefined) return this.#found(`${tree.name}: page ${number} is damaged`);
    if (isLeaf) this.#leaf(tree, number, nodes, lower, upper);
    else this.#branch(tree, number, level, nodes, lower, upper);
  }

  #branch(
    tree: Tree,
    number: number,
    level: number,
    nodes: readonly PageNode[],
    lower: Buffer | undefined,
    upper: Buffer | undefined,
  ): void {
    this.#counts.branchPages += 1;
    for (const [index, { key, child }] of nodes.entries()) {
      const from = index === 0 ? lower : key;
      const to = nodes[index + 1]?.key ?? upper;
      if (from !== undefined && to !== undefined && tree.isSound !== undefined && Buffer.compare(from, to) >= 0) {
        this.#found(`${tree.name}: page ${number} is out of order`);
      }
      this.#page(tree, child, level + 1, from, to);
    }
  }

  #leaf(
    tree: Tree,
    number: number,
    nodes: readonly PageNode[],
    lower: Buffer | undefined,
    upper: Buffer | undefined,
  ): void {
    this.#counts.leafPages += 1;
    this.#counts.entries += nodes.length;
    for (const node of nodes) {
      if ((node.flags & BIG_DATA) !== 0) this.#overflow(tree, node);
      tree.visit?.(node);
    }
    const { isSound } = tree;
    if (isSound === undefined) return;
    if (lower !== undefined) {
      const first = nodes.find((node) => Buffer.compare(node.key, lower) >= 0 || isSound(node));
      if (first !== undefined && Buffer.compare(first.key, lower) < 0) this.#misplaced(tree, number);
    }
    if (upper !== undefined) {
      const last = nodes.findLast((node) => Buffer.compare(node.key, upper) < 0 || isSound(node));
      if (last !== undefined && Buffer.compare(last.key, upper) >= 0) this.#misplaced(tree, number);
    }
  }

  #misplaced(tree: Tree, number: number): void {
    this.#found(`${tree.name}: page ${number} is not where its keys belong`);
  }

  /** The nodes of a leaf with these entry flags, or of a branch, if they fill the page without gaps. */
  #nodes(page: Buffer, number: number, entryFlags: readonly number[] | undefined): PageNode[] | undefined {
    const isLeaf = entryFlags !== undefined;
    const count = nodeCount(page);
    const isSound =
      readLong(page, 0) === number &&
      readLong(page, 8) <= this.#file.transaction &&
      page.readUInt16LE(18) === (isLeaf ? LEAF : BRANCH);
    if (!isSound || count === undefined || count === 0) return undefined;
    const nodes: PageNode[] = [];
    let bytes = 0;
    for (let index = 0; index < count; index += 1) {
      const node = readNode(page, index, !isLeaf);
      if (node === undefined || entryFlags?.includes(node.flags) === false) return undefined;
      bytes += nodeBytes(node);
      nodes.push(node);
    }
    return bytes === page.length - PAGE_HEADER_BYTES - page.readUInt16LE(22) ? nodes : undefined;
  }

  #overflow(tree: Tree, { data, valueBytes }: PageNode): void {
    const reference = readOverflow(data);
    const { page, pages, transaction } = reference;
    const later = tree.name === 'log' ? this.#later : undefined;
    const isSound =
      this.#take(page, pages) &&
      transaction <= this.#file.transaction &&
      pages === this.#file.overflowPagesFor(valueBytes) &&
      (later !== undefined || isSoundOverflow(this.#file, reference, this.#header));
    this.#counts.overflowPages += pages;
    if (!isSound) this.#found(`${tree.name}: page ${page} is damaged`);
    else later?.push(page, pages);
  }

  /** Claims `count` pages starting at `number`. Returns whether they are in the file and were not in use. */
  #take(number: number, count: number): boolean {
    if (number < 2 || number + count > this.#used.length || number + count > this.#file.pages) return false;
    for (let each = number; each < number + count; each += 1) {
      if (this.#used[each] !== 0) return false;
      this.#used[each] = 1;
    }
    return true;
  }

  /** A list of page numbers. A negative number is the length of a run that starts at the next one. */
  #checkFree(node: PageNode): void {
    const value = this.#file.value(node);
    const count = value === undefined ? 0 : readLong(value, 0);
    if (value === undefined || (count + 1) * 8 > value.length) return this.#found('a list of free pages is damaged');
    let length = 1;
    for (let index = 1; index <= count; index += 1) {
      const number = Number(value.readBigInt64LE(index * 8));
      if (number < 0) {
        length = -number;
        continue;
      }
      const end = number + length;
      length = 1;
      if (number === 0) continue;
      if (number < 2 || end - 1 > this.#file.lastPage) return this.#found(`page ${number} is listed as free`);
      for (let each = number; each < end; each += 1) {
        if (this.#used[each] === 1) return this.#found(`page ${each} is in use and listed as free`);
      }
    }
  }

  #found(problem: string): void {
    if (this.problems.length < PROBLEMS_KEPT) this.problems.push(problem);
  }
}

/** A copy of a node that outlives the visit. */
function keep(node: PageNode): PageNode {
  return { ...node, key: Buffer.from(node.key), data: Buffer.from(node.data) };
}
