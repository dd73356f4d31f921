import type { Clock } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import type { Log } from '@binnacle/apimachinery/logging';
import type { MetricRegistry } from '@binnacle/apimachinery/metrics';
import type {
  AbacPolicy,
  AccessWebhook,
  AuthorizationOptions,
  AuthorizerRule,
  RemoteServiceConfig,
} from '@binnacle/apiserver';
import type { AuthenticationRules } from '@binnacle/apiserver/oidc';
import { WatchedFile, type WatchedFileOptions } from '../files/index.js';
import type { StartConfig } from './options/config.js';
import { authorizationModes } from './options/check-authorization.js';
import { namedInErrors, readNamedService, readNamedText, reasonOf } from './named-file.js';
import { authenticationOfFlags } from './options/oidc-flags.js';
import { observeReloads, type ReloadObserver } from './reload-metrics.js';
import { usageError } from './start-error.js';

/** Upstream: kubernetes `pkg/kubeapiserver/options` NewBuiltInAuthorizationOptions. */
const AUTHORIZED_MS = 5 * 60_000;
const UNAUTHORIZED_MS = 30_000;
/** Upstream: `defaultWebhookName`. */
const DEFAULT_WEBHOOK = 'default';
/** Upstream: the timeout of a client of a kubeconfig. */
const WEBHOOK_TIMEOUT_MS = 30_000;

/** The rules that files or flags give about who a client is and what it may do. Those of files change with them. */
export interface AccessRules extends Disposable {
  /** The same object as long as they do not change. Undefined: there are none. */
  readonly authentication: (() => AuthenticationRules) | undefined;
  readonly authorization: AuthorizationOptions;
}

interface RuleParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly registry: MetricRegistry;
}

/** Reads the rules. Throws an `environment` error that names flag and file. */
export async function readAccessRules(config: StartConfig, { clock, log, registry }: RuleParts): Promise<AccessRules> {
  const files: Disposable[] = [];
  const watch: Watch = async (rules, path, read) => {
    const observer = observeReloads(rules, registry, clock);
    const file = await openWatched({ flag: `--${rules}-config`, path, clock, log, observer, read });
    files.push(file);
    return () => file.current;
  };
  const dispose = (): void => {
    for (const file of files) file[Symbol.dispose]();
  };
  try {
    const authentication = await authenticationRulesOf(config, watch);
    const authorization = await authorizationOptionsOf(config, clock, watch);
    return { authentication, authorization, [Symbol.dispose]: dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** Opens a file that is read again when it changes. Returns its current value. */
type Watch = <T>(
  rules: 'authentication' | 'authorization',
  path: string,
  read: (text: string) => T | Promise<T>,
) => Promise<() => T>;

async function authenticationRulesOf(config: StartConfig, watch: Watch): Promise<AccessRules['authentication']> {
  const { authenticationConfig: path } = config;
  if (path === undefined) {
    const rules = config.oidcIssuerUrl === undefined ? undefined : await rulesOfFlags(config);
    return rules && (() => rules);
  }
  const { readAuthenticationConfiguration } = await import('@binnacle/apiserver/oidc');
  return watch('authentication', path, (text) => {
    const rules = readAuthenticationConfiguration(text, config.serviceAccountIssuers);
    if (rules.anonymous === undefined || config.anonymousAuth === undefined) return rules;
    const fault = 'flag cannot be set when anonymous field is configured in authentication configuration file';
    throw new Error(`anonymous: Forbidden: --anonymous-auth ${fault}`);
  });
}

async function authorizationOptionsOf(config: StartConfig, clock: Clock, watch: Watch): Promise<AuthorizationOptions> {
  const { authorizationConfig: path, authorizationPolicyFile: policyFile } = config;
  const policies = await readPolicies(policyFile);
  if (path === undefined) {
    const authorizers = await authorizersOfFlags(config, clock);
    return { policies, authorizers: () => authorizers };
  }
  const { readAuthorizationConfiguration } = await import('@binnacle/apiserver/authorizationrules');
  const { readRemoteService } = await import('./remote-service.js');
  const authorizers = await watch('authorization', path, async (text) => {
    const read = await readAuthorizationConfiguration(text, (file) => readRemoteService(file, clock));
    if (policies === undefined && read.some(({ type }) => type === 'ABAC')) {
      throw new Error('an authorizer of type ABAC needs --authorization-policy-file');
    }
    return read;
  });
  return { policies, authorizers };
}

async function authorizersOfFlags(config: StartConfig, clock: Clock): Promise<readonly AuthorizerRule[]> {
  const { authorizationWebhookConfigFile: path } = config;
  const service = await readNamedService('--authorization-webhook-config-file', path, clock);
  return authorizationModes(config).flatMap((type): AuthorizerRule | readonly never[] => {
    if (type !== 'Webhook') return { type, name: type.toLowerCase() };
    return service === undefined ? [] : { type, name: DEFAULT_WEBHOOK, webhook: webhookOf(config, service) };
  });
}

function webhookOf(config: StartConfig, service: RemoteServiceConfig): AccessWebhook {
  return {
    service,
    version: config.authorizationWebhookVersion === 'v1' ? 'v1' : 'v1beta1',
    timeoutMs: WEBHOOK_TIMEOUT_MS,
    authorizedMs: config.authorizationWebhookCacheAuthorizedTtlMs ?? AUTHORIZED_MS,
    unauthorizedMs: config.authorizationWebhookCacheUnauthorizedTtlMs ?? UNAUTHORIZED_MS,
    deniesOnFailure: false,
    conditions: undefined,
  };
}

function readPolicies(path: string | undefined): Promise<readonly AbacPolicy[] | undefined> {
  return readNamedText('--authorization-policy-file', path, async (text) => {
    const { parsePolicyFile } = await import('@binnacle/apiserver/authorizationrules');
    return parsePolicyFile(text);
  });
}

/** Opens a file of rules. When it changes and is wrong, a line says so, and the former rules stay. */
async function openWatched<T>({ flag, path, clock, log, observer, read }: WatchedRules<T>): Promise<WatchedFile<T>> {
  const loaded = (text: string, isFirst: boolean): void => {
    observer.loaded(text);
    if (!isFirst) observer.reloaded('success');
  };
  const failed = (error: unknown): void => {
    observer.reloaded('failure');
    log.error('files', 'The changed file is not used', reasonOf(error), [
      ['flag', flag],
      ['path', path],
    ]);
  };
  return namedInErrors(flag, path, () => WatchedFile.open({ path, clock, loaded, failed, read }));
}

interface WatchedRules<T> extends Pick<WatchedFileOptions<T>, 'path' | 'clock' | 'read'> {
  readonly flag: string;
  readonly log: Log;
  readonly observer: ReloadObserver;
}

/** The one issuer of the flags `--oidc-*`. */
async function rulesOfFlags(config: StartConfig): Promise<AuthenticationRules> {
  const { authenticationRules } = await import('@binnacle/apiserver/oidc');
  const authority = await readNamedText('--oidc-ca-file', config.oidcCaFile, (text) => text);
  const { file, algorithms } = authenticationOfFlags(config, authority);
  try {
    return authenticationRules(file, config.serviceAccountIssuers, algorithms);
  } catch (error) {
    throw usageError(messageOf(error));
  }
}
