import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parsePoint, pointText } from './point.js';

it('a point is a revision, a time, a duration or the name of a snapshot', () => {
  const at = (text: string) => {
    const point = parsePoint(text);
    return point && pointText(point, Date.UTC(2026, 10, 28, 10, 5));
  };
  assert.equal(at('120'), '120');
  assert.equal(at('2026-11-28T10:04:00Z'), '2026-11-28T10:04:00Z');
  assert.equal(at('90s'), '2026-11-28T10:03:30.000Z');
  assert.equal(at('before-upgrade'), 'before-upgrade');
  for (const text of ['', 'Yesterday', 'a-', '-5m', '2026-11-28', '10:05', '1e3'])
    assert.equal(at(text), undefined, text);
});
