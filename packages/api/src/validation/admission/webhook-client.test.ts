import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS_MAXIMUM } from '@binnacle/apimachinery/status';
import { validateWebhookService } from './webhook-client.js';

test('a path of a million wrong segments has as many errors as an answer may', () => {
  const errors = validateWebhookService({ name: 'a', namespace: 'a', port: 443, path: '/A'.repeat(1e6) }, 'service');
  assert.equal(errors.length, ERRORS_MAXIMUM);
});
