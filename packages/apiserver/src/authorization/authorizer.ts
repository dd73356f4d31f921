import type { UserInfo } from '../authentication/index.js';

/**
 * The attributes of a request that is to be authorized.
 * Upstream: apiserver `pkg/authorization/authorizer.Attributes`.
 */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly isResourceRequest: boolean;
  readonly namespace: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  readonly path: string;
  /** The selector of a list, watch or deletecollection, as the request spells it. Absent or empty: all objects. */
  readonly fieldSelector?: string;
}

export type Decision =
  | { readonly allowed: true; readonly reason: string }
  | { readonly allowed: false; readonly denied?: boolean; readonly reason: string };

export interface Authorizer {
  authorize(attributes: AuthorizationAttributes): Decision | Promise<Decision>;
}
