import type { GroupVersionKind } from '@binnacle/apimachinery/meta';
import type { Parameter } from './parameters.js';

export type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch';

/** The content of a body or an answer: a struct type by name, or plain text. */
export type Content = { readonly definition: string } | 'text';

export interface Operation {
  readonly method: Method;
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  /** `x-kubernetes-action`; absent for operations without a resource. */
  readonly action?: string;
  readonly kind?: GroupVersionKind;
  /** Path and query parameters. */
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly definition: string; readonly required: boolean };
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
  /** Status codes, besides 401, which every operation has. */
  readonly responses: readonly number[];
  readonly answer: Content;
}

/** All operations of one path. */
export interface PathOperations {
  readonly path: string;
  readonly operations: readonly Operation[];
}

export const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/**
 * Turns `rbac.authorization.k8s.io` into `rbacAuthorization`; the core group is `core`. Upstream:
 * `pkg/endpoints/openapi`.
 */
export function groupTag(group: string): string {
  if (group === '') return 'core';
  return group.replace(/\.k8s\.io$/, '').replace(/[^A-Za-z0-9_]+(.?)/g, (_, next: string) => next.toUpperCase());
}

export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
