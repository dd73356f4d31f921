import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authorityOf, type Destination, targetOf, urlOf } from './destination.js';

const base: Destination = { scheme: 'https', host: 'n', port: 1, path: '', query: '', trust: 'kubelet' };

describe('a destination', () => {
  it('has brackets around an IPv6 address', () => {
    assert.equal(authorityOf({ ...base, host: 'fd00::1' }), '[fd00::1]:1');
  });

  it('has a path in any case, percent-encoded, and its query as it is', () => {
    assert.equal(targetOf(base), '/');
    assert.equal(targetOf({ ...base, path: '/a b/ü', query: 'x=%20' }), '/a%20b/%C3%BC?x=%20');
    assert.equal(urlOf({ ...base, path: '/a' }), 'https://n:1/a');
  });
});
