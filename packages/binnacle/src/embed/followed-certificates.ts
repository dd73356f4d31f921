import { type Clock, repeat } from '@binnacle/apimachinery/clock';
import type { Log } from '@binnacle/apimachinery/logging';
import { type CertificateFiles, readCertificateFiles } from './input-files.js';
import { reasonOf } from './named-file.js';
import type { StartConfig } from './options/config.js';

const PERIOD_MS = 2000;

export interface FollowOptions {
  readonly config: StartConfig;
  readonly clock: Clock;
  readonly log: Log;
  /** What the files held at the start. */
  readonly files: CertificateFiles;
  /** Uses what changed files hold. Throws when that cannot be used. */
  readonly renew: (files: CertificateFiles) => void;
}

/**
 * Reads the files of certificates and authorities again when they change. What is wrong is reported once, and read again: a
 * certificate may be written before its key. Dispose the result to end that.
 */
export function followCertificates({ config, clock, log, files, renew }: FollowOptions): Disposable {
  const { tlsCertFile, clientCAFile, requestheaderClientCAFile, tlsSniCertKeys = [] } = config;
  const given = [tlsCertFile, clientCAFile, requestheaderClientCAFile, ...tlsSniCertKeys];
  if (given.every((name) => name === undefined)) {
    return { [Symbol.dispose]: () => undefined };
  }
  let known = JSON.stringify(files);
  let failure: string | undefined;
  let isReading = false;
  const read = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    try {
      const next = await readCertificateFiles(config);
      const text = JSON.stringify(next);
      if (text !== known) renew(next);
      known = text;
      failure = undefined;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== failure) log.error('certificates', 'The changed files are not used', reason);
      failure = reason;
    } finally {
      isReading = false;
    }
  };
  return repeat(clock, PERIOD_MS, () => void read());
}
