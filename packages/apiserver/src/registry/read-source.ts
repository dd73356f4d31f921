import { abortable } from '@binnacle/apimachinery/clock';
import { tooLargeResourceVersion, tooManyRequests } from '@binnacle/apimachinery/status';
import type { Awaitable } from '@binnacle/apimachinery/work';
import type { Cacher } from '../cacher/index.js';
import type { StateDemand } from '../request/index.js';
import { isTurnOver, pause, stage } from '../slices/index.js';
import type { ObjectStorage } from '../storage/index.js';

/** How long a read waits for a future revision. Upstream: cacher `blockTimeout`. */
const FRESHNESS_TIMEOUT_MS = 3000;
/** Building 300,000 objects takes 10 seconds on a busy machine. A request ends after 60. */
const BUILD_TIMEOUT_MS = 50_000;
/** While this many objects of a resource are being read, further reads share the current revision of a remote store. */
const REMOTE_READS_AT_ONCE = 4;

export interface ReadRequest {
  readonly demand: StateDemand;
  /** What the read would cost the store: one object, a page without a selector, or everything. */
  readonly cost: 'object' | 'page' | 'collection';
  /** The key, or the prefix of the keys, of the objects to read; undefined = none, only a position to watch from. */
  readonly keys: string | undefined;
  /** The field whose index the read uses. */
  readonly field?: string | undefined;
  /** Whether {@link REMOTE_READS_AT_ONCE} reads of objects are under way. Default false. */
  readonly isCrowded?: boolean;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** Where a read is answered from. */
export type ReadSource =
  /** The cache as it is. Read it before the next await. */
  | { readonly from: 'cache' }
  /** The cache's state at this revision, or the store's history if the cache's window does not reach back that far. */
  | { readonly from: 'past'; readonly revision: number }
  /** The store at this revision; undefined = the newest. */
  | { readonly from: 'store'; readonly revision: number | undefined };

const ANY: StateDemand = { type: 'any' };
const CACHE: ReadSource = { from: 'cache' };
const NEWEST_IN_STORE: ReadSource = { from: 'store', revision: undefined };

export interface Circumstances {
  /** `unused`: its build has not begun. `lost`: it cannot answer, at its beginning or after a lost feed. */
  readonly cache: 'off' | 'unused' | 'lost' | 'built';
  readonly isRemote: boolean;
  /** See {@link ReadRequest}. */
  readonly isCrowded: boolean;
  /** Whether this read has waited for the first build. */
  readonly attempted: boolean;
  /** The result of this read's wait for a revision. */
  readonly freshness: 'reached' | 'unknown' | undefined;
}

/**
 * - `start`: begin to build the cache
 * - `build`: wait for the first build of the cache
 * - `wait`: wait until the cache has the revision that the read demands
 * - `cache`, `past`, `store`: read there
 * - `refuse`: answer 429
 */
export type ReadStep = 'start' | 'build' | 'wait' | 'cache' | 'past' | 'store' | 'refuse';

/**
 * What to do next to answer a read. While the cache is lost, the store answers reads of bounded cost. Upstream:
 * apiserver `pkg/storage/cacher/delegator.go`.
 */
export function nextStep({ demand, cost }: Pick<ReadRequest, 'demand' | 'cost'>, now: Circumstances): ReadStep {
  const { cache, isRemote, isCrowded, attempted, freshness } = now;
  const withoutCache = demand.type === 'exactly' ? 'past' : 'store';
  // For a remote store, one get costs as much as the current revision, for which the cache would have to wait. Many gets
  // share that revision, and are worth building the cache.
  const isShared = isCrowded && (cache === 'built' || cache === 'unused');
  const isOwnGet = isRemote && cost === 'object' && demand.type === 'newest' && !isShared;
  if (cache === 'off' || isOwnGet) return withoutCache;
  if (cache === 'unused') return 'start';
  if (cache === 'lost') {
    // A page of any state waits for the cache, whose answer is complete.
    const waits = cost === 'collection' || (cost === 'page' && demand.type === 'any');
    if (waits && !attempted) return 'build';
    return cost === 'collection' ? 'refuse' : withoutCache;
  }
  if (demand.type === 'exactly') return 'past';
  if (demand.type === 'any' || freshness === 'reached') return 'cache';
  return freshness === 'unknown' ? 'store' : 'wait';
}

/** Decides where the reads of one resource are answered from. */
export class ReadSources {
  readonly #storage: ObjectStorage;
  readonly #cacher: Cacher;
  readonly #watchCache: boolean;
  #objectReads = 0;

  /** `watchCache`: whether reads use the cache. */
  constructor(storage: ObjectStorage, cacher: Cacher, watchCache: boolean) {
    this.#storage = storage;
    this.#cacher = cacher;
    this.#watchCache = watchCache;
  }

