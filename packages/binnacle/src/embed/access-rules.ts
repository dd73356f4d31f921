import { type Clock, LimitedLines } from '@binnacle/apimachinery/clock';
import type { AuthenticationRules } from '@binnacle/apiserver/oidc';
import { readFile } from 'node:fs/promises';
import { describeFileError, WatchedFile } from '../files/index.js';
import type { StartConfig } from './config.js';
import { authenticationOfFlags } from './oidc-flags.js';
import { StartError, usageError } from './start-error.js';

/** The rules that files or flags give about who a client is. Those of files change with them. */
export interface AccessRules extends Disposable {
  /** The same object as long as they do not change. Undefined: there are none. */
  readonly authentication: (() => AuthenticationRules) | undefined;
}

/** Reads the rules. Throws an `environment` error that names flag and file. */
export async function readAccessRules(config: StartConfig, clock: Clock): Promise<AccessRules> {
  const lines = new LimitedLines(clock, (text) => process.stderr.write(text));
  const { authenticationConfig: path } = config;
  if (path === undefined) {
    const rules = config.oidcIssuerUrl === undefined ? undefined : await rulesOfFlags(config);
    return { authentication: rules && (() => rules), [Symbol.dispose]: () => undefined };
  }
  const { readAuthenticationConfiguration } = await import('@binnacle/apiserver/oidc');
  const file = await openWatched('--authentication-config', path, clock, lines, (text) => {
    const rules = readAuthenticationConfiguration(text, config.serviceAccountIssuers);
    if (rules.anonymous === undefined || config.anonymousAuth === undefined) return rules;
    const fault = 'flag cannot be set when anonymous field is configured in authentication configuration file';
    throw new Error(`anonymous: Forbidden: --anonymous-auth ${fault}`);
  });
  return { authentication: () => file.current, [Symbol.dispose]: () => file[Symbol.dispose]() };
}

/** Opens a file of rules. When it changes and is wrong, a line says so, and the former rules stay. */
async function openWatched<T>(
  flag: string,
  path: string,
  clock: Clock,
  lines: LimitedLines,
  read: (text: string) => T | Promise<T>,
): Promise<WatchedFile<T>> {
  const reasonOf = (error: unknown): string =>
    describeFileError(error) ?? (error instanceof Error ? error.message : String(error));
  const failed = (error: unknown): void =>
    lines.write(`${flag} ${path}: the changed file is not used: ${reasonOf(error)}`);
  try {
    return await WatchedFile.open({ path, clock, failed, read });
  } catch (error) {
    throw new StartError('environment', `${flag} ${path}: ${reasonOf(error)}`, { cause: error });
  }
}

/** The one issuer of the flags `--oidc-*`. */
async function rulesOfFlags(config: StartConfig): Promise<AuthenticationRules> {
  const { authenticationRules } = await import('@binnacle/apiserver/oidc');
  const { oidcCaFile: caFile } = config;
  const authority = caFile === undefined ? undefined : await readAuthority(caFile);
  const { file, algorithms } = authenticationOfFlags(config, authority);
  try {
    return authenticationRules(file, config.serviceAccountIssuers, algorithms);
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error));
  }
}

async function readAuthority(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = describeFileError(error) ?? String(error);
    throw new StartError('environment', `--oidc-ca-file ${path}: ${reason}`, { cause: error });
  }
}
