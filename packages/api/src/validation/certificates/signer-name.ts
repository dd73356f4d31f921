import { type FieldError, invalidValue, quoteGo, required, tooLong } from '@binnacle/apimachinery/status';
import {
  DNS_LABEL_MAXIMUM,
  DNS_SUBDOMAIN_MAXIMUM,
  utf8Length,
  validateDns1123Label,
  validateDns1123Subdomain,
} from '@binnacle/apimachinery/validation';

/** `example.com/signer-name`. Upstream: `ValidateSignerName`. */
export function validateSignerName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field, '')];
  const [domain = '', path = '', ...rest] = name.split('/');
  if (!name.includes('/') || rest.length > 0) {
    const detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [invalidValue(field, name, detail)];
  }
  const labels = domain.split('.');
  const errors = utf8Length(domain) > DNS_SUBDOMAIN_MAXIMUM ? [tooLong(field, DNS_SUBDOMAIN_MAXIMUM)] : [];
  errors.push(...firstProblem(labels, domain, field, validateDns1123Label));
  if (labels.length < 2) {
    errors.push(invalidValue(field, domain, 'should be a domain with at least two segments separated by dots'));
  }
  errors.push(...firstProblem(path.split('.'), path, field, validateDns1123Subdomain));
  // The longest path names an object in a namespace: the namespace, which is a label, a dot, and the name, a subdomain.
  const maximum = DNS_SUBDOMAIN_MAXIMUM + 1 + DNS_SUBDOMAIN_MAXIMUM + 1 + DNS_LABEL_MAXIMUM;
  if (utf8Length(name) > maximum) errors.push(tooLong(field, maximum));
  return errors;
}

function firstProblem(
  labels: readonly string[],
  shown: string,
  field: string,
  rule: (label: string) => string[],
): FieldError[] {
  for (const label of labels) {
    const messages = rule(label);
    if (messages.length === 0) continue;
    return messages.map((message) => invalidValue(field, shown, `validating label ${quoteGo(label)}: ${message}`));
  }
  return [];
}
