import type { GroupVersionKind, GroupVersionResource, KubernetesObject } from '@binnacle/apimachinery/meta';
import type { UserInfo } from '../authentication/index.js';
import { pause } from '../slices/index.js';
import { dropDuplicateOwners } from './duplicate-owners.js';
import type { AdmissionAttributes, AdmissionPlugin, Operation } from './plugin.js';

/** The attributes that all plugin calls of one request share. */
export interface AdmissionRequest {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  warn(text: string): void;
}

/** Observes each step: all mutating, or all validating, plugins of a request together. It must not throw. */
export interface AdmissionObserver {
  /** A step begins. The result is called when every plugin has passed or the first has refused. */
  begun(type: 'admit' | 'validate', operation: Operation): (refused: boolean) => void;
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
    await this.#step('admit', 'CREATE', object, undefined);
    dropDuplicateOwners(object.metadata, (text) => this.#request.warn(text), 'after admission');
  }

  async validateCreate(object: Readonly<KubernetesObject>): Promise<void> {
    await this.#step('validate', 'CREATE', object, undefined);
  }

  async admitUpdate(object: KubernetesObject, old: Readonly<KubernetesObject>): Promise<void> {
    await this.#step('admit', 'UPDATE', object, old);
    dropDuplicateOwners(object.metadata, (text) => this.#request.warn(text), 'after admission');
  }

  async validateUpdate(object: Readonly<KubernetesObject>, old: Readonly<KubernetesObject>): Promise<void> {
    await this.#step('validate', 'UPDATE', object, old);
  }

  async validateDelete(old: Readonly<KubernetesObject>): Promise<void> {
    await this.#step('admit', 'DELETE', undefined, old);
    await this.#step('validate', 'DELETE', undefined, old);
  }

  async #step(
    type: 'admit' | 'validate',
    operation: Operation,
    object: KubernetesObject | undefined,
    old: Readonly<KubernetesObject> | undefined,
  ): Promise<void> {
    const ended = this.#observer?.begun(type, operation);
    let refused = true;
    try {
      const attributes = this.#attributes(operation, object, old);
      for (const plugin of this.#plugins) {
        if (plugin[type] === undefined || !plugin.handles(operation)) continue;
        const pausing = pause();
        if (pausing !== undefined) await pausing;
        const pending = plugin[type](attributes);
        if (pending !== undefined) await pending;
      }
      refused = false;
    } finally {
      ended?.(refused);
    }
  }

  #attributes(
    operation: Operation,
    object: KubernetesObject | undefined,
    oldObject: Readonly<KubernetesObject> | undefined,
  ): AdmissionAttributes {
    return { ...this.#request, operation, object, oldObject };
  }
}
