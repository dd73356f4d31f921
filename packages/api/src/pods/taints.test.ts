import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tolerates, Tolerations } from './index.js';

const keys = ['', 'a', 'b'];
const values = [undefined, '', 'v', 'w'];
const effects = [undefined, 'NoSchedule', 'NoExecute'];
const operators = [undefined, 'Exists', 'Equal', 'Gt'];

describe('Tolerations', () => {
  it('permits what one toleration tolerates', () => {
    for (const key of ['a', 'c']) {
      for (const value of [undefined, 'v']) {
        const taint = { key, value, effect: 'NoSchedule' };
        for (const toleration of everyToleration()) {
          const text = `${JSON.stringify(toleration)} ${JSON.stringify(taint)}`;
          assert.equal(new Tolerations([toleration]).permit(taint), tolerates(toleration, taint), text);
        }
      }
    }
  });

  it('finds the first of several', () => {
    const taint = { key: 'a', value: 'v', effect: 'NoSchedule' };
    const all = [...everyToleration()];
    for (let from = 0; from < all.length; from++) {
      const rest = all.slice(from);
      assert.equal(
        new Tolerations(rest).find(taint),
        rest.find((each) => tolerates(each, taint)),
      );
    }
  });

  it('looks at each toleration once, however many taints there are', () => {
    let reads = 0;
    const tolerations = Array.from({ length: 1000 }, (_, index) => ({
      effect: 'NoSchedule',
      operator: 'Exists',
      get key() {
        reads++;
        return `k${index}`;
      },
    }));
    const permitted = new Tolerations(tolerations);
    for (let index = 0; index < 1000; index++) {
      assert.ok(permitted.permit({ key: `k${index}`, effect: 'NoSchedule' }));
    }
    assert.equal(reads, 1000);
  });
});

function* everyToleration() {
  for (const key of keys) {
    for (const value of values) {
      for (const effect of effects) for (const operator of operators) yield { key, value, effect, operator };
    }
  }
}
