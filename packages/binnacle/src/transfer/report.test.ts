import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonReport, textExportReport, textReport } from './report.js';

const source = { leftOut: new Map([['Leases', 2]]), unread: ['secrets: no\u001b[2J rights'] };
const imported = { dryRun: false, created: 3, existing: 1, unchecked: 0, ownersLost: 1 };
const failed = [{ object: 'Pod default/a\nb', message: 'is\r wrong' }];

describe('the report of a transfer', () => {
  it('shows what a server says without what would change a terminal', () => {
    for (const text of [
      textExportReport({ written: 3, ...source }, 'out'),
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

  it('is an object for programs', () => {
    const reasons = [{ reason: 'Leases', count: 2 }];
    assert.deepEqual(JSON.parse(jsonReport({ written: 3, ...source })), { ...source, written: 3, leftOut: reasons });
    assert.deepEqual(JSON.parse(jsonReport({ ...imported, failed, ...source })), {
      ...imported,
      failed,
      ...source,
      leftOut: reasons,
    });
  });
});
