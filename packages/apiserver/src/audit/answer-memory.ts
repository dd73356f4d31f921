/** The most bytes of answers that the events of all requests in progress include. A slow client keeps its request, and so its event, for a minute. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/** The memory for the answers in events, which the memory ceiling of requests does not count. */
export class AnswerMemory {
  #held = 0;

  /** False if there is no room. */
  take(bytes: number): boolean {
    if (this.#held + bytes > LARGEST_BYTES) return false;
    this.#held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}
