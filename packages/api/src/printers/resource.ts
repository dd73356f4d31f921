import type { ResourceClaim, ResourceSlice } from '../generated/types/resource-v1.js';
import type { DeviceTaintRule } from '../generated/types/resource-v1beta2.js';
import { ageColumn, nameColumn, text } from './column.js';
import { ageOf, type Named, nameOf, type PrintContext, printer, type PrinterEntry, timeSince } from './printer.js';

const group = 'resource.k8s.io';

function printNameAndAge(object: Named, context: PrintContext): string[] {
  return [nameOf(object), ageOf(object, context)];
}

function claimState(claim: ResourceClaim): string {
  const deleted = Boolean(claim.metadata?.deletionTimestamp);
  const states = deleted ? ['deleted'] : [];
  if (!claim.status?.allocation) return deleted ? 'deleted' : 'pending';
  states.push('allocated');
  if ((claim.status.reservedFor ?? []).length > 0) states.push('reserved');
  return states.join(',');
}

function printTaintRule(rule: DeviceTaintRule, context: PrintContext): string[] {
  const taint = rule.spec?.taint;
  return [
    nameOf(rule),
    taint?.key ?? '',
    taint?.value ?? '',
    taint?.effect ?? '',
    taint?.timeAdded ? timeSince(taint.timeAdded, context) : '',
    ageOf(rule, context),
  ];
}

export const resourcePrinters: readonly PrinterEntry[] = [
  printer(`${group}/DeviceClass`, [nameColumn, ageColumn], printNameAndAge),
  printer(`${group}/ResourceClaimTemplate`, [nameColumn, ageColumn], printNameAndAge),
  printer(
    `${group}/ResourceClaim`,
    [nameColumn, text('State', 'Whether it is allocated, reserved or waiting.'), ageColumn],
    (claim: ResourceClaim, context) => [nameOf(claim), claimState(claim), ageOf(claim, context)],
  ),
  printer(
    `${group}/ResourceSlice`,
    [
      nameColumn,
      text('Node', 'Node that has the devices.'),
      text('Driver', 'Driver of the devices.'),
      text('Pool', 'Pool that the devices belong to.'),
      ageColumn,
    ],
    (slice: ResourceSlice, context) => [
      nameOf(slice),
      slice.spec?.nodeName ?? '',
      slice.spec?.driver ?? '',
      slice.spec?.pool?.name ?? '',
      ageOf(slice, context),
    ],
  ),
  printer(
    `${group}/DeviceTaintRule`,
    [
      nameColumn,
      text('Key', 'Key of the taint.'),
      text('Value', 'Value of the taint.'),
      text('Effect', 'What the taint does to pods.'),
      text('TimeAdded', 'Time since the taint was set.'),
      ageColumn,
    ],
    printTaintRule,
  ),
];
