import { FIRST_REVISION, type LogRecord, type Pointer, type RecordHeader, unlessDamaged } from '../../engine/index.js';
import { decodeRecord } from '../format/condensed-record.js';
import { decodeMeta, decodePointer, inspectPointer } from '../format/layout.js';
import { decodeHeader, isForgotten, soundRevision } from '../format/record.js';
import type { MetaName } from '../format/meta.js';
import {
  BRANCH,
  isTreeRecord,
  LEAF,
  NODE_HEADER_BYTES,
  nodeCount,
  nodeStart,
  PAGE_HEADER_BYTES,
  PageFile,
  type PageNode,
  readLong,
  readNode,
  readNodeAt,
  readTree,
} from '../pages/page-file.js';
import { tableName, type TableName, TABLES } from '../pages/page-tree.js';

/** Nodes begin at even offsets; the key length is the last field of their header. */
const NODE_ALIGNMENT = 2;
const KEY_LENGTH_OFFSET = 6;
const REVISION_BYTES = 8;
/** More than one commit can hold. */
const COMMIT_REVISIONS = 1_000_000;

/** The position of a record: its page, and the offset of its node in that page. */
interface Place {
  readonly page: number;
  readonly start: number;
}

interface FoundRecord {
  readonly revision: number;
  readonly header: RecordHeader;
  readonly place: Place;
  /** Part of the log is lost, and the index does not confirm that the record is current. */
  readonly uncertain: boolean;
}

export interface Salvage extends Disposable {
  /** At least the revision of every write that the file mentions. */
  readonly revision: number;
  /** The newest record of each key, in order of revision. */
  readonly current: readonly FoundRecord[];
  /** The number of intact records, including those of former values. */
  readonly records: number;
  /** The number of current values that the index does not confirm, while part of the log is lost: they may be outdated or deleted. */
  readonly uncertain: number;
  /** What is lost, as sentence fragments. */
  readonly lost: readonly string[];
  read(found: FoundRecord): LogRecord | undefined;
}

/**
 * Finds the current values in a data file with any damage. Reads the pages that the trees reach; if a page of the log
 * is lost, scans every page of the file. Only checksums decide what is a record.
 */
export function salvage(dataFile: string): Salvage {
  const file = PageFile.openDamaged(dataFile);
  const search = new Search(file);
  search.run();
  return search;
}

class Search implements Salvage {
  revision = FIRST_REVISION;
  uncertain = 0;
  current: readonly FoundRecord[] = [];
  readonly lost: string[] = [];
  readonly #file: PageFile;
  readonly #records = new Map<number, FoundRecord>();
  readonly #pointers = new Map<string, Pointer>();
  readonly #meta = new Map<MetaName, number>();
  readonly #seen = new Set<number>();
  /** Log entries with a corrupt head. */
  #unreadable = 0;
  /** Every page of the log was reached. */
  #logIsWhole = true;
  /** Every page of the index was reached, and all its entries are intact. */
  #indexIsWhole = true;
  /** No intact meta page leads to the newest commit, so its records are searched for. */
  #lacksNewest = false;
  /** The newest revision that the log and the index mention. Records of a lost commit are newer. */
  #known = 0;

  constructor(file: PageFile) {
    this.#file = file;
  }

  get records(): number {
    return this.#records.size;
  }

