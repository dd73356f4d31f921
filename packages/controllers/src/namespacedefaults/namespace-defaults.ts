import { Controller, type ReconcileContext, type ReconcileRequest } from '@binnacle/client/controller';
import { ConfigMap, Namespace } from '@binnacle/client/kinds/core/v1';
import { isAlreadyExists, isConflict } from '@binnacle/client/rest';
import type { CreateLoop } from '../loop/index.js';
import { isNamespaceEnding } from './namespace-ending.js';

const NAME = 'kube-root-ca.crt';
const KEY = 'ca.crt';
const DESCRIPTION = 'kubernetes.io/description';
/** What the annotation says; clients see the same on every server. */
const DESCRIPTION_TEXT =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/** Upstream: kubernetes `pkg/controller/certificates/rootcacertpublisher`. */
export const createRootCertificateLoop: CreateLoop = (context) => {
  const data = { [KEY]: context.certificateAuthority };
  return new Controller({
    name: 'root-ca-certificate-publisher-controller',
    for: Namespace,
    watches: [
      {
        resource: ConfigMap,
        // ConfigMaps may be many and large, and only these matter.
        select: { fieldSelector: `metadata.name=${NAME}` },
        map: ({ metadata: { namespace = '' } }) => [{ namespace: undefined, name: namespace }],
      },
    ],
    reconcile: (request, reconcileContext) => publish(data, request, reconcileContext),
  }).bind(context);
};

async function publish(
  data: Readonly<Record<string, string>>,
  { name }: ReconcileRequest,
  { client, lister, signal }: ReconcileContext,
): Promise<void> {
  if (lister(Namespace).get(name)?.status?.phase !== 'Active') return;
  const published = lister(ConfigMap).namespace(name).get(NAME);
  if (published !== undefined && isRight(published, data)) return;
  const maps = client.resource(ConfigMap).namespace(name);
  try {
    if (published === undefined) {
      const metadata = { name: NAME, annotations: { [DESCRIPTION]: DESCRIPTION_TEXT } };
      await maps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }, { signal });
    } else {
      const annotations = { ...published.metadata.annotations, [DESCRIPTION]: DESCRIPTION_TEXT };
      await maps.update({ ...published, metadata: { ...published.metadata, annotations }, data }, { signal });
    }
  } catch (error) {
    // Somebody else was faster: of what there is now, the watch will tell.
    if (!isNamespaceEnding(error) && !isAlreadyExists(error) && !isConflict(error)) throw error;
  }
}

function isRight({ metadata, data = {} }: ConfigMap, wanted: Readonly<Record<string, string>>): boolean {
  const described = (metadata.annotations?.[DESCRIPTION] ?? '') !== '';
  return described && Object.keys(data).length === 1 && data[KEY] === wanted[KEY];
}
