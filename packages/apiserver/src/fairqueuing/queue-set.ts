import type { Clock } from '@binnacle/apimachinery/clock';
import { firstToFinish, leastLoaded } from './choose-queue.js';
import { ESTIMATED_SECONDS, FlowQueue, Ticket, workOf } from './flow-queue.js';
import { type NextStarts, nextStarts } from './next-starts.js';
import { SeatDemand } from './seat-demand.js';
import type { Load, Work } from './work.js';

export interface QueueSetShape {
  /** Whether all requests start at once, whatever the limit. */
  readonly isUnlimited: boolean;
  /** 0 = requests do not wait. */
  readonly queues: number;
  /** How many requests may wait in a queue. */
  readonly queueLength: number;
}

export interface Arrival {
  readonly work: Work;
  /** Counts the request. */
  readonly load: Load;
  /** The queues among which the request chooses; one at least, if there are queues. */
  readonly hand: readonly number[];
}

/** Why a request is refused. */
export type Refusal = 'concurrency-limit' | 'queue-full';

/**
 * This part of the seats is for flows that hold few. One thread works on all requests in turns, so wide requests of one
 * flow end late, and all at once: others would wait for them. Upstream, which has many threads, keeps no seats.
 */
const RESERVED_SHARE = 1 / 8;

/**
 * Dispatches requests so that flows get equal shares of the seats. Upstream: `queueset`, whose `doc.go` explains virtual
 * time: `R` advances by the seat-seconds that each queue with requests gets.
 */
export class QueueSet {
  readonly #clock: Clock;
  readonly #queues = new Map<number, FlowQueue>();
  /** Requests that execute without a queue. */
  readonly #direct = new Set<Ticket>();
  #shape: QueueSetShape;
  #limit: number;
  #currentR = 0;
  #syncedAt: number;
  /** The index of the queue that was dispatched last. */
  #lastIndex = -1;
  #arrivals = 0;
  /** Queues with requests. */
  #activeQueues = 0;
  readonly demand: SeatDemand;
  waiting = 0;
  waitingSeats = 0;
  executing = 0;
  seatsInUse = 0;
  /** The part of {@link seatsInUse} that is of the reserve. */
  #reserveInUse = 0;
  dispatched = 0;
  refused = 0;
  cancelled = 0;
  /** Virtual time of the last dispatch from a queue; undefined before the first. */
  dispatchR: number | undefined = undefined;
  /** Virtual time at which the request that was dispatched last from a queue could start. */
  latestS: number | undefined = undefined;
  /** Called with the load of a request that must wait until other requests end, though a seat is free. */
  onNoRoom: (load: Load) => void = () => undefined;
  /** Called after each change of the requests, the seats or the limit. Must not throw. */
  onChange: (now: number) => void = () => undefined;

  constructor(clock: Clock, shape: QueueSetShape, limit: number) {
    this.#clock = clock;
    this.#shape = shape;
    this.#limit = limit;
    this.#syncedAt = clock.monotonic();
    this.demand = new SeatDemand(this.#syncedAt);
  }

  get isIdle(): boolean {
    return this.waiting === 0 && this.executing === 0;
  }

  get limit(): number {
    return this.#limit;
  }

  get shape(): QueueSetShape {
    return this.#shape;
  }

  /** Virtual time. */
  get currentR(): number {
    this.#sync();
    return this.#currentR;
  }

  /** The queues with requests or seats. */
  get queues(): Iterable<FlowQueue> {
    return this.#queues.values();
  }

  /** Undefined if no request waits. */
  get nextStarts(): NextStarts | undefined {
    return nextStarts(this.#queues.values());
  }

  /** The requests that execute without a queue. */
  get direct(): Iterable<Ticket> {
    return this.#direct;
  }

  /** Waiting requests of queues that no longer exist drain. */
  configure(shape: QueueSetShape, limit: number): void {
    this.#sync();
    this.#shape = shape;
    this.#limit = limit;
    this.#changed();
    this.#dispatch();
  }

  /** Starts a request, or lets it wait: the state of its ticket says which. */
  arrive({ work, load, hand }: Arrival): Ticket | Refusal {
    const now = this.#sync();
    const ticket = new Ticket(work, load, now);
    ticket.arrivalR = this.#currentR;
    if (this.#shape.queues === 0) {
      if (!this.#fits(ticket.seats, this.#limit)) return this.#refuse('concurrency-limit');
      this.#direct.add(ticket);
      this.#start(ticket, now);
      return ticket;
    }
    const index = leastLoaded(hand, this.#arrivals++, this.#queues);
    const queue = this.#queues.get(index) ?? new FlowQueue(index, this.#currentR);
    this.#enqueue(ticket, queue);
    this.#dispatch();
    if (ticket.state !== 'waiting' || queue.length <= this.#shape.queueLength) return ticket;
    this.#withdraw(ticket, queue);
    return this.#refuse('queue-full');
  }

  /** Ends a request that still waits; for any other it does nothing. */
  cancel(ticket: Ticket): void {
    const { queue } = ticket;
    if (ticket.state !== 'waiting' || queue === undefined) return;
    this.#sync();
    this.#withdraw(ticket, queue);
    this.refused++;
    this.cancelled++;
    this.#dispatch();
  }

  /** Ends a request that was executing. Its seats are free when its final work is done. */
  finish(ticket: Ticket): void {
    if (ticket.state !== 'executing') return;
    const now = this.#sync();
    const { queue, load, work } = ticket;
    ticket.state = 'over';
    this.executing--;
    load.executing--;
    if (queue === undefined) this.#direct.delete(ticket);
    else {
      queue.executing.delete(ticket);
      const seconds = (now - ticket.startedAt) / 1000;
      queue.nextDispatchR += work.seats * (seconds - ESTIMATED_SECONDS);
      queue.bound();
      if (!queue.hasRequests) this.#activeQueues--;
    }
    if (work.finalMs > 0) {
      this.#clock.setTimer(() => this.#releaseLater(ticket), work.finalMs).unref();
      this.#changed();
    } else this.#release(ticket);
    this.#dispatch();
  }

  #releaseLater(ticket: Ticket): void {
    this.#sync();
    this.#release(ticket);
    this.#dispatch();
  }

  #release(ticket: Ticket): void {
    const { queue, seats, load } = ticket;
    this.seatsInUse -= seats;
    if (ticket.isReserved) this.#reserveInUse -= seats;
    load.executingSeats -= seats;
    if (queue !== undefined) {
      queue.seatsInUse -= seats;
      this.#retire(queue);
    }
    this.#changed();
  }

  #withdraw(ticket: Ticket, queue: FlowQueue): void {
    this.#dequeue(ticket, queue);
    ticket.state = 'over';
    queue.bound();
    this.#retire(queue);
    this.#changed();
  }

  #refuse(refusal: Refusal): Refusal {
    this.refused++;
    return refusal;
  }

  #enqueue(ticket: Ticket, queue: FlowQueue): void {
    if (!queue.hasRequests) {
      queue.nextDispatchR = this.#currentR;
      this.#queues.set(queue.index, queue);
      this.#activeQueues++;
    }
    ticket.queue = queue;
    queue.enqueue(ticket);
    queue.bound();
    const { load, seats } = ticket;
    this.waiting++;
    this.waitingSeats += seats;
    load.waiting++;
    load.waitingSeats += seats;
    this.#changed();
  }

