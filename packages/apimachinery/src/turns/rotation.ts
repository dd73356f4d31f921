/** A connection, or what else asks for work of its own. */
export interface Caller {
  /** The same for all callers that share a place in a {@link Rotation}. */
  readonly client: unknown;
}

type Queue = (() => void)[];

/** Waiting work of several callers. The clients come in turn, then the callers of a client. Each caller's work waits in order. */
export class Rotation {
  /** In the order of their next pieces. Clients and callers without waiting work are absent. */
  readonly #clients = new Map<unknown, Map<Caller, Queue>>();
  /** A caller may change its client while work of it waits. */
  readonly #clientOf = new Map<Caller, unknown>();

  get isEmpty(): boolean {
    return this.#clientOf.size === 0;
  }

  /** Whose work comes next; undefined if none waits. */
  get next(): Caller | undefined {
    for (const callers of this.#clients.values()) for (const caller of callers.keys()) return caller;
    return undefined;
  }

  has(caller: Caller): boolean {
    return this.#clientOf.has(caller);
  }

  push(caller: Caller, resume: () => void): void {
    const client = this.has(caller) ? this.#clientOf.get(caller) : caller.client;
    const callers = this.#clients.get(client) ?? new Map<Caller, Queue>();
    const queue = callers.get(caller) ?? [];
    queue.push(resume);
    callers.set(caller, queue);
    this.#clients.set(client, callers);
    this.#clientOf.set(caller, client);
  }

  shift(): { readonly caller: Caller; readonly resume: () => void } | undefined {
    for (const [client, callers] of this.#clients)
      for (const [caller, queue] of callers) {
        const resume = queue.shift();
        callers.delete(caller);
        this.#clients.delete(client);
        if (queue.length > 0) callers.set(caller, queue);
        else this.#clientOf.delete(caller);
        if (callers.size > 0) this.#clients.set(client, callers);
        return resume === undefined ? undefined : { caller, resume };
      }
    return undefined;
  }
}
