import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle } from '@binnacle/apimachinery/clock';
import type { Container } from '@binnacle/client/kinds/core/v1';
import { PodTrial } from './pod-trial.testing.js';

const c: Container = { name: 'c', image: 'app:1' };
const exec = { command: ['/bin/hook'] };
const grace = { terminationGracePeriodSeconds: 10 };
/** The seconds since the trial began. */
const seconds = (trial: PodTrial): number => trial.clock.monotonic() / 1000;

describe('a container with hooks', () => {
  it('is not ready before its hook postStart has ended', async () => {
    const lifecycle = { postStart: { sleep: { seconds: 5 } } };
    await using trial = await PodTrial.open({ containers: [{ ...c, lifecycle }] });
    await trial.look();
    await trial.after(4900);
    assert.deepEqual(trial.states, ['c: runs']);
    await trial.after(200);
    assert.deepEqual(trial.states, ['c: runs ready']);
  });

  it('ends when its hook postStart fails', async () => {
    const trial = await PodTrial.open({ containers: [{ ...c, lifecycle: { postStart: { exec } } }], ...grace });
    await using _ = trial;
    trial.machine.answer = { code: 1 };
    await trial.look();
    await settle();
    const hooks = trial.events.filter((event) => /^(FailedPostStartHook|Killing)/.test(event));
    assert.deepEqual(hooks.slice(0, 2), ['FailedPostStartHook: PostStartHook failed', 'Killing: FailedPostStartHook']);
    assert.deepEqual([trial.machine.command, trial.machine.started[0]?.end?.exitCode], [['/bin/hook'], 143]);
  });

  it('ends after its hook preStop', async () => {
    await using trial = await PodTrial.running({
      containers: [{ ...c, lifecycle: { preStop: { sleep: { seconds: 3 } } } }],
      ...grace,
    });
    trial.process.isStubborn = true;
    trial.delete(10);
    const start = seconds(trial);
    await trial.look();
    await trial.after(2900);
    assert.equal(trial.process.isEnding, false);
    await trial.after(200);
    assert.equal(trial.process.isEnding, true);
    await trial.after(6800);
    assert.deepEqual(trial.states, ['c: runs ready']);
    await trial.after(200);
    assert.deepEqual([trial.process.end?.exitCode, seconds(trial) - start], [137, 10.1]);
  });

  it('waits for its hook preStop no longer than the grace period, and then has two seconds', async () => {
    await using trial = await PodTrial.running({
      containers: [{ ...c, lifecycle: { preStop: { sleep: { seconds: 60 } } } }],
    });
    trial.process.isStubborn = true;
    trial.delete(20);
    await trial.look();
    trial.delete(5);
    await trial.look();
    await trial.after(4900);
    assert.equal(trial.process.isEnding, false);
    await trial.after(200);
    assert.deepEqual([trial.process.isEnding, trial.process.end], [true, undefined]);
    await trial.after(2000);
    assert.equal(trial.process.end?.exitCode, 137);
    assert.ok(!trial.events.some((event) => event.startsWith('FailedPreStopHook')));
  });

  it('says that its hook preStop has failed, and ends', async () => {
    const trial = await PodTrial.running({ containers: [{ ...c, lifecycle: { preStop: { exec } } }], ...grace });
    await using _ = trial;
    trial.machine.answer = { problem: 'no such program' };
    trial.delete(10);
    await trial.look();
    await settle();
    assert.ok(trial.events.includes('FailedPreStopHook: PreStopHook failed'));
    assert.equal(trial.process.end?.exitCode, 143);
  });

  it('has no hook when it is deleted at once', async () => {
    const trial = await PodTrial.running({ containers: [{ ...c, lifecycle: { preStop: { exec } } }], ...grace });
    await using _ = trial;
    trial.delete(0);
    await trial.look();
    assert.deepEqual([trial.machine.command, trial.process.isEnding], [[], true]);
  });
});
