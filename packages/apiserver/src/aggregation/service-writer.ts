import type { APIService, APIServiceCondition } from '@binnacle/api/types/apiregistration-v1';
import { asKind } from '@binnacle/apimachinery/meta';
import { StatusError } from '@binnacle/apimachinery/status';
import { formatTime } from '@binnacle/apimachinery/time';
import { createOwned, serverScope, updateOwned } from '../bootstrap/index.js';
import type { ResourceEndpoint } from '../endpoints/index.js';
import type { DesiredService } from './auto-registration.js';
import type { Availability } from './availability.js';
import { serviceObject, specOf } from './own-services.js';
import type { RegisteredService } from './registered-service.js';

/** Writes APIServices as the server itself. Leaves alone those that another writer has changed or deleted meanwhile. */
export class ServiceWriter {
  readonly #endpoint: ResourceEndpoint;

  /** `endpoint`: that of the APIServices. */
  constructor(endpoint: ResourceEndpoint) {
    this.#endpoint = endpoint;
  }

  async create(desired: DesiredService): Promise<void> {
    await ignoring(['AlreadyExists'], createOwned(serviceObject(desired), this.#endpoint));
  }

  async correct({ name, uid }: RegisteredService, desired: DesiredService): Promise<void> {
    await updateOwned(this.#endpoint, { name, uid, subresource: '', parts: ['spec'] }, (object) => {
      object['spec'] = { ...specOf(desired) };
    });
  }

  async delete({ name, uid }: RegisteredService): Promise<void> {
    const deletion = this.#endpoint.store.delete(serverScope(''), name, { preconditions: { uid } });
    await ignoring(['NotFound', 'Conflict'], deletion);
  }

  /** Sets the condition `Available`. Its time changes only with its status. */
  async setAvailability({ name, uid }: RegisteredService, availability: Availability): Promise<void> {
    const now = formatTime(this.#endpoint.clock.now());
    await updateOwned(this.#endpoint, { name, uid, subresource: 'status', parts: ['status'] }, (object) => {
      setCondition(asKind<APIService>(object), { type: 'Available', ...availability }, now);
    });
  }
}

function setCondition(service: APIService, condition: APIServiceCondition, now: string): void {
  service.status ??= {};
  const { conditions = [] } = service.status;
  const known = conditions.find(({ type }) => type === condition.type);
  const lastTransitionTime = known?.status === condition.status ? known.lastTransitionTime : now;
  const { type, status, reason, message } = condition;
  const written = { type, status, lastTransitionTime, reason, message };
  service.status.conditions =
    known === undefined ? [...conditions, written] : conditions.map((each) => (each === known ? written : each));
}

async function ignoring(reasons: readonly string[], work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof StatusError) || !reasons.includes(error.reason ?? '')) throw error;
  }
}
