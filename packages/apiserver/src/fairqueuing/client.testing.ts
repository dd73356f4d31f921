import { type QueueSet } from './queue-set.js';
import type { StepClock } from './step-clock.testing.js';
import { noLoad, type Work } from './work.js';

export interface ClientPlan {
  readonly hand: readonly number[];
  /** How many requests it has at a time. */
  readonly threads: number;
  readonly servedMs: number;
  /** The pause between two requests of a thread. */
  readonly pauseMs: number;
  readonly work?: Work;
}

export const workOfSeats = (seats: number): Work => ({ seats, finalSeats: 0, finalMs: 0 });

/** Sends requests to a queue set until the clock stops. */
export class Client {
  readonly load = noLoad();
  /** Seat-seconds that it got. */
  served = 0;
  finished = 0;
  refused = 0;
  /** The longest wait of a request, in milliseconds. */
  longestWait = 0;

  constructor(clock: StepClock, set: QueueSet, plan: ClientPlan) {
    const { hand, threads, servedMs, pauseMs, work = workOfSeats(1) } = plan;
    const again = (): void => void clock.setTimer(send, pauseMs);
    const send = (): void => {
      const ticket = set.arrive({ hand, load: this.load, work });
      if (typeof ticket === 'string') {
        this.refused++;
        again();
        return;
      }
      const serve = (): void => {
        this.longestWait = Math.max(this.longestWait, clock.monotonic() - ticket.arrivedAt);
        clock.setTimer(() => {
          this.served += (ticket.seats * servedMs) / 1000;
          this.finished++;
          set.finish(ticket);
          again();
        }, servedMs);
      };
      if (ticket.state === 'executing') serve();
      else ticket.started = serve;
    };
    for (let thread = 0; thread < threads; thread++) send();
  }
}
