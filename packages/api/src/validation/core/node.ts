import type { Int64 } from '@binnacle/apimachinery/json';
import { duplicate, type FieldError, forbiddenField, invalidValue, quoteGo } from '@binnacle/apimachinery/status';
import {
  DNS_SUBDOMAIN_MAXIMUM,
  errorsOfEntries,
  invalidFor,
  itemByItem,
  nameIsDnsSubdomain,
  parseIpPrefix,
  semanticEqual,
  utf8Length,
  validateCidrForLegacyField,
  validateLabelName,
} from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type { Node, Taint } from '../../generated/types/core-v1.js';
import { each, finalizerDomains, list, wholeMetadata } from '../common.js';
import { validateTaintEffect, validateTaintValue } from '../pod/scheduling.js';
import { type ResourceList, validateResourceAmount } from '../quantities.js';

/** Upstream: `ValidateNode`. Errors of taints have a path under metadata, like upstream. */
export function* validateNode(object: Node): Steps<FieldError[]> {
  const cidrs = list(object.spec?.podCIDRs);
  return [
    ...taints(object.spec?.taints),
    ...resources(object),
    ...swap(object.status?.nodeInfo?.swap?.capacity),
    ...declaredFeatures(object.status?.declaredFeatures, 'status.declaredFeatures'),
    ...(yield* itemByItem(cidrs, 'spec.podCIDRs', (cidr, path) =>
      invalidFor(path, cidr, validateCidrForLegacyField(cidr)),
    )),
    ...(cidrs.length > 2 || (cidrs.length === 2 && !dualStack(cidrs))
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

function dualStack(cidrs: readonly string[]): boolean {
  return new Set(cidrs.map((cidr) => parseIpPrefix(cidr)?.address.family)).size === cidrs.length;
}

/** The path is under metadata too. */
function swap(capacity: Int64 | undefined): FieldError[] {
  if (capacity === undefined || capacity > 0) return [];
  return [invalidValue('metadata.nodeSwapStatus.capacity', capacity, 'must be greater than zero')];
}

function declaredFeatures(features: readonly string[] | undefined, field: string): FieldError[] {
  return each(features, field, (feature, path, index) => {
    const errors: FieldError[] = [];
    const previous = features?.[index - 1];
    if (previous === feature) errors.push(duplicate(path, feature));
    else if (previous !== undefined && previous > feature) {
      errors.push(invalidValue(path, feature, 'list must be sorted alphabetically'));
    }
    const problem = featureProblem(feature);
    return problem === undefined ? errors : [...errors, invalidValue(path, feature, problem)];
  });
}

function featureProblem(feature: string): string | undefined {
  const said = `invalid feature name ${quoteGo(feature)}`;
  if (utf8Length(feature) > DNS_SUBDOMAIN_MAXIMUM) {
    return `${said}: must be no more than ${DNS_SUBDOMAIN_MAXIMUM} characters`;
  }
  if (/^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/.test(feature)) return undefined;
  return `${said}: must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`;
}

function addresses(object: Node): FieldError[] {
  const seen = new Set<string>();
  return each(object.status?.addresses, 'status.addresses', ({ type, address }, path) => {
    const key = `${type}/${address}`;
    if (seen.has(key)) return [duplicate(path, { Type: type ?? '', Address: address ?? '' })];
    seen.add(key);
    return [];
  });
}

function resources(object: Node): FieldError[] {
  const check = (amounts: ResourceList | undefined, field: string): FieldError[] =>
    errorsOfEntries(amounts, (name, amount) => validateResourceAmount(name, amount, `${field}.${name}`));
  return [
    ...check(object.status?.capacity, 'status.capacity'),
    ...check(object.status?.allocatable, 'status.allocatable'),
  ];
}

/** A node's pod CIDRs and provider ID can be set once. */
export function* validateNodeUpdate(object: Node, old: Node): Steps<FieldError[]> {
  return [
    ...wholeMetadata(object, false, nameIsDnsSubdomain),
    ...(yield* validateNode(object)),
    ...nodeChanges(object, old),
  ];
}

export function validateNodeStatusUpdate(object: Node, old: Node): FieldError[] {
  return nodeChanges(object, old);
}

function nodeChanges(object: Node, old: Node): FieldError[] {
  const errors = [
    ...finalizerDomains(object),
    ...resources(object),
    ...declaredFeatures(object.status?.declaredFeatures, 'status.declaredFeatures'),
    ...addresses(object),
  ];
  const before = old.spec ?? {};
  if (list(before.podCIDRs).length > 0 && !semanticEqual(object.spec?.podCIDRs, before.podCIDRs)) {
    const detail = 'node updates may not change podCIDR except from "" to valid';
    errors.push(forbiddenField('spec.podCIDRs', detail));
  }
  if (before.providerID && before.providerID !== object.spec?.providerID) {
    const detail = 'node updates may not change providerID except from "" to valid';
    errors.push(forbiddenField('spec.providerID', detail));
  }
  errors.push(...taints(object.spec?.taints));
  if ((before.externalID ?? '') !== (object.spec?.externalID ?? ''))
    errors.push(forbiddenField('spec.externalID', 'may not be updated'));
  return errors;
}
