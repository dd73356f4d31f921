import { extname } from 'node:path';

/** A file that the log was renamed to. */
export interface Backup {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const COMPRESSED = '.gz';
const timestamp = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})$/;

/** `audit-2026-01-02T03-04-05.678.log` for `audit.log`, in UTC. */
export function nameOfBackup(file: string, now: number): string {
  const extension = extname(file);
  const time = new Date(now).toISOString().slice(0, -1).replaceAll(':', '-');
  return `${file.slice(0, file.length - extension.length)}-${time}${extension}`;
}

/** Undefined for other files. */
export function readBackupName(file: string, name: string): Backup | undefined {
  const extension = extname(file);
  const prefix = `${file.slice(0, file.length - extension.length)}-`;
  const plain = name.endsWith(COMPRESSED) ? name.slice(0, -COMPRESSED.length) : name;
  if (!plain.startsWith(prefix) || !plain.endsWith(extension)) return undefined;
  const [, date, hours, minutes, seconds] =
    timestamp.exec(plain.slice(prefix.length, plain.length - extension.length)) ?? [];
  const at = Date.parse(`${date}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(at) ? undefined : { name, at };
}

export interface BackupLimits {
  /** 0: no limit. */
  readonly maximumBackups: number;
  /** 0: no limit. */
  readonly maximumAgeDays: number;
  readonly now: number;
}

/** The backups to delete: the oldest beyond `maximumBackups`, and all that are older than `maximumAgeDays`. */
export function expiredBackups(backups: readonly Backup[], limits: BackupLimits): readonly Backup[] {
  const { maximumBackups, maximumAgeDays, now } = limits;
  return backups
    .toSorted((one, other) => other.at - one.at)
    .filter(
      ({ at }, index) =>
        (maximumBackups > 0 && index >= maximumBackups) || (maximumAgeDays > 0 && now - at > maximumAgeDays * DAY_MS),
    );
}
