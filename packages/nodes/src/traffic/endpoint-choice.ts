import { areOfOneNode, isOfProcessNode } from '../node/limits/index.js';
import { type Endpoint, type Place, serving } from './service-endpoints.js';
import { placeName, type ServicePort } from './traffic-plan.js';

/** The most clients that are remembered for a port. The one with the oldest connection is forgotten. */
const MOST_CLIENTS = 10_000;

/** Chooses endpoints of one port of a service in turn, and the same again for a client with affinity. */
export class EndpointChoice {
  #turn = 0;
  readonly #clients = new Map<string, { readonly endpoint: string; readonly until: number }>();

  /** `client`: its address. `now`: milliseconds on a clock that never jumps. Undefined: there is no endpoint. */
  next(port: Pick<ServicePort, 'endpoints' | 'isLocal' | 'affinity'>, client: string, now: number): Place | undefined {
    const { affinity } = port;
    const endpoints = reachedBy(client, port);
    const known = affinity === undefined ? undefined : this.#clients.get(client);
    const kept = known !== undefined && now < known.until ? known.endpoint : undefined;
    const same = kept === undefined ? undefined : endpoints.find((endpoint) => placeName(endpoint) === kept);
    const chosen = same ?? endpoints[this.#turn++ % endpoints.length];
    if (chosen !== undefined && affinity !== undefined) this.#remember(client, placeName(chosen), now + affinity);
    return chosen;
  }

  #remember(client: string, endpoint: string, until: number): void {
    this.#clients.delete(client);
    this.#clients.set(client, { endpoint, until });
    for (const first of this.#clients.keys()) {
      if (this.#clients.size <= MOST_CLIENTS) break;
      this.#clients.delete(first);
    }
  }
}

/** A client whose address is of no process node is on this machine, and so are all endpoints. */
function reachedBy(
  client: string,
  { endpoints, isLocal }: Pick<ServicePort, 'endpoints' | 'isLocal'>,
): readonly Endpoint[] {
  if (!isLocal || !isOfProcessNode(client)) return serving(endpoints);
  return serving(endpoints.filter(({ host }) => areOfOneNode(host, client)));
}
