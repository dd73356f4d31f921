import type { JsonObject } from '@binnacle/apimachinery/json';
import { Controller, type ReconcileContext, type ReconcileRequest, runTogether } from '@binnacle/client/controller';
import { Secret, ServiceAccount } from '@binnacle/client/kinds/core/v1';
import { isConflict, isNotFound } from '@binnacle/client/rest';
import { type OwnerContext, reconcileOwner, unlessGone } from '../common/index.js';
import { type CreateLoop, idleLoop } from '../loop/index.js';
import { type AccountReference, accountOf, base64, claimsFor, filled, isReferenced, missingParts } from './plan.js';

const BY_ACCOUNT = 'account';

/** Secrets by the account that they name, as `namespace/name`. */
const secretIndexes = {
  [BY_ACCOUNT]: (secret: Secret) => {
    const account = accountOf(secret);
    return account === undefined ? [] : [`${secret.metadata.namespace ?? ''}/${account.name}`];
  },
};

/** Upstream: `--concurrent-serviceaccount-token-syncs`. */
const CONCURRENCY = 5;

interface Parts {
  readonly sign: (claims: JsonObject) => Promise<string>;
  /** PEM. */
  readonly authority: string;
}

/** Upstream: kubernetes `pkg/controller/serviceaccount` tokens_controller. */
export const createServiceAccountTokenLoop: CreateLoop = (context) => {
  const { informers, certificateAuthority: authority, settings } = context;
  const { signToken: sign } = settings;
  if (sign === undefined) return idleLoop;
  const secrets = informers.informer(Secret, { indexes: secretIndexes });
  const filling = new Controller({
    name: 'serviceaccount_tokens_secret',
    for: Secret,
    predicate: ({ object }) => accountOf(object) !== undefined,
    watches: [
      {
        resource: ServiceAccount,
        predicate: ({ type }) => type === 'delete',
        map: ({ metadata: { namespace = '', name = '' } }) =>
          secrets.indexer
            .byIndex(BY_ACCOUNT, `${namespace}/${name}`)
            .map(({ metadata }) => ({ namespace, name: metadata.name ?? '' })),
      },
    ],
    concurrency: CONCURRENCY,
    reconcile: reconcileOwner({ resource: Secret, writes: [], informers }, (secret, owner) =>
      keepSecret(secret, owner, { sign, authority }),
    ),
  }).bind(context);
  const forgetting = new Controller({
    name: 'serviceaccount_tokens_service',
    watches: [
      {
        resource: Secret,
        predicate: ({ type }) => type === 'delete',
        map: (secret) => {
          const account = accountOf(secret);
          const { namespace, name = '' } = secret.metadata;
          return account === undefined ? [] : [{ namespace, name: nameOf({ account, secret: name }) }];
        },
      },
    ],
    reads: [ServiceAccount],
    concurrency: CONCURRENCY,
    reconcile: forgetSecret,
  }).bind(context);
  return { run: (signal) => runTogether([filling, forgetting], signal) };
};

async function keepSecret(secret: Secret, context: OwnerContext, { sign, authority }: Parts): Promise<void> {
  const { writer } = context;
  const reference = accountOf(secret);
  if (reference === undefined) return;
  const account = await findAccount(reference, secret.metadata.namespace ?? '', context);
  if (account === undefined) {
    await writer.delete(Secret, secret);
    return;
  }
  const missing = missingParts(secret, authority);
  if (missing === undefined) return;
  const token = missing.token ? { token: base64(await sign(claimsFor(secret, account))) } : {};
  await unlessGone(writer.update(Secret, filled(secret, { ...missing.data, ...token }, account)));
}

/** The server has the last word before a Secret is deleted, as the cache may not show a new account yet. */
async function findAccount(
  reference: AccountReference,
  namespace: string,
  { lister, client, signal }: OwnerContext,
): Promise<ServiceAccount | undefined> {
  const cached = lister(ServiceAccount).namespace(namespace).get(reference.name);
  if (isReferenced(reference, cached)) return cached;
  const accounts = client.resource(ServiceAccount).namespace(namespace);
  const live = await unlessGone(accounts.get(reference.name, { signal }));
  return isReferenced(reference, live) ? live : undefined;
}

interface Forgotten {
  readonly account: AccountReference;
  readonly secret: string;
}

/** A request for an account that may name a deleted Secret. A colon is in no name. */
function nameOf({ account, secret }: Forgotten): string {
  return [account.name, account.uid, secret].join(':');
}

function forgottenOf(text: string): Forgotten {
  const [name = '', uid = '', secret = ''] = text.split(':');
  return { account: { name, uid }, secret };
}

/** Removes a deleted Secret from the list of its account. */
async function forgetSecret({ namespace = '', name }: ReconcileRequest, context: ReconcileContext): Promise<void> {
  const { lister, client, signal } = context;
  const { account: reference, secret } = forgottenOf(name);
  const account = lister(ServiceAccount).namespace(namespace).get(reference.name);
  if (!isReferenced(reference, account) || lister(Secret).namespace(namespace).get(secret) !== undefined) return;
  const secrets = account.secrets?.filter((each) => each.name !== secret) ?? [];
  if (secrets.length === (account.secrets ?? []).length) return;
  try {
    await client
      .resource(ServiceAccount)
      .namespace(namespace)
      .update({ ...account, secrets }, { signal });
  } catch (error) {
    // Of two changes at once, the other one wins, and the retry sees it.
    if (!isNotFound(error)) throw isConflict(error) ? new Error('the cache is stale', { cause: error }) : error;
  }
}
