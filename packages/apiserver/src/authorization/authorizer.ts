import type { UserInfo } from '../authentication/index.js';

/**
 * The attributes of a request that needs authorization.
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
  readonly labelSelector?: string;
}

/**
 * `error`: why an authorizer could not decide. A request that is not allowed then fails, instead of being forbidden.
 * `denied`: no later authorizer is asked. Without it, a decision that does not allow leaves the request to the next one.
 */
export type Decision =
  | { readonly allowed: true; readonly reason: string; readonly error?: string | undefined }
  | {
      readonly allowed: false;
      readonly denied?: boolean | undefined;
      readonly reason: string;
      readonly error?: string | undefined;
    };

/** Decides on requests. To leave one to the next authorizer, it returns a decision that neither allows nor denies. */
export interface Authorizer {
  authorize(attributes: AuthorizationAttributes): Decision | Promise<Decision>;
}
