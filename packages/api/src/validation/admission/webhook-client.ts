import { type FieldError, invalidValue, quoteGo, required } from '@binnacle/apimachinery/status';
import { errorsOfEach, validateDns1123Subdomain, validatePortNumber } from '@binnacle/apimachinery/validation';
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
  const problem = urlProblem(url);
  if (problem !== undefined) {
    return [required(field, `url must be a valid URL: parse ${quoteGo(url)}: ${problem}${FORM}`)];
  }
  const { scheme, authority, query, fragment } = urlParts(url);
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  const errors: FieldError[] = [];
  if (scheme !== 'https') {
    errors.push(invalidValue(field, scheme, `'https' is the only allowed URL scheme${FORM}`));
  }
  if (host === '') errors.push(invalidValue(field, host, `host must be specified${FORM}`));
  if (at >= 0) {
    errors.push(invalidValue(field, authority.slice(0, at), 'user information is not permitted in the URL'));
  }
  if (fragment !== '') errors.push(invalidValue(field, fragment, 'fragments are not permitted in the URL'));
  if (query !== '') errors.push(invalidValue(field, query, 'query parameters are not permitted in the URL'));
  return errors;
}

function urlParts(url: string): { scheme: string; authority: string; query: string; fragment: string } {
  const [, scheme = '', authority = '', query = '', fragment = ''] =
    /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s.exec(url) ?? [];
  return { scheme: scheme.toLowerCase(), authority, query, fragment };
}

/** The reason why Go's parser rejects the URL. */
function urlProblem(url: string): string | undefined {
  for (const character of url) {
    if (character < ' ' || character === '\u007f') return 'net/url: invalid control character in URL';
  }
  if (url.startsWith(':')) return 'missing protocol scheme';
  const { scheme, authority } = urlParts(url);
  if (scheme === '' && /^[^/?#]*:/.test(url)) return 'first path segment in URL cannot contain colon';
  const escape = /%(?![0-9A-Fa-f]{2}).{0,2}/s.exec(url);
  if (escape !== null) return `invalid URL escape ${quoteGo(escape[0])}`;
  const port = /:([^\]:]*)$/.exec(authority.slice(authority.lastIndexOf('@') + 1))?.[1];
  return port !== undefined && !/^[0-9]*$/.test(port) ? `invalid port ${quoteGo(`:${port}`)} after host` : undefined;
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
