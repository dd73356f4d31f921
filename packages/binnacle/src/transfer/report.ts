import { inert } from '../printing/index.js';
import type { Imported } from './import-objects.js';

export interface Report extends Imported {
  readonly dryRun: boolean;
  /** By the reason. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** Resources of the source that could not be read. */
  readonly unread: readonly string[];
}

/** What an export to files has done. */
export interface Written extends Pick<Report, 'leftOut' | 'ownersLost' | 'failed'> {
  readonly written: number;
}

export type ExportReport = Written & Pick<Report, 'unread'>;

/** The report as an object for programs. */
export function jsonReport({ leftOut, ...report }: Report | ExportReport): string {
  const reasons = Array.from(leftOut, ([reason, count]) => ({ reason, count }));
  return `${JSON.stringify({ ...report, leftOut: reasons })}\n`;
}

/** The report of an export as lines for people. */
export function textExportReport({ written, ownersLost, failed, ...source }: ExportReport, path: string): string {
  const lines = [
    `${written} objects are written to ${path}`,
    ...ownerLines(ownersLost),
    ...sourceLines(source),
    ...failureLines(failed),
  ];
  return `${lines.join('\n')}\n`;
}

const ownerLines = (count: number): readonly string[] =>
  count > 0 ? [`${count} references to owners that are not there are removed`] : [];

const failureLines = (failed: Report['failed']): readonly string[] =>
  failed.map(({ object, message }) => `failed: ${inert(object)}: ${inert(message)}`);

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
    ...ownerLines(ownersLost),
    ...sourceLines({ leftOut, unread }),
    ...failureLines(failed),
  ];
  return `${lines.join('\n')}\n`;
}
