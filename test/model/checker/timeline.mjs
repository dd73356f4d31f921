/**
 * Bounds on revisions from real time. An operation that began after any client had seen a revision is not before it.
 * An operation that ended before a write began does not show that write.
 */
export class Timeline {
  #seen = [];
  #writes = [];

  /** A client has seen this revision at this tick. */
  saw(tick, revision) {
    if (tick !== undefined && revision !== undefined) this.#seen.push({ tick, revision });
  }

  /** A write that began at this tick got this revision. */
  wrote(invoked, revision) {
    this.#writes.push({ tick: invoked, revision });
  }

  /** Call it once, after everything has been recorded. */
  seal() {
    this.#seen.sort((a, b) => a.tick - b.tick);
    let newest = 0;
    for (const point of this.#seen) {
      newest = Math.max(newest, point.revision);
      point.revision = newest;
    }
    this.#writes.sort((a, b) => a.tick - b.tick);
    let oldest = Number.POSITIVE_INFINITY;
    for (const point of this.#writes.toReversed()) {
      oldest = Math.min(oldest, point.revision);
      point.revision = oldest;
    }
  }

  /** The server had reached this revision before `tick`. */
  reachedBefore(tick) {
    return this.#seen[firstFrom(this.#seen, tick) - 1]?.revision ?? 0;
  }

  /** An operation that ended at `tick` has seen at most this revision. */
  limitAt(tick) {
    return (this.#writes[firstFrom(this.#writes, tick)]?.revision ?? Number.POSITIVE_INFINITY) - 1;
  }
}

/** Index of the first point not before `tick`. */
function firstFrom(points, tick) {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle].tick < tick) low = middle + 1;
    else high = middle;
  }
  return low;
}
