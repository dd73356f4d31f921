import {
  Controller,
  type ReconcileContext,
  type ReconcileRequest,
  type ReconcileResult,
} from '@binnacle/client/controller';
import { ConfigMap, Namespace, ServiceAccount } from '@binnacle/client/kinds/core/v1';
import { hasCause, isAlreadyExists, isConflict, isNotFound } from '@binnacle/client/rest';
import type { TypedObject } from '@binnacle/client/typed';
import type { CreateLoop } from '../loop/index.js';

/** Pods without a service account use this one. */
const DEFAULT_ACCOUNT = 'default';

const CONFIG_MAP = 'kube-root-ca.crt';
/** The pause after a conflict. */
const CONFLICT_MILLISECONDS = 1000;
const KEY = 'ca.crt';
const DESCRIPTION = 'kubernetes.io/description';
/** Upstream's text. */
const DESCRIPTION_TEXT =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

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
        map: namespaceOf,
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

/** Upstream: kubernetes `pkg/controller/certificates/rootcacertpublisher`. */
export const createRootCertificateLoop: CreateLoop = (context) => {
  const data = { [KEY]: context.certificateAuthority };
  return new Controller({
    name: 'root-ca-certificate-publisher-controller',
    for: Namespace,
    watches: [
      {
        resource: ConfigMap,
        // Other ConfigMaps may be many and large.
        select: { fieldSelector: `metadata.name=${CONFIG_MAP}` },
        map: namespaceOf,
      },
    ],
    reconcile: (request, reconcileContext) => publish(data, request, reconcileContext),
  }).bind(context);
};

async function publish(
  data: Readonly<Record<string, string>>,
  { name }: ReconcileRequest,
  { client, lister, signal }: ReconcileContext,
): Promise<ReconcileResult> {
  if (lister(Namespace).get(name)?.status?.phase !== 'Active') return undefined;
  const published = lister(ConfigMap).namespace(name).get(CONFIG_MAP);
  if (published !== undefined && isCurrent(published, data)) return undefined;
  const maps = client.resource(ConfigMap).namespace(name);
  try {
    if (published === undefined) {
      const metadata = { name: CONFIG_MAP, annotations: { [DESCRIPTION]: DESCRIPTION_TEXT } };
      await maps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }, { signal });
    } else {
      const annotations = { ...published.metadata.annotations, [DESCRIPTION]: DESCRIPTION_TEXT };
      await maps.update({ ...published, metadata: { ...published.metadata, annotations }, data }, { signal });
    }
  } catch (error) {
    // The cache is stale, or a webhook refused with 409: then no event follows.
    if (isConflict(error)) return { requeueAfter: CONFLICT_MILLISECONDS };
    // After another client's creation the watch delivers its event, which reconciles again.
    if (!isNamespaceEnding(error) && !isAlreadyExists(error)) throw error;
  }
  return undefined;
}

/** Any description counts, since users may change it. */
function isCurrent({ metadata, data = {} }: ConfigMap, wanted: Readonly<Record<string, string>>): boolean {
  const hasDescription = (metadata.annotations?.[DESCRIPTION] ?? '') !== '';
  return hasDescription && Object.keys(data).length === 1 && data[KEY] === wanted[KEY];
}

function namespaceOf({ metadata: { namespace = '' } }: TypedObject): ReconcileRequest[] {
  return [{ namespace: undefined, name: namespace }];
}

/** Whether creates fail for good because the namespace is terminating or gone. */
function isNamespaceEnding(error: unknown): boolean {
  return isNotFound(error) || hasCause(error, 'NamespaceTerminating');
}
