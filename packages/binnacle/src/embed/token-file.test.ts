import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseTokenFile } from './token-file.js';

describe('token file', () => {
  it('reads users with and without groups', () => {
    assert.deepEqual(parseTokenFile('t1,alice,1\r\n\nt2,"bob ""b""",2,"g1,g2",more\nt3,carol,3,g3'), [
      { token: 't1', user: 'alice', uid: '1', groups: [] },
      { token: 't2', user: 'bob "b"', uid: '2', groups: ['g1', 'g2'] },
      { token: 't3', user: 'carol', uid: '3', groups: ['g3'] },
    ]);
  });

  it('passes over lines without token, and lets the later of two count', () => {
    assert.deepEqual(parseTokenFile(',nobody,0\nt,first,1\nt,second,2\n'), [
      { token: 't', user: 'second', uid: '2', groups: [] },
    ]);
    assert.deepEqual(parseTokenFile(''), []);
  });

  it('names the line that is wrong', () => {
    assert.throws(() => parseTokenFile('t,u,1\n\nt,u'), /^Error: line 3 has 2 fields/);
    assert.throws(() => parseTokenFile('t,"u\nv",1\nt,u"x,1'), /^Error: line 3 has a quote in the wrong place/);
    assert.throws(() => parseTokenFile('t,"u,1'), /^Error: line 1 has a quote/);
  });
});
