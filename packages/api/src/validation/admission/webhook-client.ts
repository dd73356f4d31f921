import { type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import {
  errorsOfEach,
  type ParsedUrl,
  parseUrl,
  UrlError,
  validateDns1123Subdomain,
  validatePortNumber,
} from '@binnacle/apimachinery/validation';
import type { ServiceReference, WebhookClientConfig } from '../../generated/types/admissionregistration-v1.js';

// The address of a webhook. Upstream: apiserver `pkg/util/webhook/validation.go`.

const FORM = '; desired format: https://host[/path]';

export function validateWebhookClient(client: WebhookClientConfig | undefined, field: string): FieldError[] {
  const { url, service } = client ?? {};
  if (url !== undefined && service === undefined) return validateWebhookUrl(url, `${field}.url`);
  if (url === undefined && service !== undefined) return validateWebhookService(service, `${field}.service`);
  return [required(field, 'exactly one of url or service is required')];
}

/** Allows `https://host[/path]` and no other part of a URL. */
function validateWebhookUrl(url: string, field: string): FieldError[] {
  let parts: ParsedUrl;
  try {
    parts = parseUrl(url);
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    return [required(field, `url must be a valid URL: ${error.message}${FORM}`)];
  }
  const { scheme, host, userInfo, query, fragment } = parts;
  const errors: FieldError[] = [];
  if (scheme !== 'https') {
    errors.push(invalidValue(field, scheme, `'https' is the only allowed URL scheme${FORM}`));
  }
  if (host === '') errors.push(invalidValue(field, host, `host must be specified${FORM}`));
  if (userInfo !== undefined) {
    errors.push(invalidValue(field, userInfo, 'user information is not permitted in the URL'));
  }
  if (fragment !== '') errors.push(invalidValue(field, fragment, 'fragments are not permitted in the URL'));
  if (query !== '') errors.push(invalidValue(field, query, 'query parameters are not permitted in the URL'));
  return errors;
}

export function validateWebhookService(service: Partial<ServiceReference>, field: string): FieldError[] {
  const { name, namespace, path = '', port = 0 } = service;
  const problems = validatePortNumber(port);
  return [
    // Upstream checks the namespace where it means the name.
    ...(namespace ? [] : [required(`${field}.name`, '')]),
    ...(name ? [] : [required(`${field}.namespace`, '')]),
    ...(problems.length === 0
      ? []
      : [invalidValue(`${field}.port`, port, `port is not valid: ${problems.join(', ')}`)]),
    ...servicePath(path, `${field}.path`),
  ];
}

function servicePath(path: string, field: string): FieldError[] {
  if (path === '' || path === '/') return [];
  if (path === '//') return [invalidValue(field, path, 'segment[0] may not be empty')];
  const errors = path.startsWith('/') ? [] : [invalidValue(field, path, "must start with a '/'")];
  const steps = path.slice(1).replace(/\/$/, '').split('/');
  return [
    ...errors,
    ...errorsOfEach(steps, (step, index) => {
      if (step === '') return [invalidValue(field, path, `segment[${index}] may not be empty`)];
      return validateDns1123Subdomain(step).map((text) => invalidValue(field, path, `segment[${index}]: ${text}`));
    }),
  ];
}