  #dequeue(ticket: Ticket, queue: FlowQueue): void {
    const { load, seats } = ticket;
    queue.remove(ticket);
    this.waiting--;
    this.waitingSeats -= seats;
    load.waiting--;
    load.waitingSeats -= seats;
    if (!queue.hasRequests) this.#activeQueues--;
  }

  #dispatch(): void {
    while (this.waiting > 0 && this.seatsInUse < this.#limit) {
      const queue = firstToFinish(this.#queues.values(), this.#lastIndex, () => true);
      const ticket = queue?.oldest;
      if (queue === undefined || ticket === undefined) return;
      const common = this.#limit - this.#reserve;
      if (this.#fits(ticket.seats, common + this.#reserveInUse)) {
        this.#lastIndex = queue.index;
        this.#dispatchFrom(queue, ticket);
        continue;
      }
      this.onNoRoom(ticket.load);
      // One that must be alone would wait for all that start meanwhile.
      if (ticket.seats > common || !this.#dispatchReserved()) return;
    }
  }

  get #reserve(): number {
    return Math.floor(this.#limit * RESERVED_SHARE);
  }

  /** Starts a request of a flow that holds few seats, and so would not have to wait if it were alone. */
  #dispatchReserved(): boolean {
    const left = this.#reserve - this.#reserveInUse;
    if (left <= 0) return false;
    const isAdmissible = ({ seatsInUse }: FlowQueue, { seats }: Ticket): boolean =>
      seats <= left && seatsInUse + seats <= this.#reserve;
    const queue = firstToFinish(this.#queues.values(), this.#lastIndex, isAdmissible);
    const ticket = queue?.oldest;
    if (queue === undefined || ticket === undefined) return false;
    ticket.isReserved = true;
    this.#dispatchFrom(queue, ticket);
    return true;
  }

  #dispatchFrom(queue: FlowQueue, ticket: Ticket): void {
    const cost = workOf(ticket);
    this.dispatchR = this.#currentR;
    this.latestS = queue.nextDispatchR;
    queue.executing.add(ticket);
    this.#dequeue(ticket, queue);
    ticket.reshape(this.#limit);
    queue.seatsInUse += ticket.seats;
    this.#start(ticket, this.#syncedAt);
    queue.nextDispatchR += cost;
    queue.bound();
    ticket.started?.();
  }

  #start(ticket: Ticket, now: number): void {
    const { load, seats } = ticket;
    ticket.state = 'executing';
    ticket.startedAt = now;
    this.executing++;
    this.dispatched++;
    this.seatsInUse += seats;
    if (ticket.isReserved) this.#reserveInUse += seats;
    load.executing++;
    load.executingSeats += seats;
    this.#changed();
  }

  /** Whether this many seats are free within a limit. */
  #fits(seats: number, limit: number): boolean {
    if (this.#shape.isUnlimited) return true;
    // A request that is wider than the limit waits until it is alone.
    if (seats > limit) return this.executing === 0;
    return this.seatsInUse + seats <= limit;
  }

  #retire(queue: FlowQueue): void {
    if (!queue.hasRequests && queue.seatsInUse === 0) this.#queues.delete(queue.index);
  }

  #changed(): void {
    this.demand.set(this.seatsInUse + this.waitingSeats, this.#syncedAt);
    this.onChange(this.#syncedAt);
  }

  /** Advances virtual time to now, as the queues were since the last call. Returns the time. */
  #sync(): number {
    const now = this.#clock.monotonic();
    if (this.#activeQueues > 0) {
      const seats = Math.min(this.seatsInUse + this.waitingSeats, this.#limit);
      this.#currentR += (seats / this.#activeQueues) * ((now - this.#syncedAt) / 1000);
    }
    this.#syncedAt = now;
    return now;
  }
}
