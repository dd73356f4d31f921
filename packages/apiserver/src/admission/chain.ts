import type { GroupVersionKind, GroupVersionResource, KubernetesObject } from '@binnacle/apimachinery/meta';
import type { UserInfo } from '../authentication/index.js';
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

/** Runs the plugins of one request, in their order. */
export class AdmissionRun {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #request: AdmissionRequest;

  constructor(plugins: readonly AdmissionPlugin[], request: AdmissionRequest) {
    this.#plugins = plugins;
    this.#request = request;
  }

  async admitCreate(object: KubernetesObject): Promise<void> {
    await this.#admit('CREATE', object, undefined);
  }

  async validateCreate(object: Readonly<KubernetesObject>): Promise<void> {
    await this.#validate('CREATE', object, undefined);
  }

  async admitUpdate(object: KubernetesObject, old: Readonly<KubernetesObject>): Promise<void> {
    await this.#admit('UPDATE', object, old);
  }

  async validateUpdate(object: Readonly<KubernetesObject>, old: Readonly<KubernetesObject>): Promise<void> {
    await this.#validate('UPDATE', object, old);
  }

  async validateDelete(old: Readonly<KubernetesObject>): Promise<void> {
    await this.#admit('DELETE', undefined, old);
    await this.#validate('DELETE', undefined, old);
  }

  async #admit(
    operation: Operation,
    object: KubernetesObject | undefined,
    old: Readonly<KubernetesObject> | undefined,
  ) {
    const attributes = this.#attributes(operation, object, old);
    for (const plugin of this.#plugins) {
      if (plugin.admit === undefined || !plugin.handles(operation)) continue;
      const pending = plugin.admit(attributes);
      if (pending !== undefined) await pending;
    }
  }

  async #validate(
    operation: Operation,
    object: Readonly<KubernetesObject> | undefined,
    old: Readonly<KubernetesObject> | undefined,
  ) {
    if (!this.#plugins.some((plugin) => plugin.validate !== undefined)) return;
    const attributes = this.#attributes(operation, object, old);
    for (const plugin of this.#plugins) {
      if (plugin.validate === undefined || !plugin.handles(operation)) continue;
      const pending = plugin.validate(attributes);
      if (pending !== undefined) await pending;
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