  /**
   * Waits until the demand can be met. Throws 429 while the cache is lost, 504 for a revision in the future, and the
   * signal's reason.
   */
  async choose(read: ReadRequest): Promise<ReadSource> {
    const { demand, keys, isCrowded = false, signal } = read;
    let attempted = false;
    let freshness: 'reached' | 'unknown' | undefined;
    for (;;) {
      const { isRemote } = this.#storage;
      switch (nextStep(read, { cache: this.#cache(), isRemote, isCrowded, attempted, freshness })) {
        case 'start':
          void this.#cacher.firstAttempt();
          break;
        case 'build':
          await abortable(this.#cacher.firstAttempt(BUILD_TIMEOUT_MS), signal);
          attempted = true;
          break;
        case 'wait':
          freshness = await this.#wait(demand);
          break;
        case 'refuse':
          throw this.#cacher.refusal ?? tooManyRequests('storage is (re)initializing', 1);
        case 'past':
          return this.#past(demand.type === 'exactly' ? demand.revision : 0, keys);
        case 'store':
          await this.#checkReached(demand);
          return NEWEST_IN_STORE;
        case 'cache': {
          // The cache leaves out unreadable objects, and the store reports them.
          if (keys !== undefined && this.#cacher.isDamaged(keys)) return NEWEST_IN_STORE;
          const indexing = read.field === undefined ? undefined : this.#cacher.indexing(read.field);
          if (indexing === undefined) return CACHE;
          await indexing;
          freshness = undefined;
        }
      }
    }
  }

  /**
   * Calls `use` as soon as the source is chosen, which is when it must read a cache. Reads of many objects that arrive
   * together get turns of the event loop of their own. Throws what {@link choose} and `use` throw.
   */
  async read<T>(read: ReadRequest, use: (source: ReadSource) => T | Promise<T>): Promise<T> {
    let source = await this.choose(read);
    const isLong = source.from === 'past' || source.from === 'store';
    if (read.cost === 'collection' && isTurnOver()) {
      await (isLong ? pause() : stage());
      // A cache that was fresh enough still is. If all these reads waited for a remote store again, they would go on in one turn.
      source = await this.choose(source.from === 'cache' ? { ...read, demand: ANY } : read);
    }
    return use(source);
  }

  /**
   * {@link read} of one object, at once where the cache is known to be fresh. It costs a remote store a get of its own only
   * if few others are under way.
   */
  readObject<T>(read: Pick<ReadRequest, 'demand' | 'keys'>, use: (source: ReadSource) => T | Promise<T>): Awaitable<T> {
    return this.#isFresh(read) ? use(CACHE) : this.#readObjectLater(read, use);
  }

  async #readObjectLater<T>(
    read: Pick<ReadRequest, 'demand' | 'keys'>,
    use: (source: ReadSource) => T | Promise<T>,
  ): Promise<T> {
    const isCrowded = this.#objectReads >= REMOTE_READS_AT_ONCE;
    this.#objectReads++;
    try {
      return await use(await this.choose({ cost: 'object', isCrowded, ...read }));
    } finally {
      this.#objectReads--;
    }
  }

  /** Whether {@link choose} would choose the cache without waiting. Counts as that wait. */
  #isFresh({ demand, keys }: Pick<ReadRequest, 'demand' | 'keys'>): boolean {
    const cacher = this.#cacher;
    if (!this.#watchCache || !cacher.built || demand.type === 'exactly') return false;
    if (keys !== undefined && cacher.isDamaged(keys)) return false;
    if (demand.type === 'any') return true;
    const revision = demand.type === 'at-least' ? demand.revision : this.#storage.knownRevision;
    return revision !== undefined && this.#hasReached(revision);
  }

  #hasReached(revision: number): boolean {
    return this.#cacher.revision >= revision && this.#cacher.waitFor(revision, 0) === 'reached';
  }

  /**
   * Waits until the cache is built, however long that takes, and then for the newest revision as long as a read does.
   * Undefined: there is nothing to wait for.
   */
  newest(): Promise<void> | undefined {
    const revision = this.#storage.knownRevision;
    if (this.#cacher.built && revision !== undefined && this.#hasReached(revision)) return undefined;
    return this.#newest();
  }

  async #newest(): Promise<void> {
    const revision = await this.#storage.currentRevision();
    await this.#cacher.ready();
    await this.#cacher.waitFor(revision, FRESHNESS_TIMEOUT_MS);
  }

  #cache(): Circumstances['cache'] {
    if (!this.#watchCache) return 'off';
    if (this.#cacher.built) return 'built';
    return this.#cacher.wanted ? 'lost' : 'unused';
  }

  async #wait(demand: StateDemand): Promise<'reached' | 'unknown'> {
    const revision = 'revision' in demand ? demand.revision : await this.#storage.currentRevision();
    const freshness = await this.#cacher.waitFor(revision, FRESHNESS_TIMEOUT_MS);
    // Upstream too: the store knows the newest state, however far behind it the cache is.
    if (freshness === 'late' && demand.type === 'newest') return 'unknown';
    if (freshness === 'late') throw tooLargeResourceVersion(revision, this.#cacher.revision);
    return freshness;
  }

  /** The cache, unless it must not answer for that revision. */
  async #past(revision: number, keys: string | undefined): Promise<ReadSource> {
    const store: ReadSource = { from: 'store', revision };
    if (!this.#watchCache || (keys !== undefined && this.#cacher.isDamaged(keys))) return store;
    // An in-process store knows its compacted revision at no cost. The cache could still answer older revisions.
    if (!this.#storage.isRemote && revision < (await this.#storage.compactedRevision())) return store;
    return { from: 'past', revision };
  }

  async #checkReached(demand: StateDemand): Promise<void> {
    if (demand.type !== 'at-least') return;
    const newest = await this.#storage.currentRevision();
    if (newest < demand.revision) throw tooLargeResourceVersion(demand.revision, newest);
  }
}
