import type { UserInfo } from '../authentication/index.js';

/** What is asked of an authorizer. Upstream: apiserver `pkg/authorization/authorizer.Attributes`. */
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
  /** Which objects a list, a watch or a deletecollection is about, in the words of the request; absent or empty = all. */
  readonly fieldSelector?: string;
}

export type Decision =
  | { readonly allowed: true; readonly reason: string }
  | { readonly allowed: false; readonly denied?: boolean; readonly reason: string };

export interface Authorizer {
  authorize(attributes: AuthorizationAttributes): Decision | Promise<Decision>;
}
