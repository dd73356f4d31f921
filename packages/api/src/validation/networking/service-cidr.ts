import { type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import { IMMUTABLE_MESSAGE, invalidFor, parseIpPrefix, validateCidr } from '@binnacle/apimachinery/validation';
import type { ServiceCIDR } from '../../generated/types/networking-v1.js';
import { each, finalizerDomains, list } from '../common.js';

// Upstream: `ValidateServiceCIDR`.

const field = 'spec.cidrs';

export function validateServiceCIDR(object: ServiceCIDR): FieldError[] {
  const cidrs = list(object.spec?.cidrs);
  if (cidrs.length === 0) return [required(field, 'at least one CIDR required')];
  if (cidrs.length > 2) return [invalidValue(field, { CIDRs: cidrs }, 'may only hold up to 2 values')];
  const errors = each(cidrs, field, (cidr, path) => invalidFor(path, cidr, validateCidr(cidr)));
  const [first, second] = cidrs.map((cidr) => parseIpPrefix(cidr)?.address.family);
  if (first !== undefined && first === second) {
    const detail = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
    errors.push(invalidValue(field, cidrs, detail));
  }
  return errors;
}

/** Ranges are immutable. A second one, of the other family, may be added. */
export function validateServiceCIDRUpdate(object: ServiceCIDR, old: ServiceCIDR): FieldError[] {
  return [...finalizerDomains(object), ...rangeChanges(object, list(object.spec?.cidrs), list(old.spec?.cidrs))];
}

function rangeChanges(object: ServiceCIDR, cidrs: readonly string[], old: readonly string[]): FieldError[] {
  const extended = old.length === 1 && cidrs.length === 2;
  if (cidrs.length !== old.length && !extended) return [invalidValue(field, cidrs, IMMUTABLE_MESSAGE)];
  const changed = old.flatMap((cidr, index) =>
    cidr === cidrs[index] ? [] : [invalidValue(`${field}[${index}]`, cidrs[index], IMMUTABLE_MESSAGE)],
  );
  return extended ? [...changed, ...validateServiceCIDR(object)] : changed;
}
