import { type FieldError, invalidValue } from '@binnacle/apimachinery/status';
import { invalidFor, patternMessage, validateDns1123Subdomain } from '@binnacle/apimachinery/validation';
import { requireText } from './common.js';

const pathPattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const pathExpression = new RegExp(`^${pathPattern}$`);

/** `acme.io/foo`. Upstream: apimachinery `IsDomainPrefixedPath`. */
export function domainPrefixedPath(value: string, field: string): FieldError[] {
  const missing = requireText(value, field);
  if (missing.length > 0) return missing;
  const slash = value.indexOf('/');
  if (slash <= 0 || slash === value.length - 1) {
    return [invalidValue(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const host = value.slice(0, slash);
  const path = value.slice(slash + 1);
  const errors = invalidFor(field, host, validateDns1123Subdomain(host));
  if (!pathExpression.test(path)) errors.push(invalidValue(field, path, patternMessage('Invalid path', pathPattern)));
  return errors;
}