  get #isLogComplete(): boolean {
    return this.#logIsWhole && this.#unreadable === 0;
  }

  run(): void {
    const found = new Set<TableName>();
    const { root, depth } = this.#file.mainTree;
    const tables: PageNode[] = [];
    if (root !== undefined) this.#walk(root, depth, (node) => tables.push(node));
    for (const node of tables) {
      const name = TABLES.find((table) => table === tableName(node.key));
      if (name === undefined || !isTreeRecord(node)) continue;
      found.add(name);
      const isWhole = this.#table(name, node);
      if (name === 'log') this.#logIsWhole = isWhole;
      if (name === 'index' && !isWhole) this.#indexIsWhole = false;
    }
    if (!found.has('index')) this.#indexIsWhole = false;
    this.#lacksNewest = this.#hasNewerPages();
    if (!found.has('log') || this.#lacksNewest) this.#logIsWhole = false;
    const revisions = [...this.#records.keys(), ...[...this.#pointers.values()].map(({ modRevision }) => modRevision)];
    this.#known = revisions.reduce(larger, 0);
    if (!this.#logIsWhole) this.#searchAllPages();
    this.#selectCurrent();
  }

  read(found: FoundRecord): LogRecord | undefined {
    const bytes = this.#bytesOf(found);
    const bytesAt = (revision: number): Buffer | undefined => this.#bytesOf(this.#records.get(revision));
    return bytes === undefined || isForgotten(bytes)
      ? undefined
      : unlessDamaged(() => decodeRecord(found.revision, bytes, bytesAt));
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }

  #bytesOf(found: FoundRecord | undefined): Buffer | undefined {
    const page = found === undefined ? undefined : this.#file.read(found.place.page);
    const node = found === undefined || page === undefined ? undefined : readNodeAt(page, found.place.start, false);
    return node === undefined ? undefined : this.#file.value(node);
  }

  /** Returns whether every page of the table was readable and the number of entries matches. */
  #table(name: TableName, { data }: PageNode): boolean {
    const { root, depth, entries } = readTree(data);
    if (root === undefined) return entries === 0;
    let count = 0;
    const isWhole = this.#walk(root, depth, (node, place) => {
      count += 1;
      if (name === 'log') this.#logEntry(node, place);
      else if (name === 'index') this.#indexEntry(node);
      else if (name === 'meta') this.#metaEntry(node);
    });
    return isWhole && count === entries;
  }

  #walk(number: number, levels: number, visit: (node: PageNode, place: Place) => void): boolean {
    if (number < 2 || number >= this.#file.pages || this.#seen.has(number) || levels < 1) return false;
    this.#seen.add(number);
    const isLeaf = levels === 1;
    const page = this.#file.read(number);
    if (page === undefined || page.readUInt16LE(18) !== (isLeaf ? LEAF : BRANCH)) return false;
    let isWhole = nodeCount(page) !== undefined && readLong(page, 0) === number;
    for (let index = 0; index < (nodeCount(page) ?? 0); index += 1) {
      const node = readNode(page, index, !isLeaf);
      if (node === undefined) isWhole = false;
      else if (isLeaf) visit(node, { page: number, start: nodeStart(page, index) });
      else isWhole = this.#walk(node.child, levels - 1, visit) && isWhole;
    }
    return isWhole;
  }

  /**
   * Collects records from all pages at any offset; checksums identify them. Old versions of pages still hold removed
   * records, so only records within history, or in the index, are taken.
   */
  #searchAllPages(): void {
    for (let number = 2; number < this.#file.pages; number += 1) {
      const page = this.#file.read(number);
      if (page === undefined) continue;
      for (let start = PAGE_HEADER_BYTES; start < page.length - NODE_HEADER_BYTES; start += NODE_ALIGNMENT) {
        if (page.readUInt16LE(start + KEY_LENGTH_OFFSET) === REVISION_BYTES)
          this.#searchAt(page, { page: number, start });
      }
    }
  }

  /** Whether pages of a newer commit exist, to which no meta page leads. */
  #hasNewerPages(): boolean {
    if (this.#file.isNewestKnown) return false;
    const head = Buffer.alloc(PAGE_HEADER_BYTES);
    for (let number = 2; number < this.#file.pages; number += 1) {
      const page = this.#seen.has(number) ? undefined : this.#file.read(number, head);
      if (page === undefined || readLong(page, 0) !== number) continue;
      if (readLong(page, 8) === this.#file.transaction + 1) return true;
    }
    return false;
  }

  #searchAt(page: Buffer, place: Place): void {
    const node = readNodeAt(page, place.start, false);
    const found = node === undefined ? undefined : this.#soundRecord(node, place);
    if (found === undefined || this.#records.has(found.revision)) return;
    const isCurrent = this.#pointers.get(found.header.key)?.modRevision === found.revision;
    const isHistory = found.revision > (this.#meta.get('removed') ?? Number.POSITIVE_INFINITY);
    const isNewer = this.#lacksNewest && found.revision > this.#known;
    if (isCurrent || isHistory || isNewer || !this.#indexIsWhole) {
      this.#records.set(found.revision, found);
    }
  }

  #logEntry(node: PageNode, place: Place): void {
    const found = this.#soundRecord(node, place);
    if (found === undefined) this.#unreadable += 1;
    else this.#records.set(found.revision, found);
  }

  #soundRecord(node: PageNode, place: Place): FoundRecord | undefined {
    const value = node.key.length === 8 ? this.#file.value(node) : undefined;
    const revision = soundRevision(node.key, value);
    if (value === undefined || revision === undefined) return undefined;
    return { revision, header: decodeHeader(revision, value), place, uncertain: false };
  }

  #indexEntry({ key, data }: PageNode): void {
    const pointer = decodePointer(key, data);
    if (pointer !== undefined) {
      this.#pointers.set(key.toString(), pointer);
      return;
    }
    this.#indexIsWhole = false;
    const { pointerIsSound, pointer: damaged } = inspectPointer(key, data);
    if (pointerIsSound) this.revision = Math.max(this.revision, damaged.modRevision);
  }

  #metaEntry({ key, data }: PageNode): void {
    const name = key.toString();
    if (name !== 'revision' && name !== 'compacted' && name !== 'removed') return;
    const value = decodeMeta(name, data);
    if (value !== undefined) this.#meta.set(name, value);
  }

  /** Decides which values are current. The index decides if a later event of the log is corrupt. */
  #selectCurrent(): void {
    const newest = new Map<string, FoundRecord>();
    for (const found of [...this.#records.values()].sort((a, b) => a.revision - b.revision)) {
      newest.set(found.header.key, found);
    }
    const lost = new Map<string, number>();
    for (const [key, { modRevision }] of this.#pointers) {
      if ((newest.get(key)?.revision ?? 0) < modRevision) lost.set(key, modRevision);
    }
    const current: FoundRecord[] = [];
    for (const [key, found] of newest) {
      if (found.header.type === 'delete' || lost.has(key)) continue;
      const pointer = this.#pointers.get(key);
      // Its deletion is lost, unless the index is older than the record.
      const isDeleted = pointer === undefined && found.revision <= this.#known;
      if (!this.#isLogComplete && this.#indexIsWhole && isDeleted) continue;
      const isConfirmed = this.#isLogComplete || pointer?.modRevision === found.revision;
      if (this.read(found) === undefined) lost.set(key, found.revision);
      else current.push({ ...found, uncertain: !isConfirmed });
    }
    this.current = current.sort((a, b) => a.revision - b.revision);
    this.uncertain = current.filter(({ uncertain }) => uncertain).length;
    for (const [key, revision] of lost) this.lost.push(`${JSON.stringify(key)} (revision ${revision})`);
    if (this.#lacksNewest) this.lost.push('changes of the last commit that no readable page mentions');
    if (!this.#logIsWhole && !this.#indexIsWhole) this.lost.push('keys that no readable page mentions');
    if (this.#unreadable > 0) this.lost.push(`${this.#unreadable} records that cannot be read at all`);
    const known = [...this.#records.keys(), ...lost.values(), this.#meta.get('revision') ?? 0];
    // An unreadable event may be the newest one.
    this.revision = known.reduce(larger, this.revision) + this.#unreadable + (this.#lacksNewest ? COMMIT_REVISIONS : 0);
  }
}

function larger(a: number, b: number): number {
  return Math.max(a, b);
}
