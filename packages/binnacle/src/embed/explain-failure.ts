import { hasErrorCode, messageOf } from '@binnacle/apimachinery/errors';
import { KVError } from '@binnacle/kv';
import { describeFileError } from '../files/index.js';
import type { StartConfig } from './options/config.js';
import { StartError } from './start-error.js';

/** Explains a failed start in one sentence with the remedy. */
export function explainFailure(error: unknown, options: StartConfig): StartError {
  if (error instanceof StartError) return error;
  return new StartError('environment', sentence(error, options), { cause: error });
}

function sentence(error: unknown, { bindAddress, securePort, dataDirectory }: StartConfig): string {
  if (isListenError(error)) {
    if (hasErrorCode(error, 'EADDRINUSE')) {
      return `port ${securePort} on ${bindAddress} is in use by another process; stop that process, or choose another port with --secure-port`;
    }
    if (hasErrorCode(error, 'EACCES')) {
      return `this user may not listen on port ${securePort}; choose a port above 1023 with --secure-port`;
    }
    if (hasErrorCode(error, 'EADDRNOTAVAIL')) {
      return `${bindAddress} is not an address of this machine; choose one that is with --bind-address`;
    }
  }
  if (error instanceof KVError && error.code === 'locked') {
    return `${error.message}; stop that process, or choose another directory with --data-dir`;
  }
  if (isCausedBy(error, 'TransformError')) {
    return `cannot read the stored objects: ${error instanceof Error ? error.message : ''}; give the keys that encrypted them with --encryption-provider-config`;
  }
  const damage = dataDirectory === undefined ? undefined : damageOf(error);
  if (damage !== undefined) {
    return (
      `cannot serve the store in ${dataDirectory}: ${damage.message}; ` +
      'run "binnacle store check" and "binnacle store repair", restore a backup, or choose another directory with --data-dir'
    );
  }
  if (error instanceof KVError && error.code === 'full') {
    return `${error.message}; free some space there, or choose another directory with --data-dir`;
  }
  const failed = error instanceof KVError ? (error.cause ?? error) : error;
  const file = describeFileError(failed);
  if (file !== undefined && dataDirectory !== undefined) {
    const path = failed instanceof Error && 'path' in failed ? String(failed.path) : dataDirectory;
    return `cannot use the data directory ${dataDirectory}: ${path}: ${file}; fix that, or choose another directory with --data-dir`;
  }
  return messageOf(error);
}

/** The store damage in the cause chain of an error. */
function damageOf(error: unknown): KVError | undefined {
  if (error instanceof KVError && error.code === 'corrupt') return error;
  return error instanceof Error ? damageOf(error.cause) : undefined;
}

/** Whether an error of this name is in the cause chain; its class loads only when it is needed. */
function isCausedBy(error: unknown, name: string): boolean {
  return error instanceof Error && (error.name === name || isCausedBy(error.cause, name));
}

function isListenError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'listen';
}
