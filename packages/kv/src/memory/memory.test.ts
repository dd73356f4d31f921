import { test } from 'node:test';
import * as fc from 'fast-check';
import { agreeWithModel, kvSuite } from '../testing/index.js';
import { openMemoryKV } from './index.js';

kvSuite('memory store', openMemoryKV);

test('memory store: agrees with the model on random operations', { timeout: 60_000 }, () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 1000 }), { minLength: 20, maxLength: 400 }), (numbers) =>
      agreeWithModel(openMemoryKV, numbers),
    ),
    { numRuns: 300 },
  ),
);
