import type { PortBitmap } from './port-bitmap.js';

/** The part at the start of the range that is kept for ports that somebody asks for by number. */
const STATIC_STEP = 32;
const STATIC_MINIMUM = 16;
const STATIC_MAXIMUM = 128;
/** Ports that a dry run makes up follow this one, outside the usual range so that nobody takes them for real. */
const DRY_RUN_BASE = 32768;

/** Chooses ports for one service, and remembers which. Nothing is claimed by choosing. */
export interface PortChooser {
  readonly chosen: readonly number[];
  /** Takes this port; answers why it cannot be had, or undefined. */
  take(port: number): string | undefined;
  /** Any free port; undefined when there is none. */
  takeAny(): number | undefined;
}

/** Marks what it chooses in the bitmap. `random` answers numbers from 0 up to, and without, 1. */
export class BitmapChooser implements PortChooser {
  readonly chosen: number[] = [];
  readonly #bitmap: PortBitmap;
  readonly #random: () => number;

  constructor(bitmap: PortBitmap, random: () => number) {
    this.#bitmap = bitmap;
    this.#random = random;
  }

  take(port: number): string | undefined {
    const { range } = this.#bitmap;
    if (!this.#bitmap.covers(port)) {
      return `provided port is not in the valid range. The range of valid ports is ${range.text}`;
    }
    if (this.#bitmap.has(port)) return ALREADY_ALLOCATED;
    this.#choose(port);
    return undefined;
  }

  takeAny(): number | undefined {
    const { first, last } = this.#bitmap.range;
    const dynamic = first + staticSize(last - first + 1);
    const port = this.#search(dynamic, last) ?? this.#search(first, dynamic - 1);
    if (port !== undefined) this.#choose(port);
    return port;
  }

  #choose(port: number): void {
    this.#bitmap.add(port);
    this.chosen.push(port);
  }

  /** The first free port from a random one on, around the end. */
  #search(from: number, to: number): number | undefined {
    const size = to - from + 1;
    const start = Math.floor(this.#random() * size);
    for (let step = 0; step < size; step++) {
      const port = from + ((start + step) % size);
      if (!this.#bitmap.has(port)) return port;
    }
    return undefined;
  }
}

/** Chooses as a dry run shows it: it never runs out, and knows no range. Upstream: `portallocator/operation.go`. */
export class DryRunChooser implements PortChooser {
  readonly chosen: number[] = [];
  readonly #bitmap: PortBitmap;

  constructor(bitmap: PortBitmap) {
    this.#bitmap = bitmap;
  }

  take(port: number): string | undefined {
    if (this.#bitmap.has(port) || this.chosen.includes(port)) return ALREADY_ALLOCATED;
    this.chosen.push(port);
    return undefined;
  }

  takeAny(): number {
    const port = (this.chosen.length === 0 ? DRY_RUN_BASE : Math.max(...this.chosen)) + 1;
    this.chosen.push(port);
    return port;
  }
}

const ALREADY_ALLOCATED = 'provided port is already allocated';

function staticSize(size: number): number {
  if (size <= STATIC_MINIMUM) return 0;
  return Math.min(STATIC_MAXIMUM, Math.max(STATIC_MINIMUM, Math.floor(size / STATIC_STEP)));
}
