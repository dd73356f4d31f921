import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonReport, textExportReport, textReport } from './report.js';

const source = { leftOut: new Map([['Leases', 2]]), unread: ['secrets: no\u001b[2J rights'] };
const imported = { dryRun: false, created: 3, overwritten: 0, existing: 1, unchecked: 0, ownersLost: 1 };
const failed = [{ object: 'Pod default/a\nb', message: 'is\r wrong' }];

describe('the report of a transfer', () => {
  it('shows what a server says without what would change a terminal', () => {
    for (const text of [
      textExportReport({ written: 3, ownersLost: 1, failed, ...source }, 'out'),
      textReport({ ...imported, failed, ...source }),
    ]) {
      assert.match(text, /left out 2: Leases\nnot read: secrets: no/);
      assert.ok(!/[\u001b\r]/.test(text), JSON.stringify(text));
    }
    assert.equal(
      textReport({ ...imported, failed, ...source })
        .trimEnd()
        .split('\n').length,
      5,
    );
  });

  it('says what is overwritten, and in a dry run what would be', () => {
    const report = { ...imported, overwritten: 2, failed: [], leftOut: new Map<string, number>(), unread: [] };
    assert.match(textReport(report), /^3 created, 2 overwritten, 1 exist already, 0 failed\n/);
    assert.match(
      textReport({ ...report, dryRun: true }),
      /^3 would be created \(dry run\), 2 would be overwritten, 1 exist already, 0 failed\n/,
    );
  });

  it('is an object for programs', () => {
    const reasons = [{ reason: 'Leases', count: 2 }];
    assert.deepEqual(JSON.parse(jsonReport({ written: 3, ownersLost: 0, failed: [], ...source })), {
      ...source,
      written: 3,
      ownersLost: 0,
      failed: [],
      leftOut: reasons,
    });
    assert.deepEqual(JSON.parse(jsonReport({ ...imported, failed, ...source })), {
      ...imported,
      failed,
      ...source,
      leftOut: reasons,
    });
  });
});
