import type { Load, Work } from './work.js';

/** Assumed until a request is over, when the difference to its real time is corrected. Upstream: 3 ms. */
export const ESTIMATED_SECONDS = 0.003;

/** The seat-seconds that a request is assumed to need. */
export function workOf({ work: { seats, finalSeats, finalMs } }: Ticket): number {
  return seats * ESTIMATED_SECONDS + (finalSeats * finalMs) / 1000;
}

/** A request in a queue set. Only the set changes it. */
export class Ticket {
  readonly load: Load;
  /** The seats that it occupies from its start until its final work is done. */
  seats: number;
  /** Milliseconds of monotonic time. */
  readonly arrivedAt: number;
  work: Work;
  state: 'waiting' | 'executing' | 'over' = 'waiting';
  startedAt = 0;
  /** Whether its seats are of the reserve for flows that hold few. */
  isReserved = false;
  /** Undefined for a request that did not go through a queue. */
  queue: FlowQueue | undefined = undefined;
  /** Virtual time of its arrival. */
  arrivalR = 0;
  /** Called once when a waiting request may start. It must not throw. */
  started: (() => void) | undefined = undefined;

  constructor(work: Work, load: Load, arrivedAt: number) {
    this.work = work;
    this.load = load;
    this.seats = Math.max(work.seats, work.finalSeats);
    this.arrivedAt = arrivedAt;
  }

  /** Lets final work that is wider than the limit take longer instead. */
  reshape(limit: number): void {
    const { seats, finalSeats, finalMs } = this.work;
    if (finalSeats <= limit) return;
    this.work = { seats, finalSeats: limit, finalMs: (finalMs * finalSeats) / limit };
    this.seats = Math.max(seats, limit);
  }
}

/** Requests in the order of their arrival, and those of them that are executing. */
export class FlowQueue {
  readonly index: number;
  /** Virtual time of the next dispatch. */
  nextDispatchR: number;
  /** Sums over the waiting requests. */
  waitingSeats = 0;
  waitingInitialSeats = 0;
  waitingWork = 0;
  seatsInUse = 0;
  readonly executing = new Set<Ticket>();
  readonly #waiting = new Set<Ticket>();

  constructor(index: number, nextDispatchR: number) {
    this.index = index;
    this.nextDispatchR = nextDispatchR;
  }

  get length(): number {
    return this.#waiting.size;
  }

  get oldest(): Ticket | undefined {
    for (const ticket of this.#waiting) return ticket;
    return undefined;
  }

  get waiting(): Iterable<Ticket> {
    return this.#waiting;
  }

  get hasRequests(): boolean {
    return this.#waiting.size > 0 || this.executing.size > 0;
  }

  enqueue(ticket: Ticket): void {
    this.#waiting.add(ticket);
    this.#count(ticket, 1);
  }

  remove(ticket: Ticket): void {
    if (this.#waiting.delete(ticket)) this.#count(ticket, -1);
  }

  /**
   * A queue that used less than its share while it had requests gets no credit for it: its next dispatch is not before the
   * arrival of its oldest request.
   */
  bound(): void {
    const { oldest } = this;
    if (oldest !== undefined && this.nextDispatchR < oldest.arrivalR) this.nextDispatchR = oldest.arrivalR;
  }

  #count(ticket: Ticket, more: 1 | -1): void {
    this.waitingSeats += more * ticket.seats;
    this.waitingInitialSeats += more * ticket.work.seats;
    this.waitingWork = this.#waiting.size === 0 ? 0 : this.waitingWork + more * workOf(ticket);
  }
}
