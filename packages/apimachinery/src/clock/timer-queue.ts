/** A timer that waits. */
export interface QueuedTimer {
  /** Milliseconds of a monotonic clock. */
  readonly at: number;
  readonly run: () => void;
}

interface Entry extends QueuedTimer {
  readonly order: number;
  /** Its place in the heap; -1 once it is removed. */
  index: number;
}

/** Timers by their times; those of equal times in the order in which they were added. Each operation takes logarithmic time. */
export class TimerQueue {
  /** A binary heap: the children of place i are at 2i + 1 and 2i + 2. */
  readonly #heap: Entry[] = [];
  #orders = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** The earliest timer. */
  get first(): QueuedTimer | undefined {
    return this.#heap[0];
  }

  /** Adds a timer. Returns a function that removes it, unless it has left already. */
  add(at: number, run: () => void): () => void {
    const entry: Entry = { at, run, order: this.#orders++, index: -1 };
    this.#rise(entry, this.#heap.length);
    return () => this.#remove(entry);
  }

  /** Removes and returns the earliest timer. */
  take(): QueuedTimer | undefined {
    const [first] = this.#heap;
    if (first !== undefined) this.#remove(first);
    return first;
  }

  #remove(entry: Entry): void {
    const { index } = entry;
    if (index < 0) return;
    entry.index = -1;
    const last = this.#heap.pop();
    if (last === undefined || last === entry) return;
    this.#rise(last, index);
    if (last.index === index) this.#sink(last, index);
  }

  #rise(entry: Entry, from: number): void {
    let index = from;
    while (index > 0) {
      const up = (index - 1) >> 1;
      const parent = this.#heap[up];
      if (parent === undefined || isBefore(parent, entry)) break;
      this.#put(parent, index);
      index = up;
    }
    this.#put(entry, index);
  }

  #sink(entry: Entry, from: number): void {
    let index = from;
    for (;;) {
      const [left, right] = [this.#heap[2 * index + 1], this.#heap[2 * index + 2]];
      if (left === undefined) break;
      const child = right !== undefined && isBefore(right, left) ? right : left;
      if (isBefore(entry, child)) break;
      const down = child.index;
      this.#put(child, index);
      index = down;
    }
    this.#put(entry, index);
  }

  #put(entry: Entry, index: number): void {
    entry.index = index;
    this.#heap[index] = entry;
  }
}

const isBefore = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);
