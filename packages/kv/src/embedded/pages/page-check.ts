import { existsSync, statSync } from 'node:fs';
import type { KVError } from '../../interface/index.js';
import { damagedFile } from '../disk/failure.js';
import { decodePointer } from '../format/layout.js';
import { soundRevision } from '../format/record.js';
import { UNWRITTEN_PAGES } from './data-file.js';
import { freeRuns } from './free-list.js';
import { type Compare, compareBytes, keyOrder, type KeyRange } from './key-order.js';
import { NodeReader } from './node-reader.js';
import { isSoundOverflow, OverflowCheck } from './overflow-check.js';
import { PageClaims } from './page-claims.js';
import {
  BIG_DATA,
  isTreeRecord,
  PAGE_HEADER_BYTES,
  PageFile,
  type PageNode,
  readLong,
  readOverflow,
  readTree,
  SUB_DATA,
  type TreeRecord,
} from './page-file.js';
import { type TableName, tableName, TABLES } from './page-tree.js';

/** The most problems that are reported. */
const PROBLEMS_KEPT = 20;
/** The flag of a tree with numeric keys. */
const INTEGER_KEYS = 8;
/** Flags of the whole file that LMDB keeps with the free list and that change nothing at the next open. */
const IGNORED_FLAGS = 0x5000;
const COUNTED = ['branchPages', 'leafPages', 'overflowPages', 'entries'] as const;

interface Tree {
  readonly name: string;
  readonly record: TreeRecord;
  readonly flags: number;
  readonly compare: Compare;
  /** The allowed flags of an entry. */
  readonly entryFlags: readonly number[];
  /** Whether an entry is intact, so that its key must be in order. */
  readonly isSound: (node: PageNode) => boolean;
  readonly visit?: (node: PageNode) => void;
}

/**
 * Verifies the pages that LMDB reads and writes without checks. Each page of each tree is in its place, is used once,
 * and holds nodes that fill it exactly. Intact keys are in order. A page is free once, and only if it is not in use.
 * Does not verify the entries of tables, which have checksums. Returns the first problems as sentence fragments.
 */
export function checkPages(file: PageFile): readonly string[] {
  const check = new PageCheck(file);
  check.run();
  return check.problems;
}

export interface SoundPages {
  /**
   * The check of the pages on which large values of the log begin. There may be hundreds of thousands, and reads and
   * additions do not depend on them.
   */
  readonly overflow: OverflowCheck;
  /** Why nothing may be written: corrupt keys would lead LMDB to the wrong place. Reads look past such keys. */
  readonly unwritable: KVError | undefined;
}

/** Throws `corrupt` for a data file with corrupt pages. An absent or empty file is intact. */
export function requireSoundPages(dataFile: string): SoundPages {
  const open = (): PageFile => PageFile.open(dataFile);
  if (!existsSync(dataFile) || statSync(dataFile).size === 0) {
    return { overflow: new OverflowCheck([], open), unwritable: undefined };
  }
  using file = open();
  const later: number[] = [];
  const check = new PageCheck(file, later);
  check.run();
  if (check.problems.length > 0) throw damagedFile(dataFile, check.problems.join('; '));
  const { misleading } = check;
  return {
    overflow: new OverflowCheck(later, open),
    unwritable:
      misleading === undefined
        ? undefined
        : damagedFile(dataFile, `${misleading}; no writes are accepted until it is repaired`),
  };
}

