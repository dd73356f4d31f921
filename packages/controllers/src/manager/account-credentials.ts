import { messageOf } from '@binnacle/apimachinery/errors';
import { ServiceAccount } from '@binnacle/client/kinds/core/v1';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { DynamicClient } from '@binnacle/client/dynamic';
import { CachedCredentials, type CredentialSource, type Fetched } from '@binnacle/client/kubeconfig';
import { isAlreadyExists, isNotFound } from '@binnacle/client/rest';

const NAMESPACE = 'kube-system';
const EXPIRATION_SECONDS = 3600;
/** A server whose clock differs may seem to give tokens that have expired. */
const LEAST_LIFETIME_MS = 600_000;
/** The share of its lifetime for which a token is used. */
const USED_SHARE = 0.8;

/**
 * Tokens of a service account in `kube-system`, requested with the rights of the client. Creates the account if it is
 * missing. Fails with an error that names the account. Upstream: controller-manager `clientbuilder.DynamicControllerClientBuilder`.
 */
export function accountCredentials(client: DynamicClient, name: string, clock: Clock): CredentialSource {
  return new CachedCredentials(
    () => clock.monotonic(),
    async () => {
      try {
        return await requestToken(client, name, clock);
      } catch (error) {
        // Not the server's own error: "not found" would otherwise seem to be about the object of the loop's request.
        const reason = messageOf(error);
        throw new Error(`no token for service account ${NAMESPACE}/${name}: ${reason}`, { cause: error });
      }
    },
  );
}

async function requestToken(client: DynamicClient, name: string, clock: Clock): Promise<Fetched> {
  await ensureAccount(client, name);
  const { status } = await client
    .resource(ServiceAccount)
    .namespace(NAMESPACE)
    .token.create(name, { spec: { expirationSeconds: EXPIRATION_SECONDS } });
  if (status?.token === undefined) throw new Error('the answer has none');
  const lifetime = Date.parse(status.expirationTimestamp ?? '') - clock.now();
  return {
    credentials: { token: status.token },
    freshUntil: clock.monotonic() + Math.max(LEAST_LIFETIME_MS, Number.isNaN(lifetime) ? 0 : lifetime) * USED_SHARE,
  };
}

async function ensureAccount(client: DynamicClient, name: string): Promise<void> {
  const accounts = client.resource(ServiceAccount).namespace(NAMESPACE);
  try {
    await accounts.get(name);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await accounts
      .create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: NAMESPACE } })
      .catch((refusal: unknown) => {
        if (!isAlreadyExists(refusal)) throw refusal;
      });
  }
}
