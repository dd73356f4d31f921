import { ConfigurationError, readConfiguration } from '@binnacle/apimachinery/configuration';
import { formatFieldErrors } from '@binnacle/apimachinery/status';
import { parseDuration } from '@binnacle/apimachinery/time';
import { type EncryptionFile, type KeysFile, kinds, type KmsFile, type ProviderFile } from './configuration.js';
import { ANY, formatResource, parseResource } from './resource-name.js';
import { decodeBase64, validateEncryption } from './validate.js';

export interface NamedKey {
  readonly name: string;
  readonly secret: Uint8Array;
}

export interface KmsRules {
  readonly name: string;
  /** The path of the plugin's socket. */
  readonly socket: string;
  /** Of each call. */
  readonly timeoutMs: number;
}

export type ProviderRules =
  | { readonly type: 'aesgcm' | 'aescbc' | 'secretbox'; readonly keys: readonly NamedKey[] }
  | { readonly type: 'identity' }
  | { readonly type: 'kms'; readonly kms: KmsRules };

/** The providers of some resources. The first provider writes, and all read. */
export interface ResourceRules {
  /** As in the file, such as `secrets`, `deployments.apps` or `*.apps`. */
  readonly resources: readonly string[];
  readonly providers: readonly ProviderRules[];
}

const NANOSECONDS = 1_000_000n;
const DEFAULT_TIMEOUT = '3s';

/**
 * Reads the text of an EncryptionConfiguration, YAML or JSON. `reloads`: the file is read again when it changes, so that names
 * of KMS providers must be unique. Throws a {@link ConfigurationError} in upstream's words. Upstream: apiserver
 * `pkg/server/options/encryptionconfig`.
 */
export function readEncryptionConfiguration(source: string, reloads: boolean): readonly ResourceRules[] {
  // The schema has the fields of this type.
  const file: EncryptionFile = readConfiguration(source, kinds);
  const errors = validateEncryption(file, reloads);
  if (errors.length > 0) throw new ConfigurationError(formatFieldErrors(errors));
  const rules = (file.resources ?? []).map(({ resources = [], providers = [] }) => ({
    resources: resources.map((name) => formatResource(parseResource(name))),
    providers: providers.map(providerRules),
  }));
  checkMasked(rules);
  return rules;
}

function providerRules({ aesgcm, aescbc, secretbox, kms }: ProviderFile): ProviderRules {
  if (kms !== undefined) return { type: 'kms', kms: kmsRules(kms) };
  if (aesgcm !== undefined) return { type: 'aesgcm', keys: keysOf(aesgcm) };
  if (aescbc !== undefined) return { type: 'aescbc', keys: keysOf(aescbc) };
  return secretbox === undefined ? { type: 'identity' } : { type: 'secretbox', keys: keysOf(secretbox) };
}

function keysOf({ keys = [] }: KeysFile): readonly NamedKey[] {
  return keys.map(({ name = '', secret = '' }) => ({ name, secret: decodeBase64(secret) ?? new Uint8Array() }));
}

function kmsRules({ apiVersion = 'v1', name = '', endpoint = '', timeout = DEFAULT_TIMEOUT }: KmsFile): KmsRules {
  if (apiVersion === 'v1') {
    const advice = 'KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead';
    throw new ConfigurationError(`${advice}: the provider ${name} needs apiVersion: v2, and KMSv1 is not supported`);
  }
  const socket = socketOf(endpoint);
  if (socket.startsWith('/@')) {
    throw new ConfigurationError(`the endpoint ${endpoint} of the provider ${name} is an abstract socket: give a path`);
  }
  return { name, socket, timeoutMs: Number(parseDuration(timeout) / NANOSECONDS) };
}

function socketOf(endpoint: string): string {
  try {
    return decodeURIComponent(new URL(endpoint).pathname);
  } catch {
    throw new ConfigurationError(`invalid endpoint ${JSON.stringify(endpoint)} for remote KMS provider`);
  }
}

/** A resource after the wildcard that covers it would never be used. */
function checkMasked(rules: readonly ResourceRules[]): void {
  const earlier = new Set<string>();
  for (const name of rules.flatMap(({ resources }) => resources)) {
    const { group } = parseResource(name);
    for (const wildcard of [
      { group, resource: ANY },
      { group: ANY, resource: ANY },
    ].map(formatResource)) {
      if (!earlier.has(wildcard)) continue;
      throw new ConfigurationError(
        `resource ${JSON.stringify(name)} is masked by earlier rule ${JSON.stringify(wildcard)}`,
      );
    }
    earlier.add(name);
  }
}
