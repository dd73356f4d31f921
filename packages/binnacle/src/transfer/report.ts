import { inert } from '../history/index.js';
import type { Imported } from './import-objects.js';

export interface Report extends Imported {
  readonly dryRun: boolean;
  /** By the reason. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** Resources of the source that could not be read. */
  readonly unread: readonly string[];
}

/** What an export to a folder has done. */
export interface ExportReport extends Pick<Report, 'leftOut' | 'unread'> {
  readonly written: number;
}

/** The report as an object for programs. */
export function jsonReport({ leftOut, ...report }: Report | ExportReport): string {
  const reasons = Array.from(leftOut, ([reason, count]) => ({ reason, count }));
  return `${JSON.stringify({ ...report, leftOut: reasons })}\n`;
}

/** The report of an export as lines for people. */
export function textExportReport({ written, ...source }: ExportReport, folder: string): string {
  return `${[`${written} objects are written to ${folder}`, ...sourceLines(source)].join('\n')}\n`;
}

function sourceLines({ leftOut, unread }: Pick<Report, 'leftOut' | 'unread'>): readonly string[] {
  return [
    ...Array.from(leftOut, ([reason, count]) => `left out ${count}: ${reason}`),
    ...unread.map((reason) => `not read: ${inert(reason)}`),
  ];
}

/** The report as lines for people. */
export function textReport({
  dryRun,
  created,
  overwritten,
  existing,
  unchecked,
  ownersLost,
  failed,
  leftOut,
  unread,
}: Report): string {
  const lines = [
    [
      `${created} ${dryRun ? 'would be created (dry run)' : 'created'}`,
      ...(overwritten > 0 ? [`${overwritten} ${dryRun ? 'would be overwritten' : 'overwritten'}`] : []),
      `${existing} exist already`,
      `${failed.length} failed`,
    ].join(', '),
    ...(unchecked > 0 ? [`${unchecked} not checked: their namespace or definition is not stored in a dry run`] : []),
    ...(ownersLost > 0 ? [`${ownersLost} references to owners that are not there are removed`] : []),
    ...sourceLines({ leftOut, unread }),
    ...failed.map(({ object, message }) => `failed: ${inert(object)}: ${inert(message)}`),
  ];
  return `${lines.join('\n')}\n`;
}
