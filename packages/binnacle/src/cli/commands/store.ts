import { hasErrorCode, messageOf } from '@binnacle/apimachinery/errors';
import type { MaintenanceOptions } from '@binnacle/kv/embedded/maintenance';
import { KVError } from '@binnacle/kv';
import { readdir } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { systemClock } from '@binnacle/apimachinery/clock';
import {
  dataDirectoryLayout,
  defaultDataDirectory,
  describeFileError,
  ensurePrivateDirectory,
} from '../../files/index.js';
import { printMessage } from './print-message.js';
import { ProgressLine } from './progress-line.js';
import type { StoreRequest } from '../arguments/store-request.js';

/** The note on values that a repair found on unreachable pages. */
const UNCERTAIN = 'may be outdated, or belong to deleted objects; compare them with a backup';

const REMEDY = 'run "binnacle store repair", or restore a backup';

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/** `binnacle store`: resolves with the exit code. On a signal it removes partial files first. */
export async function store(request: StoreRequest): Promise<number> {
  const abort = new AbortController();
  let exitCode = 1;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      exitCode = exitCodes[signal];
      abort.abort(new Error('interrupted'));
    });
  }
  const line = new ProgressLine(process.stderr, () => systemClock.monotonic());
  const dataDirectory = resolve(request.dataDirectory ?? defaultDataDirectory());
  const options = {
    directory: dataDirectoryLayout(dataDirectory).store,
    progress: (step: string, done: number, total: number) => line.update(step, done, total),
    signal: abort.signal,
  };
  try {
    const text = await run(request, dataDirectory, options);
    line.end();
    process.stdout.write(text);
    return 0;
  } catch (error) {
    line.end();
    printMessage(sentence(error, request.action));
    return exitCode;
  }
}

/** Runs the command; returns its result as lines of text. */
async function run(request: StoreRequest, dataDirectory: string, options: MaintenanceOptions): Promise<string> {
  const maintenance = await import('@binnacle/kv/embedded/maintenance');
  switch (request.action) {
    case 'check': {
      const { isStoredValue } = await import('../../storedvalues/index.js');
      const report = await maintenance.checkStore({ ...options, isEncoded: isStoredValue });
      if (report.problemCount > 0) {
        const first = report.problems.map((problem) => `  ${problem}\n`).join('');
        process.stdout.write(`${report.problemCount} problems; the first ones:\n${first}`);
        throw new KVError('corrupt', `the store in ${dataDirectory} is damaged`);
      }
      return [
        `The store in ${dataDirectory} is sound`,
        `revision ${report.revision}, history since ${Math.max(report.compactedRevision, 1)}`,
        `${report.keys} keys, values of ${size(report.valueBytes)}`,
        `${report.records} records, ${size(report.fileBytes)} on disk\n`,
      ].join('\n');
    }
    case 'repair': {
      const report = await maintenance.repairStore(options);
      return [
        `${report.keys} keys at revision ${report.revision} are in the repaired store; its history is removed`,
        ...report.lost.map((lost) => `lost: ${lost}`),
        ...(report.uncertain === 0 ? [] : [`${report.uncertain} values ${UNCERTAIN}`]),
        `The damaged file is ${report.damagedFile}\n`,
      ].join('\n');
    }
    case 'compact': {
      const { revision, bytesBefore, bytesAfter } = await maintenance.compactStore({
        ...options,
        ...keptSince(request.keepMs),
      });
      return `History before revision ${revision} is removed: ${size(bytesBefore)} on disk before, ${size(bytesAfter)} now\n`;
    }
    case 'purge': {
      const { storedKey } = await import('./stored-key.js');
      const { kind, name } = request;
      const { events } = await maintenance.purgeStore({ ...options, key: storedKey(kind, name) });
      return `${events} events of ${kind} ${name} are purged from the history\n`;
    }
    case 'backup': {
      const { revision, keys, bytes } = await maintenance.backupStore({ ...options, file: request.file });
      return `${keys} keys at revision ${revision}, ${size(bytes)}, written to ${resolve(request.file)}\n`;
    }
    case 'restore': {
      await checkEmpty(dataDirectory, `${basename(options.directory)}${maintenance.RESTORING_SUFFIX}`);
      await ensurePrivateDirectory(dataDirectory);
      const { revision, keys, bytes } = await maintenance.restoreStore({ ...options, ...request });
      return `${keys} keys at revision ${revision}, ${size(bytes)}, restored to ${dataDirectory}\n`;
    }
  }
}

function keptSince(keepMs: number | undefined): { readonly keepSince?: number } {
  return keepMs === undefined ? {} : { keepSince: systemClock.now() - keepMs };
}

/** Ignores the temporary directory of a restore that was killed. */
async function checkEmpty(directory: string, leftover: string): Promise<void> {
  let names: readonly string[];
  try {
    names = await readdir(directory);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return;
    throw error;
  }
  if (names.some((name) => name !== leftover)) {
    throw new KVError('unavailable', `${directory} is not empty; restore into an empty or absent directory`);
  }
}

function sentence(error: unknown, action: StoreRequest['action']): string {
  if (error instanceof KVError && error.code === 'locked') return `${error.message}; stop that process first`;
  const isOfStore = action !== 'restore' && action !== 'repair';
  if (isOfStore && error instanceof KVError && error.code === 'corrupt') return `${error.message}; ${REMEDY}`;
  const file = describeFileError(error);
  if (file !== undefined && error instanceof Error && 'path' in error) {
    // A backup is written under a temporary name, which the message must not show.
    return `${String(error.path).replace(/\.[0-9a-f]{12}\.tmp$/, '')}: ${file}`;
  }
  return messageOf(error);
}

function size(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit] ?? ''}`;
}
