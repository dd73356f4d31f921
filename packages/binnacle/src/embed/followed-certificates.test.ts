import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { jsonFormat, Log } from '@binnacle/apimachinery/logging';
import { createIssuer } from '@binnacle/client/certificates';
import { followCertificates } from './followed-certificates.js';
import { type CertificateFiles, readCertificateFiles } from './input-files.js';
import { completeOptions } from './options/config.js';
import type { StartOptions } from './options/options.js';

const PERIOD_MS = 2000;

describe('files of certificates', () => {
  let directory: string;
  let clientCAFile: string;
  let clock: VirtualClock;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'certificates-'));
    clientCAFile = join(directory, 'ca.crt');
    clock = new VirtualClock();
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const authority = async (name: string) => (await createIssuer(name, clock.now())).authority.certificate;

  /** Follows the file, and returns the next thing that it leads to: a renewal or a line of the log. */
  async function followed(
    renew: (files: CertificateFiles) => void = () => undefined,
    options: StartOptions = { clientCAFile },
  ) {
    const config = completeOptions({ inMemory: true, ...options });
    let happened: (what: string) => void = () => undefined;
    const log = new Log({ clock, format: jsonFormat, verbosity: 0, write: (line) => happened(line) });
    const using = (files: CertificateFiles): void => {
      renew(files);
      happened(files.clientAuthority ?? files.frontProxyAuthority ?? '');
    };
    const following = followCertificates({
      config,
      clock,
      log,
      files: await readCertificateFiles(config),
      renew: using,
    });
    const next = async (): Promise<string> => {
      const seen = new Promise<string>((resolve) => (happened = resolve));
      await clock.advance(PERIOD_MS);
      return seen;
    };
    return { next, [Symbol.dispose]: () => following[Symbol.dispose]() };
  }

  it('are used when they change, and a wrong one is not', async () => {
    writeFileSync(clientCAFile, await authority('first'));
    using files = await followed();
    const second = await authority('second');
    writeFileSync(clientCAFile, second);
    assert.equal(await files.next(), second);
    writeFileSync(clientCAFile, 'no certificate');
    assert.match(await files.next(), /The changed files are not used.*ca\.crt/);
    writeFileSync(clientCAFile, second);
    const third = await authority('third');
    writeFileSync(clientCAFile, third);
    assert.equal(await files.next(), third);
  });

  it('may be those of front proxies alone', async () => {
    writeFileSync(clientCAFile, await authority('first'));
    using files = await followed(undefined, { requestheaderClientCAFile: clientCAFile });
    const second = await authority('second');
    writeFileSync(clientCAFile, second);
    assert.equal(await files.next(), second);
  });

  it('are tried again when the server cannot use them', async () => {
    writeFileSync(clientCAFile, await authority('first'));
    let tries = 0;
    using files = await followed(() => {
      tries += 1;
      if (tries === 1) throw new Error('the key does not fit');
    });
    const second = await authority('second');
    writeFileSync(clientCAFile, second);
    assert.match(await files.next(), /the key does not fit/);
    assert.equal(await files.next(), second);
    assert.equal(tries, 2);
  });

  it('are not read when there are none', () => {
    const config = completeOptions({ inMemory: true });
    const log = new Log({ clock, format: jsonFormat, verbosity: 0, write: () => assert.fail() });
    const files = { clientAuthority: undefined, frontProxyAuthority: undefined, named: [], serving: undefined };
    using _ = followCertificates({ config, clock, log, files, renew: () => assert.fail() });
    assert.equal(clock.waiting, 0);
  });
});
