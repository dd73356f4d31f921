import { Controller } from '@binnacle/client/controller';
import { StorageVersion } from '@binnacle/client/kinds/apiserverinternal/v1alpha1';
import { Lease } from '@binnacle/client/kinds/coordination/v1';
import { type OwnerContext, reconcileOwner, unlessGone } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { planStorageVersion, serversOf } from './plan.js';

const NAMESPACE = 'kube-system';
const IDENTITY = 'apiserver.kubernetes.io/identity';
const API_SERVER = 'kube-apiserver';
const BY_SERVER = 'server';
const indexes = { [BY_SERVER]: (record: StorageVersion) => [...serversOf(record)] };

/** Upstream: kubernetes `pkg/controller/storageversiongc`. */
export const createStorageVersionGarbageCollector: CreateLoop = (context) => {
  const records = context.informers.informer(StorageVersion, { indexes });
  return new Controller({
    name: 'storage_version_garbage_collector',
    for: StorageVersion,
    watches: [
      {
        resource: Lease,
        select: { labelSelector: `${IDENTITY}=${API_SERVER}` },
        predicate: ({ type, object }) => type === 'delete' && object.metadata.namespace === NAMESPACE,
        map: ({ metadata }) =>
          records.indexer
            .byIndex(BY_SERVER, metadata.name ?? '')
            .map((record) => ({ namespace: undefined, name: record.metadata.name ?? '' })),
      },
    ],
    reads: [{ resource: StorageVersion, indexes }],
    reconcile: reconcileOwner({ resource: StorageVersion, writes: [], informers: context.informers }, collect),
  }).bind(context);
};

async function collect(record: StorageVersion, context: OwnerContext): Promise<void> {
  const { writer, clock } = context;
  const gone = await goneServers(record, context);
  const plan = planStorageVersion(record, (server) => gone.has(server), clock.now());
  if (plan === 'keep') return;
  if (plan === 'delete') await writer.delete(StorageVersion, record);
  else await writer.updateStatus(StorageVersion, { ...record, status: plan });
}

/** The servers without an identity Lease. The cache may lack a new one, so each is looked up. */
async function goneServers(
  record: StorageVersion,
  { client, lister, signal }: OwnerContext,
): Promise<ReadonlySet<string>> {
  const known = lister(Lease).namespace(NAMESPACE);
  const gone = new Set<string>();
  for (const server of serversOf(record)) {
    if (known.get(server) !== undefined) continue;
    const lease = await unlessGone(client.resource(Lease).namespace(NAMESPACE).get(server, { signal }));
    if (lease?.metadata.labels?.[IDENTITY] !== API_SERVER) gone.add(server);
  }
  return gone;
}
