import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pod, volume } from './attachdetach.testing.js';
import { attachedText, blockedText, failedText } from './messages.js';

describe('texts of events', () => {
  const wanted = { driver: 'd', handle: 'h', volume: volume('a'), pods: [] };
  for (const [text, expected] of [
    [attachedText(wanted), 'AttachVolume.Attach succeeded for volume "a" '],
    [failedText(wanted, 'no'), 'AttachVolume.Attach failed for volume "a" : no'],
    [
      blockedText(wanted, []),
      `Multi-Attach error for volume "a" Volume is already exclusively attached to one node and can't be attached to another`,
    ],
    [
      blockedText(wanted, [pod('p', 'n', 'a'), pod('q', 'n', 'a')]),
      'Multi-Attach error for volume "a" Volume is already used by pod(s) p, q',
    ],
  ] as const) {
    it(expected, () => assert.equal(text, expected));
  }
});
