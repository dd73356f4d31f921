import { messageOf } from '@binnacle/apimachinery/errors';
import { Controller, type ReconcileRequest, TerminalError } from '@binnacle/client/controller';
import { Node } from '@binnacle/client/kinds/core/v1';
import { isConflict, isNotFound } from '@binnacle/client/rest';
import type { EventRecorder } from '@binnacle/client/events';
import { nodeReference, type OwnerContext, reconcileOwner } from '../common/index.js';
import { type CreateLoop, idleLoop, nodeBlocksOf } from '../loop/index.js';
import { NodeRanges } from './node-ranges.js';

/** Upstream: `cidrUpdateWorkers`. */
const CONCURRENCY = 30;

/** Upstream: kubernetes `pkg/controller/nodeipam`, with the RangeAllocator. */
export const createNodeIpamLoop: CreateLoop = (context) => {
  const { informers, events, settings } = context;
  const { allocateNodeCidrs = false, serviceClusterIPRange = '' } = settings;
  if (!allocateNodeCidrs) return idleLoop;
  const recorder = events.recorder({ component: 'cidrAllocator' });
  const nodes = informers.informer(Node);
  const ranges = new NodeRanges(nodeBlocksOf(settings), serviceClusterIPRange);
  let isComplete = false;
  const gone = ({ name }: ReconcileRequest) => ranges.release(name);
  const reconcile = reconcileOwner({ resource: Node, writes: [], informers, gone }, (node, owner) =>
    assign(node, owner, { ranges, recorder }),
  );
  return new Controller({
    name: 'cidrallocator_node',
    for: Node,
    concurrency: CONCURRENCY,
    reconcile: async (request, reconcileContext) => {
      // No block is given away before all that nodes have is known.
      if (!isComplete) for (const node of nodes.indexer.list()) tryOccupy(node, ranges);
      isComplete = true;
      return reconcile(request, reconcileContext);
    },
  }).bind(context);
};

interface Parts {
  readonly ranges: NodeRanges;
  readonly recorder: EventRecorder;
}

async function assign(node: Node, { writer }: OwnerContext, { ranges, recorder }: Parts): Promise<void> {
  const { name = '', uid, deletionTimestamp } = node.metadata;
  if (deletionTimestamp !== undefined) return;
  const present = node.spec?.podCIDRs ?? [];
  if (present.length > 0) return occupy(node, ranges);
  const warn = (status: string) =>
    recorder.event(nodeReference(node), 'Normal', status, `Node ${name} status is now: ${status}`);
  // A write without an answer may have taken effect, so that it is repeated as it was.
  const cidrs = ranges.heldBy(name, uid) ?? ranges.allocate(name, uid);
  if (cidrs === undefined) {
    warn('CIDRNotAvailable');
    throw new Error('CIDR allocation failed; there are no remaining CIDRs left to allocate in the accepted range');
  }
  try {
    const spec = { podCIDR: cidrs[0] ?? '', podCIDRs: [...cidrs] };
    await writer.patch(Node, node, { metadata: { uid: uid ?? '' }, spec });
  } catch (error) {
    if (isNotFound(error)) return ranges.release(name);
    if (!isConflict(error)) warn('CIDRAssignmentFailed');
    throw error;
  }
}

function tryOccupy(node: Node, ranges: NodeRanges): void {
  try {
    occupy(node, ranges);
  } catch {
    // The reconcile of the node reports it.
  }
}

/** Throws for a node whose addresses are not of the cluster. No retry helps. */
function occupy({ metadata, spec }: Node, ranges: NodeRanges): void {
  const { name = '', uid } = metadata;
  if ((spec?.podCIDRs ?? []).length === 0) return;
  try {
    ranges.occupy(name, uid, spec?.podCIDRs ?? []);
  } catch (error) {
    throw new TerminalError(messageOf(error), { cause: error });
  }
}
