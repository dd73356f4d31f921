import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { certificateBlocks } from './certificate-blocks.js';

const block = (content: string) => `-----BEGIN CERTIFICATE-----\n${content}\n-----END CERTIFICATE-----`;
const key = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----';

describe('certificates in a PEM text', () => {
  for (const [name, text, expected] of [
    ['none', 'a text', []],
    ['two beside other text and a key', `a\n${block('AA')}\n${key}\n${block('BB')}\nb`, [block('AA'), block('BB')]],
    ['one that does not end, before another', `-----BEGIN CERTIFICATE-----\nAA\n${block('BB')}`, [block('BB')]],
    ['one without content', '-----BEGIN CERTIFICATE----------END CERTIFICATE-----', []],
  ] as const) {
    it(name, () => assert.deepEqual(certificateBlocks(text), expected));
  }
});
