import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diagnose, reportOf } from './index.js';
import type { CertificateFact, Facts } from './facts.js';

const MIB = 1024 ** 2;
const DAY_MS = 24 * 60 * 60_000;
const now = Date.UTC(2026, 10, 28);
const directory = { path: '/data', mode: 0o40700, newestFile: now, freeBytes: 50_000 * MIB, storeBytes: 10 * MIB };
const healthy: Facts = {
  nodeVersion: '20.19.0',
  now,
  port: { address: '127.0.0.1', port: 6443 },
  directory,
  certificates: [],
  memory: { limitBytes: 4096 * MIB },
  openFiles: 1_048_576,
};
const certificate = (more: Partial<CertificateFact>): Partial<Facts> => ({
  certificates: [
    {
      source: '--tls-cert-file',
      subject: 'CN=a',
      validFrom: now - DAY_MS,
      validTo: now + 99 * DAY_MS,
      renewed: false,
      ...more,
    },
  ],
});
const port = (errorCode: string) => ({ port: { address: '192.0.2.1', port: 443, errorCode } });

describe('diagnose', () => {
  it('finds nothing wrong with a healthy set-up', () => {
    const findings = diagnose({ ...healthy, ...certificate({}), etcd: { endpoints: 'http://a', sizeBytes: MIB } });
    assert.deepEqual([...new Set(findings.map(({ severity }) => severity))], ['ok']);
    assert.match(reportOf(findings), /^ok {7}node {10}Node.js 20.19.0\n[^]*\n0 problems, 0 warnings\n$/);
  });

  for (const [subject, severity, facts, text] of [
    ['node', 'problem', { nodeVersion: '20.18.9' }, /install 20.19 or newer/],
    ['node', 'problem', { nodeVersion: '18.99.0' }, /is too old/],
    ['clock', 'problem', { now: 0 }, /1970.*set it/],
    ['clock', 'warning', { directory: { ...directory, newestFile: now + 120_000 } }, /120 s newer; set the clock/],
    ['options', 'problem', { optionsFault: '--client-ca-file x: no such file' }, /^--client-ca-file x/],
    ['port', 'warning', port('EADDRINUSE'), /port 443 on 192.0.2.1 is in use.*--secure-port/],
    ['port', 'problem', port('EACCES'), /above 1023/],
    ['port', 'problem', port('EADDRNOTAVAIL'), /--bind-address/],
    ['port', 'problem', port('EINVAL'), /EINVAL/],
    ['directory', 'problem', { directory: { path: '/data', fault: 'permission denied' } }, /--data-dir/],
    ['directory', 'ok', { directory: { path: '/data' } }, /the first start creates it/],
    ['directory', 'warning', { directory: { ...directory, mode: 0o40755 } }, /chmod 700/],
    ['disk', 'problem', { directory: { ...directory, freeBytes: 99 * MIB } }, /99 MiB are free/],
    ['disk', 'warning', { directory: { ...directory, freeBytes: 900 * MIB } }, /as much again/],
    ['disk', 'warning', { directory: { ...directory, freeBytes: 2000 * MIB, storeBytes: 3000 * MIB } }, /3000 MiB/],
    ['certificates', 'problem', certificate({ validFrom: now + DAY_MS }), /not valid before 2026-11-29; set the clock/],
    ['certificates', 'problem', certificate({ validTo: now }), /expired on 2026-11-28; replace the file/],
    ['certificates', 'warning', certificate({ validTo: now, renewed: true }), /the next start replaces it/],
    ['certificates', 'warning', certificate({ validTo: now + 29 * DAY_MS }), /expires on 2026-12-27/],
    ['etcd', 'problem', { etcd: { endpoints: 'http://a', fault: 'refused' } }, /^http:\/\/a: refused$/],
    ['etcd', 'warning', { etcd: { endpoints: 'http://a', sizeBytes: 1900 * MIB } }, /defragment/],
    ['memory', 'problem', { memory: { limitBytes: 100 * MIB } }, /needs 128 MiB/],
    ['memory', 'problem', { memory: { limitBytes: 512 * MIB, chosenBytes: 600 * MIB } }, /lower it/],
    ['memory', 'warning', { memory: { limitBytes: 256 * MIB } }, /a few thousand objects/],
    ['open files', 'warning', { openFiles: 256 }, /LimitNOFILE/],
  ] as const) {
    it(`${subject}: ${severity} ${text.source}`, () => {
      const found = diagnose({ ...healthy, ...facts }).filter((each) => each.subject === subject);
      assert.equal(found.length, 1);
      assert.equal(found[0]?.severity, severity);
      assert.match(found[0]?.text ?? '', text);
    });
  }

  it('says nothing about what a set-up does not have', () => {
    const subjects = diagnose({ ...healthy, directory: undefined, openFiles: undefined }).map(({ subject }) => subject);
    assert.deepEqual(subjects, ['node', 'clock', 'options', 'port', 'memory']);
  });
});
