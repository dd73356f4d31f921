import { type FieldError, invalidValue, required, tooLong } from '@binnacle/apimachinery/status';
import {
  DNS_SUBDOMAIN_MAXIMUM,
  errorsOfEach,
  invalidFor,
  nameIsDnsSubdomain,
  utf8Length,
  validateCIdentifier,
} from '@binnacle/apimachinery/validation';
import type { NodeSelector } from '../../generated/types/core-v1.js';
import { dnsSubdomain } from '../common.js';
import { validateNodeSelector } from '../pod/affinity.js';
import { validateDriverName } from '../volumes/volume-drivers.js';

// Names of pools, attributes and shares. Upstream: `pkg/apis/resource/validation`.

const IDENTIFIER_MAXIMUM = 32;
const DOMAIN_MAXIMUM = 63;
/** For the names of attributes and capacities, including their domain. */
export const QUALIFIED_NAME_MAXIMUM = DOMAIN_MAXIMUM + 1 + IDENTIFIER_MAXIMUM;

/** DNS subdomains joined by slashes. */
export function validatePoolName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field, '')];
  return [
    ...(utf8Length(name) > DNS_SUBDOMAIN_MAXIMUM ? [tooLong(field, DNS_SUBDOMAIN_MAXIMUM)] : []),
    ...errorsOfEach(name.split('/'), (part) => dnsSubdomain(part, field)),
  ];
}

/** `identifier` or `domain/identifier`. */
export function validateQualifiedIdentifier(name: string, field: string): FieldError[] {
  const parts = name.split('/');
  const [first = '', second = ''] = parts;
  if (parts.length === 1) return identifier(first, field);
  if (parts.length > 2) return [];
  return [
    ...(first === '' ? [invalidValue(field, '', 'the domain must not be empty')] : validateDriverName(first, field)),
    ...(second === '' ? [invalidValue(field, '', 'the name must not be empty')] : identifier(second, field)),
  ];
}

export function validateFullyQualifiedIdentifier(name: string, field: string): FieldError[] {
  const errors = validateQualifiedIdentifier(name, field);
  if (name.includes('/')) return errors;
  return [
    ...errors,
    invalidValue(field, name, 'a fully qualified name must be a domain and a name separated by a slash'),
  ];
}

function identifier(text: string, field: string): FieldError[] {
  return [
    ...(utf8Length(text) > IDENTIFIER_MAXIMUM ? [tooLong(field, IDENTIFIER_MAXIMUM)] : []),
    ...invalidFor(field, text, validateCIdentifier(text)),
  ];
}

/** A UUID in lower case. */
export function validateShareId(uid: string, field: string): FieldError[] {
  const problem = uuidProblem(uid);
  if (problem !== undefined) return [invalidValue(field, uid, `error validating uid: ${problem}`)];
  if (uid.length === 36 && uid === uid.toLowerCase()) return [];
  const form =
    'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters';
  return [invalidValue(field, uid, form)];
}

function uuidProblem(uid: string): string | undefined {
  const forms: Readonly<Record<number, RegExp>> = {
    32: /^[0-9a-f]{32}$/i,
    36: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    38: /^\{[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}$/i,
    45: /^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  };
  const length = utf8Length(uid);
  const form = forms[length];
  if (form === undefined) return `invalid UUID length: ${length}`;
  return form.test(uid) ? undefined : 'invalid UUID format';
}

/** Where devices are available. Exactly one field may be set, of those that the level supports. */
export interface NodeChoice {
  readonly nodeName?: string | undefined;
  readonly nodeSelector?: NodeSelector | undefined;
  readonly allNodes?: boolean | undefined;
}

/** Returns the errors of each field and which fields were set. */
export function validateNodeChoice(
  choice: NodeChoice,
  field: string,
  emptyNodeName: string,
): { errors: FieldError[]; used: string[] } {
  const { nodeName, nodeSelector, allNodes } = choice;
  const errors: FieldError[] = [];
  const used: string[] = [];
  if (nodeName === '') errors.push(invalidValue(`${field}.nodeName`, '', emptyNodeName));
  else if (nodeName !== undefined) {
    used.push('`nodeName`');
    errors.push(...invalidFor(`${field}.nodeName`, nodeName, nameIsDnsSubdomain(nodeName, false)));
  }
  if (nodeSelector !== undefined) {
    used.push('`nodeSelector`');
    errors.push(...validateNodeSelector(nodeSelector, `${field}.nodeSelector`));
  }
  if (allNodes === true) used.push('`allNodes`');
  if (allNodes === false) {
    errors.push(invalidValue(`${field}.allNodes`, false, 'must be either unset or set to true'));
  }
  return { errors, used };
}
