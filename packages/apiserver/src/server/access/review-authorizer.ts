import { type Authorizer, kubeletUserAuthorizer, unionAuthorizer } from '../../authorization/index.js';
import type { KubeletOptions } from '../kubelet-options.js';

/**
 * Answers access reviews. Kubelets ask about the user of the server's own certificate for them. That user has no rights
 * in requests to this server: the address of a node may lead the server to itself. A right on one node would then be a
 * right on all.
 */
export function reviewAuthorizer({ userName }: Pick<KubeletOptions, 'userName'>, authorizer: Authorizer): Authorizer {
  return userName === undefined ? authorizer : unionAuthorizer([kubeletUserAuthorizer(userName), authorizer]);
}
