import { type Clock, Deadline } from '@binnacle/apimachinery/clock';
import type { EndpointSlice } from '@binnacle/api/types/discovery-v1';
import type { Service } from '@binnacle/api/types/core-v1';
import type { KindReader } from '../registry/index.js';
import { describeFailure } from '../webhooks/index.js';
import { type Availability, failedDiscovery, PASSED, unreachable } from './availability.js';
import { BackendCall } from '../proxying/index.js';
import type { Backends } from './backends.js';
import { userHeadersOf } from './forwarded-headers.js';
import { type BackendReference, pathOf, type RegisteredService } from './registered-service.js';

export interface AvailabilityCheckOptions {
  readonly services: Pick<KindReader<Service>, 'find'>;
  readonly endpointSlices: Pick<KindReader<EndpointSlice>, 'list'>;
  readonly backends: Pick<Backends, 'address' | 'open'>;
  readonly clock: Clock;
}

const TIMEOUT_MS = 5000;
/** An endpoint is chosen by chance, so one that fails says little. */
const ATTEMPTS = 5;
const TIMED_OUT = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
const SERVICE_NAME = 'kubernetes.io/service-name';
/** The user of the server's own requests to backends. */
export const AGGREGATOR = { name: 'system:kube-aggregator', uid: '', groups: ['system:masters'], extra: {} } as const;

/** Finds out whether the backend of an APIService can answer. Upstream: kube-aggregator `pkg/controllers/status/remote`. */
export class AvailabilityCheck {
  readonly #options: AvailabilityCheckOptions;

  constructor(options: AvailabilityCheckOptions) {
    this.#options = options;
  }

  async judge(service: RegisteredService, backend: BackendReference): Promise<Availability> {
    const { services, endpointSlices } = this.#options;
    const found = await services.find(backend.namespace, backend.name);
    const slices = await endpointSlices.list(backend.namespace, ({ labels }) => labels[SERVICE_NAME] === backend.name);
    const reason = unreachable(backend, found, slices);
    if (reason !== undefined) return reason;
    const failures = await this.#attempts(service, backend);
    return failures === undefined ? PASSED : failedDiscovery(failures);
  }

  /** The failure of the last attempt; undefined once one has succeeded. */
  async #attempts(service: RegisteredService, backend: BackendReference): Promise<string | undefined> {
    let last = '';
    const attempts = Array.from({ length: ATTEMPTS }, async () => {
      const failure = await this.#attempt(service, backend);
      if (failure === undefined) return;
      last = failure;
      throw new Error(failure);
    });
    return Promise.any(attempts).then(
      () => undefined,
      () => last,
    );
  }

  async #attempt(service: RegisteredService, backend: BackendReference): Promise<string | undefined> {
    const { backends, clock } = this.#options;
    using limit = new Deadline(clock, TIMEOUT_MS, undefined, service.name);
    const { signal } = limit;
    const path = pathOf(service);
    let url = path;
    try {
      const address = await backends.address(backend);
      url = `https://${address.authority}${path}`;
      const headers = { host: address.authority, ...userHeadersOf(AGGREGATOR) };
      const request = { method: 'GET', url: path, headers, signal };
      const call = new BackendCall(() => backends.open(service.name, backend, address, request));
      const { message, upgraded } = await call.send(undefined);
      // Only the status matters. A body that is read could be endless, and so could another protocol.
      message.destroy();
      upgraded?.socket.destroy();
      const status = message.statusCode ?? 0;
      if (status >= 200 && status < 300) return undefined;
      return `failing or missing response from ${url}: bad status from ${url}: ${String(status)}`;
    } catch (error) {
      const reason = signal.aborted ? TIMED_OUT : describeFailure(error, false);
      return url === path ? reason : `failing or missing response from ${url}: Get "${url}": ${reason}`;
    }
  }
}
