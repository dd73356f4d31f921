import type { Clock } from '@binnacle/apimachinery/clock';
import { jsonFormat, Log, textFormat } from '@binnacle/apimachinery/logging';
import type { LoggingStartOptions } from './options/logging-options.js';
import { usageError } from './start-error.js';

const FORMATS: readonly string[] = ['text', 'json'];

/** Throws a `usage` error in upstream's words. Upstream: component-base `logs/api/v1`. */
export function checkLogging({ loggingFormat = 'text', verbosity = 0 }: LoggingStartOptions): void {
  if (!FORMATS.includes(loggingFormat)) {
    throw usageError(`--logging-format: Invalid value: ${JSON.stringify(loggingFormat)}: Unsupported log format`);
  }
  if (!Number.isSafeInteger(verbosity) || verbosity < 0) {
    throw usageError(`--v ${verbosity} is not a verbosity: give 0 or more`);
  }
}

/** Opens the log, on standard error by default. */
export function openLog(
  { loggingFormat, verbosity = 0 }: LoggingStartOptions,
  clock: Clock,
  write: (line: string) => void = (line) => process.stderr.write(line),
): Log {
  const format = loggingFormat === 'json' ? jsonFormat : textFormat(process.pid);
  return new Log({ clock, format, verbosity, write });
}
