import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { huffmanDecode } from './huffman.js';

/** RFC 7541, appendix C. */
const examples: readonly (readonly [code: string, text: string])[] = [
  ['f1e3c2e5f23a6ba0ab90f4ff', 'www.example.com'],
  ['a8eb10649cbf', 'no-cache'],
  ['25a849e95ba97d7f', 'custom-key'],
  ['25a849e95bb8e8b4bf', 'custom-value'],
  ['6402', '302'],
  ['aec3771a4b', 'private'],
  ['d07abe941054d444a8200595040b8166e082a62d1bff', 'Mon, 21 Oct 2013 20:13:21 GMT'],
  ['9d29ad171863c78f0b97c8e9ae82ae43d3', 'https://www.example.com'],
  [
    '94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007',
    'foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1',
  ],
];

describe('huffmanDecode', () => {
  for (const [code, text] of examples) {
    it(`reads ${text}`, () => {
      assert.equal(huffmanDecode(Buffer.from(code, 'hex'))?.toString(), text);
    });
  }

  it('refuses the end-of-string symbol, and padding that is too long or not of ones', () => {
    for (const code of ['ffffffff', 'ff', '1fff', '00']) {
      assert.equal(huffmanDecode(Buffer.from(code, 'hex')), undefined, code);
    }
    assert.equal(huffmanDecode(Buffer.from('1f', 'hex'))?.toString(), 'a');
  });
});
