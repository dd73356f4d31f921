import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { at, created, grown, history, list, log, MAP, MAPS, painted, run, second, status, web } from './run.testing.js';

describe('values that the server has forgotten', () => {
  const reference = { kind: 'ConfigMap', namespace: 'default', name: 'web' };
  const { object: _, ...plainCreated } = created;
  const { object: __, previous: ___, ...plainPainted } = painted;
  const { previous: ____, ...plainGrown } = grown;
  const events = history(
    MAP,
    { ...plainGrown, forgotten: ['previous'], reference },
    { ...plainPainted, forgotten: ['object', 'previous'], reference },
    { ...plainCreated, forgotten: ['object'], reference },
  );
  const shown = [
    '14  -  (server)  modified  ConfigMap default/web  (the value before it is forgotten)\n',
    '12  2026-11-28T10:01:00Z  bob  update  ConfigMap default/web  (the values before and after it are forgotten)\n',
    '10  2026-11-28T10:00:00Z  alice (kubectl)  create  ConfigMap default/web  created (the value is forgotten)\n',
  ];

  it('are named by log, which still shows who wrote them', async () => {
    assert.equal(await run(log, events), shown.join(''));
    assert.equal(await run({ ...log, field: '.data.size', limit: 1 }, events), shown[0]);
    const patch = await run({ ...log, patch: true, by: 'bob' }, events);
    assert.equal(
      patch,
      `${shown[1]}  agent kubectl/1.36, audit a-1\n  (the values before and after it are forgotten)\n\n`,
    );
  });

  it('limit what blame can show', async () => {
    const printed = await run({ action: 'blame', target: web }, events);
    assert.match(printed, /^- +before the history +\.data\.size: "big"$/m);
    assert.match(
      printed,
      /\nFields without a revision were set at 14 or before\. The values from before it are forgotten\.\n$/,
    );
  });

  it('cannot be brought back by revert', async () => {
    const revert = { action: 'revert', revisions: ['12'], target: web, force: true, dryRun: false } as const;
    const answers = history(MAP, { ...plainPainted, forgotten: ['object', 'previous'], reference });
    await assert.rejects(
      run(revert, answers),
      /^Error: the write of ConfigMap default\/web at revision 12 cannot be undone: the values before and after it are forgotten$/,
    );
  });

  it('make diff and export name the kinds that they leave out, or fail for the kind that is named', async () => {
    const gone = status(410, 'Expired', 'The values of these objects before 12 are forgotten.');
    const answers = {
      ...history(MAPS),
      [`GET ${MAPS}`]: () => list(second),
      'GET /api/v1/namespaces/default/secrets': () => gone,
    };
    const scope = { namespace: 'default' };
    const request = { action: 'export', transfer: undefined, at: at('10'), withSecrets: true } as const;
    await assert.rejects(
      run({ ...request, target: undefined }, answers, { scope }),
      /^Error: left out, because former values are forgotten: secrets$/,
    );
    await assert.rejects(
      run({ ...request, target: { kind: 'secrets' } }, answers, { scope }),
      /before 12 are forgotten/,
    );
    const all = { ...answers, [`GET ${MAPS}`]: () => gone };
    await assert.rejects(
      run({ action: 'diff', from: at('10'), to: at('12'), target: undefined }, all, { scope }),
      /before 12 are forgotten/,
      'as for a point that is compacted',
    );
  });
});
