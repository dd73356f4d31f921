import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PageClaims } from './page-claims.js';

describe('PageClaims', () => {
  it('lets pages of the file be used once', () => {
    const claims = new PageClaims(10);
    assert.deepEqual(
      [claims.use(2, 3), claims.use(9, 1), claims.use(4, 2), claims.use(5, 2)],
      [true, true, false, true],
    );
    for (const [first, count] of [
      [0, 1],
      [1, 1],
      [7, 0],
      [8, 3],
      [10, 1],
    ] as const) {
      assert.equal(claims.use(first, count), false, `${first}, ${count}`);
    }
  });

  it('names the page that is listed as free but used, free or absent', () => {
    const claims = new PageClaims(10);
    claims.use(4, 1);
    assert.equal(claims.free(2, 2), undefined);
    assert.equal(claims.free(5, 2), undefined);
    assert.equal(claims.free(3, 1), 'page 3 is listed as free twice');
    assert.equal(claims.free(4, 1), 'page 4 is in use and listed as free');
    assert.equal(claims.free(6, 3), 'page 6 is listed as free twice');
    assert.equal(claims.free(9, 2), 'page 9 is listed as free');
    assert.equal(claims.free(1, 1), 'page 1 is listed as free');
    assert.equal(claims.use(2, 1), false);
  });
});
