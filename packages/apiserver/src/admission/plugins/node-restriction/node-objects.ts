import { fieldNamed } from '@binnacle/api/table';
import { asKind } from '@binnacle/apimachinery/meta';
import type { Node, PersistentVolumeClaim } from '@binnacle/api/types/core-v1';
import { semanticEqual } from '@binnacle/apimachinery/validation';
import type { AdmissionAttributes } from '../../plugin.js';
import { forbiddenNodeLabels } from './node-labels.js';
import type { Verdict } from './verdict.js';

const NODE_SPEC = 'io.k8s.api.core.v1.NodeSpec';

/** A node may write its own Node, except the fields that decide which pods it gets and its owner references. */
export function checkNode(attributes: AdmissionAttributes, nodeName: string): Verdict {
  const { operation, name, oldObject } = attributes;
  if (name !== nodeName) return `node "${nodeName}" is not allowed to modify node "${name}"`;
  const node = asKind<Readonly<Node>>(attributes.object);
  if (node === undefined || operation === 'DELETE') return undefined;
  const { configSource } = node.spec ?? {};
  if (operation === 'CREATE') {
    if (configSource !== undefined) {
      return `node "${nodeName}" is not allowed to create pods with a non-nil configSource`;
    }
    const labels = forbiddenNodeLabels(node.metadata?.labels, undefined);
    return labels.length === 0
      ? undefined
      : `node "${nodeName}" is not allowed to set the following labels: ${labels.join(', ')}`;
  }
  const old = asKind<Readonly<Node>>(oldObject) ?? {};
  if (
    configSource !== undefined &&
    !semanticEqual(configSource, old.spec?.configSource, fieldNamed(NODE_SPEC, 'configSource'))
  ) {
    return `node "${nodeName}" is not allowed to update configSource to a new non-nil configSource`;
  }
  if (!semanticEqual(node.spec?.taints ?? [], old.spec?.taints ?? [])) {
    return `node "${nodeName}" is not allowed to modify taints`;
  }
  if (!semanticEqual(node.metadata?.ownerReferences ?? [], old.metadata?.ownerReferences ?? [])) {
    return `node "${nodeName}" is not allowed to modify ownerReferences`;
  }
  const labels = forbiddenNodeLabels(node.metadata?.labels, old.metadata?.labels);
  return labels.length === 0 ? undefined : `is not allowed to modify labels: ${labels.join(', ')}`;
}

/** Upstream appends a diff of its internal types to this message. */
export function checkClaimStatus({ object, oldObject }: AdmissionAttributes, nodeName: string): Verdict {
  const bare = (claim: unknown) => {
    const { metadata, status, ...rest } = (claim ?? {}) as PersistentVolumeClaim;
    const { resourceVersion: _, managedFields: __, ...kept } = metadata ?? {};
    const { capacity: ___, conditions: ____, allocatedResources: _____, ...more } = status ?? {};
    const { allocatedResourceStatuses: ______, ...restOfStatus } = more;
    return { ...rest, metadata: kept, status: restOfStatus };
  };
  return semanticEqual(bare(object), bare(oldObject))
    ? undefined
    : `node "${nodeName}" is not allowed to update fields other than status.quantity and status.conditions`;
}
