import type { RequestFacts } from './request-facts.js';

/** A request of a control loop. */
export interface LoggedRequest extends RequestFacts {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly user: string;
}

/** The requests of all control loops, in the order in which the server got them. */
export class RequestLog {
  readonly #requests: LoggedRequest[] = [];

  add(request: LoggedRequest): void {
    this.#requests.push(request);
  }

  get all(): readonly LoggedRequest[] {
    return this.#requests;
  }

  get writes(): readonly LoggedRequest[] {
    return this.#requests.filter(({ isWrite }) => isWrite);
  }

  /** `{ 'create pods': 3, 'update deployments/status': 2 }`: the number of writes, or of the given requests. */
  counts(requests: readonly LoggedRequest[] = this.writes): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { verb, resource } of requests) counts[`${verb} ${resource}`] = (counts[`${verb} ${resource}`] ?? 0) + 1;
    return counts;
  }

  clear(): void {
    this.#requests.length = 0;
  }
}