class PageCheck {
  readonly problems: string[] = [];
  /** Where corrupt keys mislead LMDB, as a sentence fragment. */
  misleading: string | undefined;
  readonly #file: PageFile;
  readonly #claims: PageClaims;
  readonly #reader: NodeReader;
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
    this.#claims = new PageClaims(Math.min(file.lastPage, file.pages + UNWRITTEN_PAGES) + 1);
    this.#reader = new NodeReader(file.pageSize);
  }

  run(): void {
    const { freeTree, mainTree } = this.#file;
    const free: PageNode[] = [];
    const tables: PageNode[] = [];
    const always = (): boolean => true;
    this.#walk({
      name: 'free pages',
      record: freeTree,
      flags: INTEGER_KEYS,
      compare: (a, b) => readNumeric(a) - readNumeric(b),
      entryFlags: [0, BIG_DATA],
      isSound: always,
      visit: (node) => free.push(keep(node)),
    });
    this.#walk({
      name: 'tables',
      record: mainTree,
      flags: 0,
      compare: compareBytes,
      entryFlags: [SUB_DATA],
      isSound: always,
      visit: (node) => tables.push(keep(node)),
    });
    const names = tables.map(({ key }) => tableName(key));
    // A first start creates them one by one.
    const isNew = tables.every((node) => isTreeRecord(node) && readTree(node.data).entries === 0);
    const isKnown = names.every((name) => TABLES.some((table) => table === name));
    if (isNew ? !isKnown : names.join() !== TABLES.join()) this.#found(`its tables are ${JSON.stringify(names)}`);
    for (const name of TABLES) {
      const node = tables[names.indexOf(name)];
      if (node === undefined) continue;
      if (isTreeRecord(node)) this.#walk(this.#table(name, readTree(node.data)));
      else this.#found(`the record of table ${name} is damaged`);
    }
    for (const node of free) this.#free(node);
  }

  #table(name: TableName, record: TreeRecord): Tree {
    return {
      name,
      record,
      flags: 0,
      compare: compareBytes,
      entryFlags: [0, BIG_DATA],
      isSound: this.#soundness(name),
    };
  }

  /** The keys of `expiring` and `meta` have no checksum. */
  #soundness(name: TableName): (node: PageNode) => boolean {
    if (name === 'index') return ({ key, data }) => decodePointer(key, data) !== undefined;
    if (name === 'log') return (node) => soundRevision(node.key, this.#file.value(node)) !== undefined;
    return () => false;
  }

  #walk(tree: Tree): void {
    const { name, record } = tree;
    this.#counts = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 };
    if (record.root === undefined ? record.depth > 0 : record.depth === 0) this.#found(`${name}: bad depth`);
    if ((record.flags & ~IGNORED_FLAGS) !== tree.flags) this.#found(`${name}: bad flags`);
    if (record.root !== undefined) this.#page(tree, record.root, 1, { lower: undefined, upper: undefined });
    for (const counted of COUNTED) {
      const found = this.#counts[counted];
      if (found !== record[counted]) this.#found(`${name}: ${found} ${counted}, not ${record[counted]}`);
    }
  }

  #page(tree: Tree, number: number, level: number, range: KeyRange): void {
    const buffer = (this.#levels[level] ??= Buffer.alloc(this.#file.pageSize));
    const page = this.#claims.use(number, 1) ? this.#file.read(number, buffer) : undefined;
    if (page === undefined) return this.#found(`${tree.name}: page ${number} cannot be read`);
    const isLeaf = level === tree.record.depth;
    const { transaction } = this.#file;
    const nodes = this.#reader.read(page, { number, transaction, entryFlags: isLeaf ? tree.entryFlags : undefined });
    if (nodes === undefined) return this.#found(`${tree.name}: page ${number} is damaged`);
    if (isLeaf) this.#leaf(tree, number, nodes, range);
    else this.#branch(tree, number, level, nodes, range);
  }

  #branch(tree: Tree, number: number, level: number, nodes: readonly PageNode[], { lower, upper }: KeyRange): void {
    this.#counts.branchPages += 1;
    for (const [index, { key, child }] of nodes.entries()) {
      const from = index === 0 ? lower : key;
      const to = nodes[index + 1]?.key ?? upper;
      if (from !== undefined && to !== undefined && tree.compare(from, to) >= 0) {
        this.#found(`${tree.name}: page ${number} is out of order`);
      }
      this.#page(tree, child, level + 1, { lower: from, upper: to });
    }
  }

  #leaf(tree: Tree, number: number, nodes: readonly PageNode[], range: KeyRange): void {
    this.#counts.leafPages += 1;
    this.#counts.entries += nodes.length;
    for (const node of nodes) {
      if ((node.flags & BIG_DATA) !== 0) this.#overflow(tree, node);
      tree.visit?.(node);
    }
    const order = keyOrder(nodes, range, tree.compare, tree.isSound);
    if (order === 'broken') this.#found(`${tree.name}: page ${number} is not where its keys belong`);
    if (order === 'misleading') this.misleading ??= `${tree.name}: page ${number} has damaged keys out of order`;
  }

  #overflow(tree: Tree, { data, valueBytes }: PageNode): void {
    const reference = readOverflow(data);
    const { page, pages, transaction } = reference;
    const later = tree.name === 'log' ? this.#later : undefined;
    const isSound =
      page + pages <= this.#file.pages &&
      this.#claims.use(page, pages) &&
      transaction <= this.#file.transaction &&
      pages === this.#file.overflowPagesFor(valueBytes) &&
      (later !== undefined || isSoundOverflow(this.#file, reference, this.#header));
    this.#counts.overflowPages += pages;
    if (!isSound) this.#found(`${tree.name}: page ${page} is damaged`);
    else later?.push(page, pages);
  }

  #free({ key, ...node }: PageNode): void {
    const value = this.#file.value({ key, ...node });
    const runs = value === undefined ? undefined : freeRuns(value);
    const transaction = readNumeric(key);
    if (runs === undefined || !(transaction >= 1 && transaction <= this.#file.transaction)) {
      return this.#found('a list of free pages is damaged');
    }
    for (const { first, count } of runs) {
      const problem = this.#claims.free(first, count);
      if (problem !== undefined) return this.#found(problem);
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

function readNumeric(key: Buffer): number {
  return key.length === 8 ? readLong(key, 0) : Number.NaN;
}
