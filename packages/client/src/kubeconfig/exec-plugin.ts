import { messageOf } from '@binnacle/apimachinery/errors';
import { type JsonObject, type JsonValue, parseJson, stringifyJson } from '@binnacle/apimachinery/json';
import { parseTime, TimeParseError } from '@binnacle/apimachinery/time';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { CredentialSource, Credentials } from './client-config.js';
import type { ExecPlugin } from './document.js';
import { EntryReader } from './entry-reader.js';
import { errorCode } from './file-credentials.js';
import { KubeconfigError } from './kubeconfig-error.js';
import { type Fetched, CachedCredentials } from './cached-credentials.js';
import type { Environment } from './environment.js';

/**
 * Credentials that a program prints. It runs at first use, and again when they have expired or were refused. `cluster` is the cluster information for
 * plugins that request it. Upstream: client-go `plugin/pkg/client/auth/exec`.
 */
export function execCredentials(
  plugin: ExecPlugin,
  cluster: JsonObject,
  environment: Environment,
  clock: Clock,
): CredentialSource {
  return new CachedCredentials(
    () => clock.now(),
    async () => {
      const interactive = mayAsk(plugin, environment);
      const spec = { ...(plugin.provideClusterInfo ? { cluster } : {}), interactive };
      const info = stringifyJson({ kind: 'ExecCredential', apiVersion: plugin.apiVersion, spec });
      const variables = {
        ...environment.variables,
        ...Object.fromEntries(plugin.env.map(({ name, value }) => [name, value])),
        KUBERNETES_EXEC_INFO: info,
      };
      let output: string;
      try {
        output = await environment.run(plugin.command, plugin.args, { variables, interactive });
      } catch (error) {
        throw new KubeconfigError(explainRun(plugin, error), { cause: error });
      }
      return readOutput(plugin, output);
    },
  );
}

function mayAsk(plugin: ExecPlugin, environment: Environment): boolean {
  if (plugin.interactiveMode === 'Never') return false;
  if (plugin.interactiveMode === 'Always' && !environment.interactive) {
    throw new KubeconfigError(`exec plugin ${plugin.command}: needs to prompt the user, but there is no terminal`);
  }
  return environment.interactive;
}

function explainRun(plugin: ExecPlugin, error: unknown): string {
  const code = errorCode(error);
  if (code === 'ENOENT') {
    const hint = plugin.installHint === undefined ? '' : `\n\n${withoutControlCharacters(plugin.installHint)}`;
    return `exec plugin ${plugin.command}: there is no such program${hint}`;
  }
  if (code === 'EACCES') return `exec plugin ${plugin.command}: may not be run by this user`;
  const status: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof status === 'number') return `exec plugin ${plugin.command}: failed with exit code ${status}`;
  return `exec plugin ${plugin.command}: ${messageOf(error)}`;
}

/** Others may have written the file, so its hint must not contain terminal control sequences. */
function withoutControlCharacters(text: string): string {
  return text.replaceAll(/[^\P{C}\t\n\r]/gu, '');
}

function readOutput(plugin: ExecPlugin, output: string): Fetched {
  const where = `exec plugin ${plugin.command}: output`;
  const answer = new EntryReader(parse(output, where), where);
  const apiVersion = answer.text('apiVersion');
  if (apiVersion !== plugin.apiVersion || answer.text('kind') !== 'ExecCredential') {
    answer.fail(
      'apiVersion',
      `is ${apiVersion ?? 'missing'}, but an ExecCredential of ${plugin.apiVersion} is expected`,
    );
  }
  const status = answer.entry('status');
  if (status === undefined) return answer.fail('status', 'is missing');
  const credentials: Credentials = {
    token: status.text('token'),
    clientCertificate: status.text('clientCertificateData'),
    clientKey: status.text('clientKeyData'),
  };
  if ((credentials.clientCertificate === undefined) !== (credentials.clientKey === undefined)) {
    status.fail('clientKeyData', 'and clientCertificateData go together, but one is missing');
  }
  if (credentials.token === undefined && credentials.clientKey === undefined) {
    status.fail('token', 'is missing, and so are clientCertificateData and clientKeyData');
  }
  return { credentials, freshUntil: readExpiration(status) };
}

function readExpiration(status: EntryReader): number {
  const text = status.text('expirationTimestamp');
  if (text === undefined) return Number.POSITIVE_INFINITY;
  try {
    return parseTime(text);
  } catch (error) {
    if (error instanceof TimeParseError) return status.fail('expirationTimestamp', `cannot be read: ${error.message}`);
    throw error;
  }
}

function parse(output: string, where: string): JsonValue {
  try {
    return parseJson(output).value;
  } catch (error) {
    throw new KubeconfigError(`${where}: is not JSON`, { cause: error });
  }
}
