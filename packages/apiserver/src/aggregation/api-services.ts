import type { APIService } from '@binnacle/api/types/apiregistration-v1';
import { asKind } from '@binnacle/apimachinery/meta';
import { Follower, type FollowerOptions } from '../loops/index.js';
import type { StoredObject } from '../storage/index.js';
import { type RegisteredService, registeredService } from './registered-service.js';

export interface ApiServicesOptions extends Pick<FollowerOptions, 'reader' | 'clock' | 'report'> {
  /** Called after each APIService has changed or was deleted. */
  readonly changed: (name: string, before: RegisteredService | undefined, after: RegisteredService | undefined) => void;
}

/** All APIServices, followed by a watch. */
export class ApiServices {
  readonly #options: ApiServicesOptions;
  readonly #follower: Follower;
  readonly #byName = new Map<string, RegisteredService>();

  constructor(options: ApiServicesOptions) {
    const { reader, clock, report } = options;
    this.#options = options;
    this.#follower = new Follower({ reader, clock, report, changed: (key, stored) => this.#apply(key, stored) });
  }

  /** Settles when the stored APIServices are known. */
  start(): Promise<void> {
    return this.#follower.start();
  }

  stop(): void {
    this.#follower.stop();
  }

  get(name: string): RegisteredService | undefined {
    return this.#byName.get(name);
  }

  all(): Iterable<RegisteredService> {
    return this.#byName.values();
  }

  #apply(key: string, stored: StoredObject | undefined): void {
    const name = key.slice(key.lastIndexOf('/') + 1);
    const before = this.#byName.get(name);
    let after: RegisteredService | undefined;
    try {
      after = stored === undefined ? undefined : registeredService(asKind<APIService>(stored.decode()));
    } catch (error) {
      // The last readable state of this APIService stays in force.
      this.#options.report(error);
      return;
    }
    if (after === undefined) this.#byName.delete(name);
    else this.#byName.set(name, after);
    this.#options.changed(name, before, after);
  }
}
