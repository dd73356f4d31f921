import { duplicate, type FieldError, forbiddenField, invalidValue } from '@binnacle/apimachinery/status';
import {
  invalidFor,
  nameIsDnsSubdomain,
  semanticEqual,
  validateCidrForLegacyField,
  validateLabelName,
} from '@binnacle/apimachinery/validation';
import type { Node, Taint } from '../generated/types/core-v1.js';
import { each, list, finalizerDomains, wholeMetadata } from './common.js';
import { validateTaintEffect, validateTaintValue } from './pod/scheduling.js';
import { type ResourceList, validateResourceAmount } from './quantities.js';

/** Upstream: `ValidateNode`. Taints are reported under metadata, upstream and here. */
export function validateNode(object: Node): FieldError[] {
  const cidrs = list(object.spec?.podCIDRs);
  return [
    ...taints(object.spec?.taints),
    ...resources(object),
    ...each(cidrs, 'spec.podCIDRs', (cidr, path) => invalidFor(path, cidr, validateCidrForLegacyField(cidr))),
    ...(cidrs.length > 2
      ? [invalidValue('spec.podCIDRs', cidrs, 'may specify no more than one CIDR for each IP family')]
      : []),
  ];
}

function taints(given: readonly Taint[] | undefined): FieldError[] {
  const seen = new Set<string>();
  return each(given, 'metadata.taints', (taint, path) => {
    const errors = [
      ...validateLabelName(taint.key ?? '', `${path}.key`),
      ...validateTaintValue(taint.value ?? '', `${path}.value`),
      ...validateTaintEffect(taint.effect, `${path}.effect`),
    ];
    const identity = `${taint.effect}/${taint.key}`;
    if (seen.has(identity)) {
      const shown = {
        Key: taint.key,
        Value: taint.value ?? '',
        Effect: taint.effect,
        TimeAdded: taint.timeAdded ?? null,
      };
      errors.push({ ...duplicate(path, shown), detail: 'taints must be unique by key and effect pair' });
    }
    seen.add(identity);
    return errors;
  });
}

function resources(object: Node): FieldError[] {
  const check = (amounts: ResourceList | undefined, field: string): FieldError[] =>
    Object.entries(amounts ?? {}).flatMap(([name, amount]) => validateResourceAmount(name, amount, `${field}.${name}`));
  return [
    ...check(object.status?.capacity, 'status.capacity'),
    ...check(object.status?.allocatable, 'status.allocatable'),
  ];
}

/** A node gets its pod CIDRs and its provider's name once. */
export function validateNodeUpdate(object: Node, old: Node): FieldError[] {
  return [...wholeMetadata(object, false, nameIsDnsSubdomain), ...validateNode(object), ...nodeChanges(object, old)];
}

export function validateNodeStatusUpdate(object: Node, old: Node): FieldError[] {
  return nodeChanges(object, old);
}

function nodeChanges(object: Node, old: Node): FieldError[] {
  const errors = [...finalizerDomains(object), ...resources(object)];
  const before = old.spec ?? {};
  if (list(before.podCIDRs).length > 0 && !semanticEqual(object.spec?.podCIDRs, before.podCIDRs)) {
    const detail = 'node updates may not change podCIDR except from "" to valid';
    errors.push(forbiddenField('spec.podCIDRs', detail));
  }
  if (before.providerID && before.providerID !== object.spec?.providerID) {
    const detail = 'node updates may not change providerID except from "" to valid';
    errors.push(forbiddenField('spec.providerID', detail));
  }
  return [...errors, ...taints(object.spec?.taints)];
}
