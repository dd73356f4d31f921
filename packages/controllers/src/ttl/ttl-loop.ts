import { Controller } from '@binnacle/client/controller';
import { Node } from '@binnacle/client/kinds/core/v1';
import { type OwnerContext, reconcileOwner, unlessGone } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { ClusterSize, isNumber } from './cluster-size.js';

/** Upstream: `ObjectTTLAnnotationKey`. */
const ANNOTATION = 'node.alpha.kubernetes.io/ttl';
/** Upstream: the workers of `ttlcontroller`. */
const CONCURRENCY = 5;

/** Upstream: kubernetes `pkg/controller/ttl`. */
export const createTtlLoop: CreateLoop = (context) => {
  const size = new ClusterSize();
  return new Controller({
    name: 'ttlcontroller',
    for: Node,
    concurrency: CONCURRENCY,
    reconcile: reconcileOwner({ resource: Node, writes: [], informers: context.informers }, (node, owner) =>
      annotate(node, size, owner),
    ),
  }).bind(context);
};

async function annotate(node: Node, size: ClusterSize, { indexer, writer }: OwnerContext): Promise<void> {
  const seconds = size.timeToLive(indexer(Node).size);
  if (isNumber(node.metadata.annotations?.[ANNOTATION], seconds)) return;
  const { uid = '' } = node.metadata;
  await unlessGone(writer.patch(Node, node, { metadata: { uid, annotations: { [ANNOTATION]: String(seconds) } } }));
}
