import { validateSubdomainPrefix } from './dns-names.js';
import { EMPTY_MESSAGE, maximumBytesMessage, patternMessage } from './messages.js';
import { utf8Length } from './text.js';

// Upstream: apimachinery `pkg/api/validate/content/kube.go`.

const NAME_MAXIMUM = 63;
const LABEL_VALUE_MAXIMUM = 63;

const namePattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const nameExpression = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const nameRule = patternMessage(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  namePattern,
  'MyName',
  'my.name',
  '123-abc',
);
const labelValueMessage = patternMessage(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  `(${namePattern})?`,
  'MyValue',
  'my_value',
  '12345',
);

/**
 * A label key, which Kubernetes calls a qualified name: an optional DNS subdomain and `/`, then a name of at most 63
 * bytes. Used for labels, annotations (in lower case), finalizers, resource names and taints.
 */
export function validateLabelKey(value: string): string[] {
  const slash = value.indexOf('/');
  if (slash >= 0 && value.includes('/', slash + 1)) {
    return [`a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const messages = slash < 0 ? [] : prefixMessages(value.slice(0, slash));
  const name = value.slice(slash + 1);
  if (name === '') messages.push(`name part ${EMPTY_MESSAGE}`);
  else if (utf8Length(name) > NAME_MAXIMUM) messages.push(`name part ${maximumBytesMessage(NAME_MAXIMUM)}`);
  if (!nameExpression.test(name)) messages.push(`name part ${nameRule}`);
  return messages;
}

function prefixMessages(prefix: string): string[] {
  if (prefix === '') return [`prefix part ${EMPTY_MESSAGE}`];
  return validateSubdomainPrefix(prefix).map((message) => `prefix part ${message}`);
}

export function validateLabelValue(value: string): string[] {
  const messages = utf8Length(value) > LABEL_VALUE_MAXIMUM ? [maximumBytesMessage(LABEL_VALUE_MAXIMUM)] : [];
  if (value !== '' && !nameExpression.test(value)) messages.push(labelValueMessage);
  return messages;
}
