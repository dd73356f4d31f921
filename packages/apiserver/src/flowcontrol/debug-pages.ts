import { formatGroupVersion } from '@binnacle/apimachinery/meta';
import { formatDuration } from '@binnacle/apimachinery/time';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { FlowQueue, Ticket } from '../fairqueuing/index.js';
import { writeResponse } from '../http/index.js';
import type { Handler } from '../request/index.js';
import type { FlowControl } from './flow-control.js';
import type { PriorityLevel } from './priority-level.js';
import type { Admission } from './priority-and-fairness.js';

const ROOT = '/debug/api_priority_and_fairness/';
const NANOSECONDS_PER_MILLISECOND = 1_000_000;
/** A page lists all queues of a level up to this many; of more, only those with requests. */
const LISTED_QUEUES = 4096;
/** Go's zero time: the request has not started. */
const NEVER = '0001-01-01T00:00:00Z';
const SHORTEST_CELL = 8;
/** The queue of a request that needs none, and the place of one that does not wait. */
const NOWHERE = -1;

const REQUEST_COLUMNS =
  'PriorityLevelName FlowSchemaName QueueIndex RequestIndexInQueue FlowDistingsher ArriveTime InitialSeats FinalSeats AdditionalLatency StartTime'.split(
    ' ',
  );
const DETAIL_COLUMNS = ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource'];

export interface DebugPagesOptions {
  readonly control: FlowControl;
  readonly admissions: () => Iterable<Admission>;
  readonly clock: Clock;
}

type Rows = readonly (readonly (string | number | boolean)[])[];

/** The pages that show the state of flow control. Upstream: `pkg/util/flowcontrol/apf_controller_debug.go`. */
export function debugPages(options: DebugPagesOptions): { handlerFor(path: string): Handler | undefined } {
  const page = (rows: (query: URLSearchParams) => Rows): Handler => {
    return (context) =>
      writeResponse(context, 200, { 'content-type': 'text/plain; charset=utf-8' }, tabulated(rows(context.query)));
  };
  const pages = new Map([
    [`${ROOT}dump_priority_levels`, page(() => levelRows(sortedLevels(options.control)))],
    [`${ROOT}dump_queues`, page(() => queueRows(sortedLevels(options.control)))],
    [`${ROOT}dump_requests`, page((query) => requestRows(options, (query.get('includeRequestDetails') ?? '') !== ''))],
  ]);
  return { handlerFor: (path) => pages.get(path) };
}

