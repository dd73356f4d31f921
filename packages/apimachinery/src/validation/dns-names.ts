import { maximumBytesMessage, maximumCharactersMessage, patternMessage } from './messages.js';
import { utf8Length } from './text.js';

/** Upstream: apimachinery `pkg/util/validation` (DNS names). */
export const DNS_LABEL_MAXIMUM = 63;
export const DNS_SUBDOMAIN_MAXIMUM = 253;

const labelPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainPattern = `${labelPattern}(\\.${labelPattern})*`;
const underscoreLabelPattern = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const underscoreSubdomainPattern = `${underscoreLabelPattern}(\\.${underscoreLabelPattern})*`;
const dns1035Pattern = '[a-z]([-a-z0-9]*[a-z0-9])?';

const labelExpression = new RegExp(`^${labelPattern}$`);
const underscoreLabelExpression = new RegExp(`^${underscoreLabelPattern}$`);
const dns1035Expression = new RegExp(`^${dns1035Pattern}$`);

const labelMessage = patternMessage(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  labelPattern,
  'my-name',
  '123-abc',
);
const subdomainMessage = patternMessage(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  subdomainPattern,
  'example.com',
);
const underscoreSubdomainMessage = patternMessage(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  underscoreSubdomainPattern,
  'example.com',
);
const dns1035Message = patternMessage(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  dns1035Pattern,
  'my-name',
  'abc-123',
);
const wildcardMessage = patternMessage(
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  `\\*\\.${subdomainPattern}`,
  '*.example.com',
);

/** Matches label by label, so that a hostile name takes linear time. */
function isDotted(value: string, label: RegExp): boolean {
  return value.split('.').every((part) => label.test(part));
}

function tooLong(value: string, maximum: number, message: (maximum: number) => string): string[] {
  return utf8Length(value) > maximum ? [message(maximum)] : [];
}

export function validateDns1123Label(value: string): string[] {
  const messages = tooLong(value, DNS_LABEL_MAXIMUM, maximumCharactersMessage);
  if (!labelExpression.test(value)) {
    messages.push(isDotted(value, labelExpression) ? 'must not contain dots' : labelMessage);
  }
  return messages;
}

export function validateDns1123Subdomain(value: string): string[] {
  const messages = tooLong(value, DNS_SUBDOMAIN_MAXIMUM, maximumCharactersMessage);
  if (!isDotted(value, labelExpression)) messages.push(subdomainMessage);
  return messages;
}

/** The same rule for the prefix of a qualified name, where upstream's message counts bytes. */
export function validateSubdomainPrefix(value: string): string[] {
  const messages = tooLong(value, DNS_SUBDOMAIN_MAXIMUM, maximumBytesMessage);
  if (!isDotted(value, labelExpression)) messages.push(subdomainMessage);
  return messages;
}

export function validateDns1123SubdomainWithUnderscore(value: string): string[] {
  const messages = tooLong(value, DNS_SUBDOMAIN_MAXIMUM, maximumCharactersMessage);
  if (!isDotted(value, underscoreLabelExpression)) messages.push(underscoreSubdomainMessage);
  return messages;
}

export function validateDns1035Label(value: string): string[] {
  const messages = tooLong(value, DNS_LABEL_MAXIMUM, maximumCharactersMessage);
  if (!dns1035Expression.test(value)) messages.push(dns1035Message);
  return messages;
}

/** `*.example.com`: a leading star label. */
export function validateWildcardDns1123Subdomain(value: string): string[] {
  const messages = tooLong(value, DNS_SUBDOMAIN_MAXIMUM, maximumCharactersMessage);
  if (!value.startsWith('*.') || !isDotted(value.slice(2), labelExpression)) messages.push(wildcardMessage);
  return messages;
}
