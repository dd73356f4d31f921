import {
  formatGroupResource,
  type GroupResource,
  type GroupVersionKind,
  type GroupVersionResource,
  type KubernetesObject,
} from '@binnacle/apimachinery/meta';
import type { UserInfo } from '../authentication/index.js';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** The input of an admission plugin. Upstream: apiserver `pkg/admission.Attributes`. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  /** Empty for a create with generateName. */
  readonly name: string;
  /** The new object, which mutating plugins edit in place. Undefined on delete. */
  readonly object: KubernetesObject | undefined;
  readonly oldObject: Readonly<KubernetesObject> | undefined;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  /** Adds a `Warning` header to the response. */
  warn(text: string): void;
}

/**
 * One admission plugin. `server` lists them in one array; all `admit` methods run in that order, then all `validate`
 * methods. A plugin refuses a request by throwing a StatusError, in most cases 403 Forbidden.
 */
export interface AdmissionPlugin {
  readonly name: string;
  /** The resources that the plugin handles, as `pods` and `deployments.apps`. Absent: all. */
  readonly resources?: readonly string[];
  handles(operation: Operation): boolean;
  admit?(attributes: AdmissionAttributes): void | Promise<void>;
  validate?(attributes: AdmissionAttributes): void | Promise<void>;
}

/** The plugins that handle a resource, in their order. */
export function pluginsFor(plugins: readonly AdmissionPlugin[], resource: GroupResource): readonly AdmissionPlugin[] {
  const name = formatGroupResource(resource);
  return plugins.filter(({ resources }) => resources?.includes(name) !== false);
}
