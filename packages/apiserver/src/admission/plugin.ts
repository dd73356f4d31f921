import {
  formatGroupResource,
  type GroupResource,
  type GroupVersionKind,
  type GroupVersionResource,
  type KubernetesObject,
} from '@binnacle/apimachinery/meta';
import type { UserInfo } from '../authentication/index.js';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** What an admission plugin sees. Upstream: apiserver `pkg/admission.Attributes`. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  /** Empty on a create with generateName. */
  readonly name: string;
  /** The new object; mutating plugins change it in place. Undefined on delete. */
  readonly object: KubernetesObject | undefined;
  readonly oldObject: Readonly<KubernetesObject> | undefined;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  /** Adds a `Warning` header to the answer. */
  warn(text: string): void;
}

/**
 * One rule at the door. Plugins run in the order of the one array in `server`: all `admit`, then all `validate`.
 * To refuse, throw a StatusError (403 Forbidden in most cases).
 */
export interface AdmissionPlugin {
  readonly name: string;
  /** The only resources that it has a say in, as `pods` and `deployments.apps`; absent = any. */
  readonly resources?: readonly string[];
  handles(operation: Operation): boolean;
  admit?(attributes: AdmissionAttributes): void | Promise<void>;
  validate?(attributes: AdmissionAttributes): void | Promise<void>;
}

/** Those of the plugins that have a say in a resource, in their order. */
export function pluginsFor(plugins: readonly AdmissionPlugin[], resource: GroupResource): readonly AdmissionPlugin[] {
  const name = formatGroupResource(resource);
  return plugins.filter(({ resources }) => resources?.includes(name) !== false);
}
