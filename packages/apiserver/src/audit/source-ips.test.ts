import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sourceIpsOf } from './source-ips.js';

function from(remoteAddress: string, headers: Readonly<Record<string, readonly string[]>> = {}): readonly string[] {
  const joined = Object.entries(headers).map(([name, values]) => [name, values.join(', ')] as const);
  const headerValues = (name: string) => headers[name] ?? [];
  return sourceIpsOf({ remoteAddress, headers: Object.fromEntries(joined), headerValues });
}

describe('sourceIpsOf', () => {
  it('is the address of the peer', () => {
    assert.deepEqual(from('192.0.2.1'), ['192.0.2.1']);
    assert.deepEqual(from('::ffff:192.0.2.1'), ['192.0.2.1']);
    assert.deepEqual(from(''), []);
    assert.deepEqual(from('192.0.2.2'), ['192.0.2.2']);
  });

  it('puts what proxies report first, without invalid addresses', () => {
    const headers = { 'x-forwarded-for': ['9.9.9.9, nonsense,8.8.8.8', '1.1.1.1'], 'x-real-ip': ['7.7.7.7'] };
    assert.deepEqual(from('192.0.2.1', headers), ['9.9.9.9', '8.8.8.8', '7.7.7.7', '192.0.2.1']);
  });

  it('names an address that two headers report only once', () => {
    assert.deepEqual(from('192.0.2.1', { 'x-forwarded-for': ['9.9.9.9'], 'x-real-ip': ['9.9.9.9'] }), [
      '9.9.9.9',
      '192.0.2.1',
    ]);
    assert.deepEqual(from('192.0.2.1', { 'x-forwarded-for': ['192.0.2.1'] }), ['192.0.2.1']);
  });
});
