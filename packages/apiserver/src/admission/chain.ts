import type { JsonObject } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { isTurnOver, stage } from '../slices/index.js';
import type { StoredVersion } from '../storage/index.js';
import { dropDuplicateOwners } from './duplicate-owners.js';
import type { AdmissionAttributes, AdmissionPlugin, Operation } from './plugin.js';
import { Reinvocation } from './reinvocation.js';
import { keepValidManagers } from './valid-managers.js';

/** The attributes that all plugin calls of one request share. */
export interface AdmissionRequest
  extends Omit<AdmissionAttributes, 'operation' | 'object' | 'oldObject' | 'options' | 'reinvocation'> {
  /** The options of an operation. A patch creates or updates, so the operation decides their kind. */
  readonly optionsOf: (operation: Operation) => JsonObject | undefined;
}

/** Observes each step: all mutating, or all validating, plugins of a request together. It must not throw. */
export interface AdmissionObserver {
  /** A step begins. The result is called when every plugin has passed or the first has refused. */
  begun(type: 'admit' | 'validate', operation: Operation): (refused: boolean) => void;
}

/** The objects of one step. */
interface StepObjects {
  readonly operation: Operation;
  readonly object: KubernetesObject | undefined;
  readonly oldObject: Readonly<KubernetesObject> | undefined;
}

/** Runs the admission plugins for one request, in order. */
export class AdmissionRun {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #request: AdmissionRequest;
  readonly #observer: AdmissionObserver | undefined;

  constructor(plugins: readonly AdmissionPlugin[], request: AdmissionRequest, observer?: AdmissionObserver) {
    this.#plugins = plugins;
    this.#request = request;
    this.#observer = observer;
  }

  async admitCreate(object: KubernetesObject): Promise<void> {
    await this.#admit({ operation: 'CREATE', object, oldObject: undefined }, object);
  }

  async validateCreate(object: Readonly<KubernetesObject>): Promise<void> {
    await this.#step('validate', { operation: 'CREATE', object, oldObject: undefined });
  }

  /** The versions of other objects that must still be stored when the object of an admitted create is; see {@link AdmissionPlugin}. */
  async createConditions(object: Readonly<KubernetesObject>, isRetry: boolean): Promise<readonly StoredVersion[]> {
    const versions: StoredVersion[] = [];
    let attributes: AdmissionAttributes | undefined;
    for (const plugin of this.#plugins) {
      if (plugin.createCondition === undefined || !plugin.handles('CREATE')) continue;
      attributes ??= this.#attributes('validate', { operation: 'CREATE', object, oldObject: undefined });
      const pending = plugin.createCondition(attributes, isRetry);
      const version = pending instanceof Promise ? await pending : pending;
      if (version !== undefined) versions.push(version);
    }
    return versions;
  }

  async admitUpdate(object: KubernetesObject, oldObject: Readonly<KubernetesObject>): Promise<void> {
    await this.#admit({ operation: 'UPDATE', object, oldObject }, object);
  }

  async validateUpdate(object: Readonly<KubernetesObject>, oldObject: Readonly<KubernetesObject>): Promise<void> {
    await this.#step('validate', { operation: 'UPDATE', object, oldObject });
  }

  async validateDelete(oldObject: Readonly<KubernetesObject>): Promise<void> {
    await this.#step('admit', { operation: 'DELETE', object: undefined, oldObject });
    await this.#step('validate', { operation: 'DELETE', object: undefined, oldObject });
  }

  /** Whether the objects of a collection must be deleted one after the other, because a plugin shows their order. */
  async ordersDeletes(): Promise<boolean> {
    const attributes = this.#attributes('validate', { operation: 'DELETE', object: undefined, oldObject: undefined });
    for (const plugin of this.#plugins) if ((await plugin.ordersDeletes?.(attributes)) === true) return true;
    return false;
  }

  /** `object`: the options of the stream or the proxied request. */
  async connect(object: KubernetesObject): Promise<void> {
    await this.#step('admit', { operation: 'CONNECT', object, oldObject: undefined });
    await this.#step('validate', { operation: 'CONNECT', object, oldObject: undefined });
  }

  async #admit(objects: StepObjects, object: KubernetesObject): Promise<void> {
    const { managedFields } = object.metadata;
    const warn = (text: string): void => this.#request.warn(text);
    await this.#step('admit', objects);
    await keepValidManagers(object.metadata, managedFields, warn);
    dropDuplicateOwners(object.metadata, warn, 'after admission');
  }

  async #step(type: 'admit' | 'validate', objects: StepObjects): Promise<void> {
    const { operation } = objects;
    const ended = this.#observer?.begun(type, operation);
    let refused = true;
    try {
      const attributes = this.#attributes(type, objects);
      do await this.#round(type, attributes);
      while (attributes.reinvocation.begin());
      refused = false;
    } finally {
      ended?.(refused);
    }
  }

  async #round(type: 'admit' | 'validate', attributes: AdmissionAttributes): Promise<void> {
    for (const plugin of this.#plugins) {
      if (plugin[type] === undefined || !plugin.handles(attributes.operation)) continue;
      if (isTurnOver()) await stage();
      const pending = plugin[type](attributes);
      if (pending !== undefined) await pending;
    }
  }

  #attributes(type: 'admit' | 'validate', objects: StepObjects): AdmissionAttributes {
    const request = this.#request;
    const { operation, object, oldObject } = objects;
    const options = request.optionsOf(operation);
    // A generated name is known to validation.
    const name = request.name === '' && type === 'validate' ? (object?.metadata.name ?? '') : request.name;
    // A spread is cheap at the end. Each new property that follows one costs half a microsecond.
    const attributes = { operation, object, oldObject, options, reinvocation: new Reinvocation(), ...request };
    return name === request.name ? attributes : { ...attributes, name };
  }
}
