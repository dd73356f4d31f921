interface Step {
  /** With fewer nodes, the step before applies. */
  readonly least: number;
  /** With more nodes, the step after applies. */
  readonly most: number;
  readonly seconds: number;
}

const STEPS: readonly Step[] = [
  { least: 0, most: 100, seconds: 0 },
  { least: 90, most: 500, seconds: 15 },
  { least: 450, most: 1000, seconds: 30 },
  { least: 900, most: 2000, seconds: 60 },
  { least: 1800, most: Infinity, seconds: 300 },
];

/** The time to live for a number of nodes. The ranges overlap, so that a few nodes that come and go do not change it. */
export class ClusterSize {
  #step = 0;

  /** Seconds. */
  timeToLive(nodes: number): number {
    while (nodes > (STEPS[this.#step]?.most ?? Infinity)) this.#step++;
    while (nodes < (STEPS[this.#step]?.least ?? 0)) this.#step--;
    return STEPS[this.#step]?.seconds ?? 0;
  }
}

/** Whether an annotation has this number, in any spelling. */
export function isNumber(text: string | undefined, wanted: number): boolean {
  return text !== undefined && /^[+-]?\d{1,15}$/.test(text) && Number(text) === wanted;
}
