import { anonymousUser } from '../authentication/index.js';
import type { AuthorizationAttributes } from '../authorization/index.js';

/** Those of an anonymous request. */
export const attributes: AuthorizationAttributes = {
  user: anonymousUser,
  verb: 'get',
  isResourceRequest: false,
  namespace: '',
  group: '',
  version: '',
  resource: '',
  subresource: '',
  name: '',
  path: '/livez',
};
