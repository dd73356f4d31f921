import type { Random } from '@binnacle/apimachinery/clock';
import type { AllocationScope } from './allocation-observer.js';
import type { PortBitmap } from './port-bitmap.js';

/** The static block at the start of the range serves requests for a specific port. It has a 32nd of the ports, within these bounds. */
const STATIC_DIVISOR = 32;
const STATIC_MINIMUM = 16;
const STATIC_MAXIMUM = 128;
/**
 * A dry run shows ports above this one. They are outside the default range, so they cannot be mistaken for allocated
 * ports.
 */
const DRY_RUN_BASE = 32768;

/** Chooses the ports of one service and remembers them. Choosing claims nothing. */
export interface PortChooser {
  readonly chosen: readonly number[];
  /** Takes this port. Returns the reason when it is not available, otherwise undefined. */
  take(port: number): string | undefined;
  /** Takes any free port. Undefined when there is none. */
  takeAny(): number | undefined;
}

/** Marks the chosen ports in the bitmap. */
export class BitmapChooser implements PortChooser {
  readonly chosen: number[] = [];
  /** How each chosen port was asked for, and each port that was not available. */
  readonly taken: AllocationScope[] = [];
  readonly refused: AllocationScope[] = [];
  readonly #bitmap: PortBitmap;
  readonly #random: Random;

  constructor(bitmap: PortBitmap, random: Random) {
    this.#bitmap = bitmap;
    this.#random = random;
  }

  take(port: number): string | undefined {
    const problem = this.#problemOf(port);
    if (problem === undefined) this.#choose(port, 'static');
    else this.refused.push('static');
    return problem;
  }

  takeAny(): number | undefined {
    const { first, last } = this.#bitmap.range;
    const dynamic = first + staticSize(last - first + 1);
    const port = this.#search(dynamic, last) ?? this.#search(first, dynamic - 1);
    if (port === undefined) this.refused.push('dynamic');
    else this.#choose(port, 'dynamic');
    return port;
  }

  #problemOf(port: number): string | undefined {
    if (this.#bitmap.covers(port)) return this.#bitmap.has(port) ? ALREADY_ALLOCATED : undefined;
    return `provided port is not in the valid range. The range of valid ports is ${this.#bitmap.range.text}`;
  }

  #choose(port: number, scope: AllocationScope): void {
    this.#bitmap.add(port);
    this.chosen.push(port);
    this.taken.push(scope);
  }

  /** The first free port from a random start, with wraparound. */
  #search(from: number, to: number): number | undefined {
    const size = to - from + 1;
    const start = Math.floor(this.#random.number() * size);
    for (let step = 0; step < size; step++) {
      const port = from + ((start + step) % size);
      if (!this.#bitmap.has(port)) return port;
    }
    return undefined;
  }
}

/**
 * Chooses the ports that a dry run shows. It never runs out and ignores the range. Upstream:
 * `portallocator/operation.go`.
 */
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
  return Math.min(STATIC_MAXIMUM, Math.max(STATIC_MINIMUM, Math.floor(size / STATIC_DIVISOR)));
}
