import type { Environment } from '../environment.js';
import { noSpace, property } from './failure.js';
import { hasSpace } from './free-space.js';
import { RESERVE_BYTES, Reserve } from './reserve.js';

/** A large value needs contiguous pages, which the free ones may not be. */
const SMALL_BYTES = 256 * 1024;

/** Finds disk space for the next commit, so that LMDB never meets a full disk: its binding may then end the process. */
export class DiskSpace {
  readonly #environment: Environment;
  readonly #reserve: Reserve;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#reserve = new Reserve(environment.directory);
    this.refillReserve();
  }

  /** Whether a commit of about this many bytes fits, on the disk or in free pages of the data file. */
  has(bytes: number): boolean {
    const { directory } = this.#environment;
    if (hasSpace(directory, 2 * bytes)) return true;
    return bytes <= SMALL_BYTES && freeBytesOf(this.#environment) >= RESERVE_BYTES;
  }

  /** Whether pages that a commit frees are needed soon. LMDB reuses them two commits later. */
  get isScarce(): boolean {
    return !hasSpace(this.#environment.directory, 0);
  }

  /**
   * Runs a commit that frees space, and lends it the reserve if there is no other space. `marks`: the bytes of values
   * that only prepare deletions. Half of the reserve stays for deletions themselves and for compactions.
   */
  async lend(commit: () => Promise<void>, marks = 0): Promise<void> {
    if (this.has(marks)) return commit();
    if (marks > 0 && this.#reserve.bytes - 2 * marks < RESERVE_BYTES / 2) throw noSpace(this.#environment.directory);
    this.#reserve.release();
    try {
      await commit();
    } finally {
      this.#reserve.fill();
    }
  }

  /** Refills the reserve once the disk has space again. */
  refillReserve(): void {
    if (!this.#reserve.isWhole && hasSpace(this.#environment.directory, RESERVE_BYTES)) this.#reserve.fill();
  }
}

/** The bytes of the data file that can be written without growing it. */
function freeBytesOf({ root, index, log, expiring }: Environment): number {
  const stats: unknown = root.getStats();
  const tables = [
    property(stats, 'root'),
    property(stats, 'free'),
    index.getStats(),
    log.getStats(),
    expiring.getStats(),
  ];
  const used = tables.reduce<number>((sum, table) => sum + pagesOf(table), 0);
  return (count(stats, 'lastPageNumber') - used) * count(stats, 'pageSize');
}

function pagesOf(table: unknown): number {
  return count(table, 'treeBranchPageCount') + count(table, 'treeLeafPageCount') + count(table, 'overflowPages');
}

function count(stats: unknown, name: string): number {
  const value = property(stats, name);
  return typeof value === 'number' ? value : 0;
}
