import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expiredBackups, nameOfBackup, readBackupName } from './backups.js';

const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const DAY_MS = 86_400_000;

describe('backups', () => {
  it('are named after the time', () => {
    assert.equal(nameOfBackup('audit.log', now), 'audit-2026-01-02T03-04-05.678.log');
    assert.equal(nameOfBackup('audit', now), 'audit-2026-01-02T03-04-05.678');
  });

  it('are known by their names, compressed or not', () => {
    const name = 'audit-2026-01-02T03-04-05.678.log';
    assert.deepEqual(readBackupName('audit.log', name), { name, at: now });
    assert.deepEqual(readBackupName('audit.log', `${name}.gz`), { name: `${name}.gz`, at: now });
    for (const other of ['audit.log', 'audit-notes.log', 'other-2026-01-02T03-04-05.678.log', `${name}.bak`]) {
      assert.equal(readBackupName('audit.log', other), undefined, other);
    }
  });

  it('expire by number and by age', () => {
    const backups = [0, 1, 2, 3].map((days) => ({ name: `${days}`, at: now - days * DAY_MS }));
    const expired = (maximumBackups: number, maximumAgeDays: number) =>
      expiredBackups(backups, { maximumBackups, maximumAgeDays, now }).map(({ name }) => name);
    assert.deepEqual(expired(0, 0), []);
    assert.deepEqual(expired(3, 0), ['3']);
    assert.deepEqual(expired(0, 1), ['2', '3']);
    assert.deepEqual(expired(1, 2), ['1', '2', '3']);
  });
});
