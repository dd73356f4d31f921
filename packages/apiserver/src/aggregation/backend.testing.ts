import type { ClientRequest } from 'node:http';
import { FakeBackend } from '../testing/index.js';
import type { BackendAddress, Backends } from './backends.js';
import type { RegisteredService } from './registered-service.js';

/** Connections to a backend that is a function. */
export class FakeBackends implements Pick<Backends, 'address' | 'open'> {
  readonly #backend: FakeBackend;

  constructor(...given: ConstructorParameters<typeof FakeBackend>) {
    this.#backend = new FakeBackend(...given);
  }

  get received() {
    return this.#backend.received;
  }

  get upgraded() {
    return this.#backend.upgraded;
  }

  address(): Promise<BackendAddress> {
    return Promise.resolve({ host: '10.0.0.1', port: 443, authority: '10.0.0.1:443' });
  }

  open(...[, , , request]: Parameters<Backends['open']>): ClientRequest {
    return this.#backend.open(request);
  }
}

export const refused = (): Error =>
  Object.assign(new Error('refused'), { code: 'ECONNREFUSED', address: '10.0.0.1', port: 443 });

export function serviceOf(changes: Partial<RegisteredService> = {}): RegisteredService {
  return {
    name: 'v1.example.com',
    uid: 'u',
    group: 'example.com',
    version: 'v1',
    groupPriority: 1000,
    versionPriority: 15,
    backend: { namespace: 'ours', name: 'api', port: 443, caBundle: '', insecure: false },
    isAvailable: true,
    reason: '',
    managed: undefined,
    ...changes,
  };
}