function sortedLevels({ levels }: FlowControl): readonly PriorityLevel[] {
  return [...levels.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}

function levelRows(levels: readonly PriorityLevel[]): Rows {
  const rows = levels.map(({ name, queues, isQuiescing }) => [
    name,
    [...queues.queues].filter(({ length }) => length > 0).length,
    queues.isIdle,
    isQuiescing,
    queues.waiting,
    queues.executing,
    queues.dispatched,
    queues.refused,
    // Upstream counts requests that waited too long among the cancelled ones.
    0,
    queues.cancelled,
  ]);
  const head = ['PriorityLevelName', 'ActiveQueues', 'IsIdle', 'IsQuiescing', 'WaitingRequests', 'ExecutingRequests'];
  return [[...head, 'DispatchedRequests', 'RejectedRequests', 'TimedoutRequests', 'CancelledRequests'], ...rows];
}

function queueRows(levels: readonly PriorityLevel[]): Rows {
  const head = ['PriorityLevelName', 'Index', 'PendingRequests', 'ExecutingRequests', 'SeatsInUse', 'NextDispatchR'];
  const rows = levels.flatMap(({ name, queues }) => {
    const shown = new Map<number, ShownQueue>();
    for (const queue of queues.queues) shown.set(queue.index, queue);
    const { queues: count } = queues.shape;
    if (count <= LISTED_QUEUES) {
      for (let index = 0; index < count; index++) if (!shown.has(index)) shown.set(index, idleQueue(index));
    }
    return [...shown.values()].sort((left, right) => left.index - right.index).map((queue) => queueRow(name, queue));
  });
  return [[...head, 'InitialSeatsSum', 'MaxSeatsSum', 'TotalWorkSum'], ...rows];
}

type ShownQueue = Pick<
  FlowQueue,
  'index' | 'length' | 'seatsInUse' | 'nextDispatchR' | 'waitingInitialSeats' | 'waitingSeats' | 'waitingWork'
> & { readonly executing: { readonly size: number } };

function idleQueue(index: number): ShownQueue {
  const nothing = { length: 0, seatsInUse: 0, nextDispatchR: 0, waitingInitialSeats: 0, waitingSeats: 0 };
  return { ...nothing, index, waitingWork: 0, executing: { size: 0 } };
}

function queueRow(level: string, queue: ShownQueue): Rows[number] {
  const { index, length, executing, seatsInUse, nextDispatchR, waitingInitialSeats, waitingSeats, waitingWork } = queue;
  const seats = [seatsInUse, seatSeconds(nextDispatchR), waitingInitialSeats, waitingSeats, seatSeconds(waitingWork)];
  return [level, index, length, executing.size, ...seats];
}

const seatSeconds = (value: number): string => `${value.toFixed(8)}ss`;

function requestRows({ control, admissions, clock }: DebugPagesOptions, withDetails: boolean): Rows {
  const epoch = clock.now() - clock.monotonic();
  const places = waitingPlaces(control);
  const head = [...REQUEST_COLUMNS, ...(withDetails ? DETAIL_COLUMNS : [])];
  const rows = Array.from(admissions(), ({ context, classification, ticket, distinguisher }) => {
    const { seats, finalSeats, finalMs } = ticket.work;
    return [
      classification.level.name,
      classification.name,
      ticket.queue?.index ?? NOWHERE,
      places.get(ticket) ?? NOWHERE,
      distinguisher,
      timeText(epoch + ticket.arrivedAt),
      seats,
      finalSeats,
      formatDuration(BigInt(Math.round(finalMs * NANOSECONDS_PER_MILLISECOND))),
      ticket.state === 'waiting' ? NEVER : timeText(epoch + ticket.startedAt),
      ...(withDetails ? detailsOf(context) : []),
    ];
  });
  return [head, ...rows.sort(byPlace)];
}

/** The places of the waiting requests in their queues. */
function waitingPlaces({ levels }: FlowControl): ReadonlyMap<Ticket, number> {
  const places = new Map<Ticket, number>();
  for (const { queues } of levels.values()) {
    for (const { waiting } of queues.queues) [...waiting].forEach((ticket, place) => places.set(ticket, place));
  }
  return places;
}

function detailsOf({ user, info }: Admission['context']): readonly string[] {
  const { verb, path, namespace, name, group, version, resource, subresource } = info;
  return [user.name, verb, path, namespace, name, formatGroupVersion({ group, version }), resource, subresource];
}

/** By level, queue, and place in the queue. */
function byPlace(left: Rows[number], right: Rows[number]): number {
  if (left[0] !== right[0]) return String(left[0]) < String(right[0]) ? -1 : 1;
  return Number(left[2]) - Number(right[2]) || Number(left[3]) - Number(right[3]);
}

/** Like Go's RFC3339Nano, which leaves out zeros at the end. */
function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.?0*Z$/, 'Z');
}

/** Aligns columns like Go's `tabwriter` with cells of at least eight characters. */
function tabulated(rows: Rows): string {
  const lines = rows.map((row) => row.map((cell, index) => (index + 1 < row.length ? `${cell},` : String(cell))));
  const widths = (lines[0] ?? []).map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, (line[column]?.length ?? 0) + 1), SHORTEST_CELL),
  );
  const padded = lines.map((line) =>
    line.map((cell, column) => (column + 1 < line.length ? cell.padEnd(widths[column] ?? 0) : cell)).join(''),
  );
  return padded.map((line) => `${line}\n`).join('');
}
