import { ConfigurationError, readConfiguration } from '@binnacle/apimachinery/configuration';
import {
  duplicate,
  type FieldError,
  formatFieldErrors,
  invalidValue,
  notSupported,
  required,
} from '@binnacle/apimachinery/status';
import { validateDns1123Subdomain } from '@binnacle/apimachinery/validation';
import type { AuthorizerRule } from '../reviewwebhooks/index.js';
import { type AuthorizationFile, type AuthorizerEntry, kinds } from './configuration.js';
import { type LoadService, readWebhook } from './validate-webhook.js';

const WEBHOOK = 'Webhook';
const OTHER_TYPES = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC'] as const;
const TYPES: readonly string[] = [...OTHER_TYPES, WEBHOOK];

/**
 * Reads the text of an AuthorizationConfiguration, YAML or JSON. Rejects with a {@link ConfigurationError} in upstream's
 * words.
 */
export async function readAuthorizationConfiguration(
  text: string,
  load: LoadService,
): Promise<readonly AuthorizerRule[]> {
  const { authorizers = [] }: AuthorizationFile = readConfiguration(text, kinds);
  const errors: FieldError[] = [];
  if (authorizers.length === 0) {
    errors.push(required('authorizers', 'at least one authorization mode must be defined'));
  }
  const rules: AuthorizerRule[] = [];
  const seen = { types: new Set<string>(), names: new Set<string>() };
  for (const [index, entry] of authorizers.entries()) {
    const rule = await readAuthorizer(entry, `authorizers[${index}]`, seen, load, errors);
    if (rule !== undefined) rules.push(rule);
  }
  if (errors.length > 0) throw new ConfigurationError(formatFieldErrors(errors));
  return rules;
}

interface Seen {
  readonly types: Set<string>;
  readonly names: Set<string>;
}

async function readAuthorizer(
  { type = '', name = '', webhook }: AuthorizerEntry,
  path: string,
  seen: Seen,
  load: LoadService,
  errors: FieldError[],
): Promise<AuthorizerRule | undefined> {
  const fault = typeFault(type, `${path}.type`, seen.types);
  if (fault !== undefined) {
    errors.push(fault);
    return undefined;
  }
  seen.types.add(type);
  errors.push(...nameFaults(name, `${path}.name`, seen.names));
  seen.names.add(name);
  const other = OTHER_TYPES.find((each) => each === type);
  if (other !== undefined) {
    if (webhook === undefined) return { type: other, name };
    errors.push(invalidValue(`${path}.webhook`, 'non-null', 'may only be specified when type=Webhook'));
    return undefined;
  }
  if (webhook === undefined) {
    errors.push(required(`${path}.webhook`, 'required when type=Webhook'));
    return undefined;
  }
  const read = await readWebhook(webhook, path, load, errors);
  return read && { type: WEBHOOK, name, webhook: read };
}

function typeFault(type: string, path: string, seen: ReadonlySet<string>): FieldError | undefined {
  if (type === '') return required(path, '');
  if (!TYPES.includes(type)) return notSupported(path, type, TYPES);
  return seen.has(type) && type !== WEBHOOK ? duplicate(path, type) : undefined;
}

function nameFaults(name: string, path: string, seen: ReadonlySet<string>): FieldError[] {
  if (name === '') return [required(path, '')];
  if (seen.has(name)) return [duplicate(path, name)];
  const problems = validateDns1123Subdomain(name);
  if (problems.length === 0) return [];
  return [invalidValue(path, name, `authorizer name is invalid: ${problems.join(', ')}`)];
}
