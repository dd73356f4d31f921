import {
  type Authenticate,
  clientCertificateAuthenticator,
  inProcessAuthenticator,
  tokenAuthenticator,
  unionAuthenticator,
} from '../authentication/index.js';
import { SECRETS } from '../registry/index.js';
import { secretTokenAuthenticator, serviceAccountAuthenticator } from '../serviceaccounts/index.js';
import type { ServerConfig } from './config.js';
import type { ResourceApi } from './resource-api.js';
import { secretTokenUse } from './secret-token-use.js';

/** Every way in which a client can prove who it is, in the order in which they are tried; otherwise it is anonymous. */
export function createAuthenticate(config: ServerConfig, { sources, stores }: ResourceApi): Authenticate {
  const { now, report, serviceAccounts } = config;
  const { subjects } = sources;
  const { keys, issuers, apiAudiences, looksUpSecrets: looksUp } = serviceAccounts;
  const used = secretTokenUse({ secrets: () => stores.find(SECRETS), now, report });
  return unionAuthenticator({
    authenticators: [
      inProcessAuthenticator,
      clientCertificateAuthenticator(now),
      tokenAuthenticator(config.tokens),
      secretTokenAuthenticator({ apiAudiences, keys, subjects, looksUp, used }),
      serviceAccountAuthenticator({ issuers, apiAudiences, keys, subjects, now }),
    ],
    anonymous: true,
  });
}
