import { pause, stage } from './turn.js';

/** The pauses of one computation. The first one is a {@link stage}, so that short computations wait for no long ones. */
export class Pauses {
  #isLong = false;

  /** Call it before each piece. */
  next(): Promise<void> | undefined {
    const pausing = this.#isLong ? pause() : stage();
    if (pausing !== undefined) this.#isLong = true;
    return pausing;
  }
}
