import { Controller, type ReconcileContext, type ReconcileRequest } from '@binnacle/client/controller';
import { Namespace, ServiceAccount } from '@binnacle/client/kinds/core/v1';
import { isAlreadyExists } from '@binnacle/client/rest';
import type { CreateLoop } from '../loop/index.js';
import { isNamespaceEnding } from './namespace-ending.js';

/** What pods run as that name no account. */
const DEFAULT_ACCOUNT = 'default';

/** Upstream: kubernetes `pkg/controller/serviceaccount`. */
export const createServiceAccountLoop: CreateLoop = (context) =>
  new Controller({
    name: 'serviceaccount-controller',
    for: Namespace,
    watches: [
      {
        resource: ServiceAccount,
        select: { fieldSelector: `metadata.name=${DEFAULT_ACCOUNT}` },
        predicate: ({ type }) => type === 'delete',
        map: ({ metadata: { namespace = '' } }) => [{ namespace: undefined, name: namespace }],
      },
    ],
    reconcile: ensureDefaultAccount,
  }).bind(context);

async function ensureDefaultAccount(
  { name }: ReconcileRequest,
  { client, lister, signal }: ReconcileContext,
): Promise<void> {
  if (lister(Namespace).get(name)?.status?.phase !== 'Active') return;
  if (lister(ServiceAccount).namespace(name).get(DEFAULT_ACCOUNT) !== undefined) return;
  const account: ServiceAccount = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: DEFAULT_ACCOUNT } };
  try {
    await client.resource(ServiceAccount).namespace(name).create(account, { signal });
  } catch (error) {
    if (!isAlreadyExists(error) && !isNamespaceEnding(error)) throw error;
  }
}
