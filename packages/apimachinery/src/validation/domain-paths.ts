import { type FieldError, invalidValue, required } from '../status/index.js';
import { validateDns1123Subdomain } from './dns-names.js';
import { invalidFor } from './field-rules.js';
import { patternMessage } from './messages.js';

const pathPattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const pathExpression = new RegExp(`^${pathPattern}$`);

/** `acme.io/foo`. Upstream: apimachinery `IsDomainPrefixedPath`. */
export function validateDomainPrefixedPath(value: string, field: string): FieldError[] {
  if (value === '') return [required(field, '')];
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
