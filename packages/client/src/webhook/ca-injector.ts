import type { Clock } from '@binnacle/apimachinery/clock';
import { SerialQueue } from '@binnacle/apimachinery/turns';
import { SharedInformer } from '../cache/index.js';
import type { DynamicClient, ResourceClient } from '../dynamic/index.js';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../kinds/generated/admissionregistration/v1.js';
import { CustomResourceDefinition } from '../kinds/generated/apiextensions/v1.js';
import { isNotFound, retryOnConflict } from '../rest/index.js';
import type { ResourceType, TypedObject } from '../typed/index.js';
import { configurationWithCaBundle, definitionWithCaBundle, type WithCaBundle } from './with-ca-bundle.js';

/** The objects whose `caBundle` the server sets, by name. It sets all client configurations of an object. */
export interface CaInjectionTargets {
  /** It needs the rights to get, list, watch and update these objects. */
  readonly client: DynamicClient;
  readonly mutatingWebhookConfigurations?: readonly string[];
  readonly validatingWebhookConfigurations?: readonly string[];
  readonly customResourceDefinitions?: readonly string[];
}

interface Environment {
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
}

/** Sets the `caBundle` of objects, and sets it again when another client has changed or re-created one. */
export class CaInjector {
  readonly #targets: readonly Pick<Target<TypedObject>, 'run' | 'inject'>[];

  constructor(targets: CaInjectionTargets, environment: Environment) {
    const { client } = targets;
    const of = <T extends TypedObject>(type: ResourceType<T>, withBundle: WithCaBundle<T>, names?: readonly string[]) =>
      (names ?? []).map((name) => new Target(client.resource(type), name, withBundle, environment));
    this.#targets = [
      ...of(MutatingWebhookConfiguration, configurationWithCaBundle, targets.mutatingWebhookConfigurations),
      ...of(ValidatingWebhookConfiguration, configurationWithCaBundle, targets.validatingWebhookConfigurations),
      ...of(CustomResourceDefinition, definitionWithCaBundle, targets.customResourceDefinitions),
    ];
  }

  /** Watches the objects. Resolves when the signal has fired and all requests have ended. Call it once. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#targets.map((target) => target.run(signal)));
  }

  /**
   * Resolves when all objects that exist have the bundle. Objects that are created later get it too. Waits for the first lists,
   * so `run` must have been called. Rejects with the error of the first object that cannot be updated, or with the signal's
   * reason.
   */
  async inject(caBundle: string, signal: AbortSignal): Promise<void> {
    const encoded = Buffer.from(caBundle).toString('base64');
    await Promise.all(this.#targets.map((target) => target.inject(encoded, signal)));
  }
}

/** One object. */
class Target<T extends TypedObject> {
  readonly #resource: ResourceClient<T>;
  readonly #name: string;
  readonly #withBundle: WithCaBundle<T>;
  readonly #informer: SharedInformer<T>;
  readonly #environment: Environment;
  #caBundle: string | undefined;
  readonly #updates = new SerialQueue();

  constructor(resource: ResourceClient<T>, name: string, withBundle: WithCaBundle<T>, environment: Environment) {
    this.#resource = resource;
    this.#name = name;
    this.#withBundle = withBundle;
    this.#environment = environment;
    const { clock, report } = environment;
    const options = { name, clock, onError: report, fieldSelector: `metadata.name=${name}` };
    this.#informer = new SharedInformer<T>(resource, options);
  }

  async run(signal: AbortSignal): Promise<void> {
    const check = (object: T) => {
      const { report } = this.#environment;
      if (this.#lacksBundle(object)) this.#update(signal).catch((error) => void (signal.aborted || report(error)));
    };
    using _ = this.#informer.addHandler({ onAdd: check, onUpdate: (_before, after) => check(after) });
    await this.#informer.run(signal);
    await this.#updates.idle();
  }

  async inject(caBundle: string, signal: AbortSignal): Promise<void> {
    this.#caBundle = caBundle;
    await this.#informer.synced(signal);
    if (this.#informer.indexer.list().some((object) => this.#lacksBundle(object))) await this.#update(signal);
  }

  #lacksBundle(object: T): boolean {
    return this.#caBundle !== undefined && this.#withBundle(object, this.#caBundle) !== undefined;
  }

  /** One update at a time, so that the second finds nothing left to change. */
  #update(signal: AbortSignal): Promise<void> {
    const { clock } = this.#environment;
    return this.#updates.run(() => retryOnConflict(() => this.#updateOnce(signal), { clock, signal }));
  }

  async #updateOnce(signal: AbortSignal): Promise<void> {
    if (this.#caBundle === undefined) return;
    try {
      const changed = this.#withBundle(await this.#resource.get(this.#name, { signal }), this.#caBundle);
      if (changed !== undefined) await this.#resource.update(changed, { signal });
    } catch (error) {
      // It was deleted; it gets the bundle when it is created again.
      if (!isNotFound(error)) throw error;
    }
  }
}
