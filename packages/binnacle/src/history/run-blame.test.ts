import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { created, grown, history, MAP, painted, run, web } from './run.testing.js';

describe('blame', () => {
  it('prints who wrote each field', async () => {
    const printed = await run({ action: 'blame', target: web }, history(MAP, grown, painted, created));
    assert.match(printed, /^12 {2}2026-11-28T10:01:00Z {2}bob +\.data\.color: "blue"$/m);
    assert.match(printed, /^14 {2}- +\(server\) +\.data\.size: "big"$/m);
    assert.match(printed, /^10 {2}2026-11-28T10:00:00Z {2}alice \(kubectl\) {2}\.kind: "ConfigMap"$/m);
  });

  it('rejects for an object without history', async () => {
    await assert.rejects(
      run({ action: 'blame', target: web }, history(MAP)),
      /^Error: the server has no history of configmap\/web$/,
    );
  });
});
