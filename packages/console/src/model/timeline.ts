import type { Change } from './change.js';

/** The number of changes in one span of time. */
export interface Bucket {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly total: number;
  /** Of these, changes that left an object in need of attention. */
  readonly bad: number;
}

/** Seconds that are kept: three hours. */
const MOST_SECONDS = 3 * 60 * 60;

/** Counts changes by the second. */
export class Timeline {
  readonly #seconds = new Map<number, { total: number; bad: number }>();
  #oldest = Number.POSITIVE_INFINITY;

  /** The time of the oldest change that is counted; infinity: none. */
  get oldest(): number {
    return this.#oldest;
  }

  add(changes: readonly Change[]): void {
    for (const { time, health } of changes) {
      const second = Math.floor(time / 1000);
      const counts = this.#seconds.get(second) ?? { total: 0, bad: 0 };
      counts.total += 1;
      if (health === 'bad') counts.bad += 1;
      this.#seconds.set(second, counts);
      this.#oldest = Math.min(this.#oldest, second * 1000);
    }
    if (this.#seconds.size > 2 * MOST_SECONDS) this.#trim();
  }

  /** `count` equal spans between two times. */
  buckets(from: number, to: number, count: number): Bucket[] {
    const span = (to - from) / count;
    const totals = Array.from({ length: count }, () => ({ total: 0, bad: 0 }));
    for (const [second, { total, bad }] of this.#seconds) {
      const sum = totals[Math.floor((second * 1000 - from) / span)];
      if (sum === undefined) continue;
      sum.total += total;
      sum.bad += bad;
    }
    return totals.map((sum, index) => ({ from: from + index * span, ...sum }));
  }

  #trim(): void {
    const seconds = [...this.#seconds.keys()].sort((a, b) => b - a);
    for (const second of seconds.slice(MOST_SECONDS)) this.#seconds.delete(second);
    this.#oldest = (seconds[MOST_SECONDS - 1] ?? 0) * 1000;
  }
}

/** A span of time on the bar, and its width in pixels. */
export interface Scale {
  readonly from: number;
  readonly to: number;
  readonly width: number;
}

export function positionOf(time: number, { from, to, width }: Scale): number {
  return to === from ? 0 : ((time - from) / (to - from)) * width;
}

/** The time at a position, within the span. */
export function timeAt(position: number, { from, to, width }: Scale): number {
  const share = width === 0 ? 1 : Math.min(1, Math.max(0, position / width));
  return Math.round(from + share * (to - from));
}

const STEPS_MS = [1, 5, 10, 30, 60, 300, 600, 1800, 3600, 10_800, 21_600, 86_400].map((seconds) => seconds * 1000);

/** Round times for labels, about `wanted` of them. */
export function ticks({ from, to }: Scale, wanted: number): number[] {
  const step = STEPS_MS.find((each) => (to - from) / each <= wanted) ?? 86_400_000;
  const times: number[] = [];
  for (let time = Math.ceil(from / step) * step; time <= to; time += step) times.push(time);
  return times;
}
