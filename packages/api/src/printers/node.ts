import type { JsonValue } from '@binnacle/apimachinery/json';
import type { LeaseCandidate } from '../generated/types/coordination-v1beta1.js';
import type { Lease } from '../generated/types/coordination-v1.js';
import type { Node } from '../generated/types/core-v1.js';
import type { RuntimeClass } from '../generated/types/node-v1.js';
import { ageColumn, nameColumn, text, wide } from './column.js';
import { ageOf, nameOf, type PrintContext, printer, type PrinterEntry } from './printer.js';

const rolePrefix = 'node-role.kubernetes.io/';

function printNode(node: Node, context: PrintContext): JsonValue[] {
  const info = node.status?.nodeInfo;
  return [
    nameOf(node),
    nodeStatus(node),
    nodeRoles(node) || '<none>',
    ageOf(node, context),
    info?.kubeletVersion ?? '',
    addressOf(node, 'InternalIP'),
    addressOf(node, 'ExternalIP'),
    info?.osImage || '<unknown>',
    info?.kernelVersion || '<unknown>',
    info?.containerRuntimeVersion || '<unknown>',
  ];
}

function nodeStatus({ spec, status }: Node): string {
  const ready = (status?.conditions ?? []).findLast((condition) => condition.type === 'Ready');
  const text = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec?.unschedulable ? `${text},SchedulingDisabled` : text;
}

function nodeRoles(node: Node): string {
  const roles = new Set<string>();
  for (const [label, value] of Object.entries(node.metadata?.labels ?? {})) {
    if (label.startsWith(rolePrefix)) roles.add(label.slice(rolePrefix.length));
    else if (label === 'kubernetes.io/role') roles.add(value);
  }
  roles.delete('');
  return [...roles].toSorted().join(',');
}

function addressOf(node: Node, type: string): string {
  return (node.status?.addresses ?? []).find((address) => address.type === type)?.address ?? '<none>';
}

export const nodePrinters: readonly PrinterEntry[] = [
  printer(
    '/Node',
    [
      nameColumn,
      text('Status', 'Whether pods can be run on it.'),
      text('Roles', 'What it is set aside for.'),
      ageColumn,
      text('Version', 'Version of its kubelet.'),
      wide(text('Internal-IP', 'Address inside the cluster.')),
      wide(text('External-IP', 'Address from outside the cluster.')),
      wide(text('OS-Image', 'Operating system.')),
      wide(text('Kernel-Version', 'Version of its kernel.')),
      wide(text('Container-Runtime', 'What runs its containers.')),
    ],
    printNode,
  ),
  printer(
    'node.k8s.io/RuntimeClass',
    [nameColumn, text('Handler', 'Container runtime handler that the class selects.'), ageColumn],
    (object: RuntimeClass, context) => [nameOf(object), object.handler ?? '', ageOf(object, context)],
  ),
  printer(
    'coordination.k8s.io/Lease',
    [nameColumn, text('Holder', 'Who holds the lease.'), ageColumn],
    (lease: Lease, context) => [nameOf(lease), lease.spec?.holderIdentity ?? '', ageOf(lease, context)],
  ),
  printer(
    'coordination.k8s.io/LeaseCandidate',
    [
      nameColumn,
      text('LeaseName', 'Lease that the candidate competes for.'),
      text('BinaryVersion', 'Version that it is.'),
      text('EmulationVersion', 'Version that it acts as.'),
      ageColumn,
    ],
    ({ spec, ...candidate }: LeaseCandidate, context) => [
      nameOf(candidate),
      spec?.leaseName ?? '',
      spec?.binaryVersion ?? '',
      spec?.emulationVersion ?? '',
      ageOf(candidate, context),
    ],
  ),
];
