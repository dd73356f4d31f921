import type { JsonValue } from '@binnacle/apimachinery/json';
import type { Status } from '../generated/types/meta-v1.js';
import type {
  ComponentStatus,
  ConfigMap,
  Namespace,
  ResourceQuota,
  Secret,
  ServiceAccount,
} from '../generated/types/core-v1.js';
import { ageColumn, nameColumn, text } from './column.js';
import { ageOf, nameOf, type PrintContext, printer, type PrinterEntry } from './printer.js';

const sizeOf = (map: object | null | undefined): number => Object.keys(map ?? {}).length;

function printResourceQuota(quota: ResourceQuota, context: PrintContext): JsonValue[] {
  const hard = quota.status?.hard ?? {};
  const used = quota.status?.used ?? {};
  const requests: string[] = [];
  const limits: string[] = [];
  for (const resource of Object.keys(hard).toSorted()) {
    const usage = Object.hasOwn(used, resource) ? used[resource] : undefined;
    (resource.startsWith('limits.') ? limits : requests).push(`${resource}: ${usage ?? '0'}/${hard[resource] ?? '0'}`);
  }
  return [nameOf(quota), requests.join(', '), limits.join(', '), ageOf(quota, context)];
}

function printComponentStatus(component: ComponentStatus): JsonValue[] {
  const healthy = (component.conditions ?? []).find((condition) => condition.type === 'Healthy');
  const status = healthy === undefined ? 'Unknown' : healthy.status === 'True' ? 'Healthy' : 'Unhealthy';
  return [nameOf(component), status, healthy?.message ?? '', healthy?.error ?? ''];
}

export const corePrinters: readonly PrinterEntry[] = [
  printer(
    '/Namespace',
    [nameColumn, text('Status', 'Whether it is in use or being deleted.'), ageColumn],
    (namespace: Namespace, context) => [nameOf(namespace), namespace.status?.phase ?? '', ageOf(namespace, context)],
  ),
  printer(
    '/ConfigMap',
    [nameColumn, text('Data', 'How many entries it has.'), ageColumn],
    (map: ConfigMap, context) => [nameOf(map), sizeOf(map.data) + sizeOf(map.binaryData), ageOf(map, context)],
  ),
  printer(
    '/Secret',
    [nameColumn, text('Type', 'What the secret is for.'), text('Data', 'How many entries it has.'), ageColumn],
    (secret: Secret, context) => [nameOf(secret), secret.type ?? '', sizeOf(secret.data), ageOf(secret, context)],
  ),
  printer('/ServiceAccount', [nameColumn, ageColumn], (account: ServiceAccount, context) => [
    nameOf(account),
    ageOf(account, context),
  ]),
  printer(
    '/ResourceQuota',
    [
      nameColumn,
      text('Request', 'The used and the hard amount of each resource, except limits.'),
      text('Limit', 'The used and the hard amount of each limit.'),
      ageColumn,
    ],
    printResourceQuota,
  ),
  printer(
    '/ComponentStatus',
    [
      nameColumn,
      text('Status', 'Whether the component is healthy.'),
      text('Message', 'What the component says.'),
      text('Error', 'What went wrong when it was asked.'),
    ],
    printComponentStatus,
  ),
  printer(
    '/Status',
    [
      text('Status', 'Success or Failure.'),
      text('Reason', 'The reason, machine-readable.'),
      text('Message', 'The reason, for people.'),
    ],
    (status: Status) => [status.status ?? '', status.reason ?? '', status.message ?? ''],
  ),
];
