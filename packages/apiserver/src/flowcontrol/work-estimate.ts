import type { Work } from '../fairqueuing/index.js';
import type { RequestContext } from '../request/index.js';

/** What is known about the objects of a resource before they are read. */
export interface CollectionSize {
  readonly objects: number;
  /** Average bytes of an object. */
  readonly objectBytes: number;
}

export interface EstimateOptions {
  /** The most seats that a request of its priority level may take; undefined: the level does not say. */
  readonly widest: number | undefined;
  /** The collection that the request reads; undefined: another server has it, or there is none. */
  readonly size: (context: EstimatedRequest) => CollectionSize | undefined;
  /** How many watches the request may concern. */
  readonly watches: number;
}

export type EstimatedRequest = Pick<RequestContext, 'info' | 'query'>;

const LARGEST_LIST = 100;
const LARGEST_WRITE = 10;
const BYTES_PER_SEAT = 100_000;
/** Lists stream, so they hold this many bytes at most. */
const LARGEST_LIST_BYTES = 1_000_000;
const WATCHES_PER_SEAT = 10;
/** How long a seat is busy with the events of a write for ten watches. */
const EVENT_MS = 5;

const ONE_SEAT: Work = { seats: 1, finalSeats: 0, finalMs: 0 };
const ESTIMATED_WRITES: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete']);

/** Whether the number of watches decides about the work of a request. */
export function isEstimatedWrite({ verb, resource, subresource }: RequestContext['info']): boolean {
  return ESTIMATED_WRITES.has(verb) && !(resource === 'serviceaccounts' && subresource === 'token');
}

/**
 * The seats that a request needs: a list by the bytes that it returns, a write by the watches that get its event.
 * Upstream: `pkg/util/flowcontrol/request`, with the feature `SizeBasedListCostEstimate`.
 */
export function estimateWork(request: EstimatedRequest, { widest, size, watches }: EstimateOptions): Work {
  const { info } = request;
  if (info.verb === 'list' || (info.verb === 'watch' && hasInitialEvents(request))) {
    const seats = Math.ceil(Math.min(listBytes(request, size(request)), LARGEST_LIST_BYTES) / BYTES_PER_SEAT);
    return { ...ONE_SEAT, seats: Math.max(1, Math.min(seats, widest ?? LARGEST_LIST, LARGEST_LIST)) };
  }
  if (watches < WATCHES_PER_SEAT || !isEstimatedWrite(info)) return ONE_SEAT;
  const needed = Math.ceil(watches / WATCHES_PER_SEAT);
  const finalSeats = Math.min(needed, widest ?? LARGEST_WRITE, LARGEST_WRITE);
  return { seats: 1, finalSeats, finalMs: (needed * EVENT_MS) / finalSeats };
}

function listBytes({ info, query }: EstimatedRequest, size: CollectionSize | undefined): number {
  if (size === undefined) return 0;
  const limit = Number(query.get('limit') ?? 0);
  const objects = info.name !== '' ? 1 : limit > 0 ? Math.min(limit, size.objects) : size.objects;
  return objects * size.objectBytes;
}

/** A watch without them costs little until something happens. */
function hasInitialEvents({ query }: EstimatedRequest): boolean {
  return query.get('sendInitialEvents') === 'true' || ['', '0'].includes(query.get('resourceVersion') ?? '');
}
