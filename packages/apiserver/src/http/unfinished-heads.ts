/** A head of at most this size is never cut off. */
const SMALL_HEAD = 64 * 1024;

/**
 * Counts the bytes of heads that have begun and not ended, on all connections. Above the maximum, a connection that sends
 * more of a large head is cut off: a client may take half a minute for its head, and no request is known yet that a limit of
 * memory could refuse.
 */
export class UnfinishedHeads {
  readonly #maximum: number;
  #bytes = 0;

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** The heads of one connection, one after another. `cut` ends the connection. */
  of(cut: () => void): UnfinishedHead {
    let own = 0;
    const end = (): void => {
      this.#bytes -= own;
      own = 0;
    };
    return {
      add: (bytes) => {
        own += bytes;
        this.#bytes += bytes;
        if (this.#bytes <= this.#maximum || own <= SMALL_HEAD) return;
        end();
        cut();
      },
      end,
    };
  }
}

export interface UnfinishedHead {
  /** More of the head has arrived. */
  add(bytes: number): void;
  /** The head is complete, or its connection has ended. */
  end(): void;
}
