import type { GroupVersionKind, GroupVersionResource, KubernetesObject } from '@binnacle/apimachinery/meta';
import type { UserInfo } from '../authentication/index.js';
import { pause } from '../slices/index.js';
import { dropDuplicateOwners } from './duplicate-owners.js';
import type { AdmissionAttributes, AdmissionPlugin, Operation } from './plugin.js';

/** What all calls of one request share. */
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

/** Told of all plugins together. It must not throw. */
export interface AdmissionObserver {
  /** All plugins were asked, or the first refused, after so many milliseconds. */
  stepped(type: 'admit' | 'validate', operation: Operation, milliseconds: number, refused: boolean): void;
}

/** Runs the plugins of one request, in their order. */
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
    const start = performance.now();
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
      this.#observer?.stepped(type, operation, performance.now() - start, refused);
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
