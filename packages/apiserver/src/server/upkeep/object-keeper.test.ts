import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { ObjectKeeper, type ObjectKeeperOptions } from './object-keeper.js';

describe('ObjectKeeper', () => {
  class Trial {
    readonly clock = new VirtualClock();
    readonly steps: string[] = [];
    change: () => void = () => assert.fail('nothing is watched');
    endWatch: () => void = () => assert.fail('nothing is watched');
    readonly keeper: ObjectKeeper;

    constructor(options: Partial<ObjectKeeperOptions> = {}) {
      this.keeper = new ObjectKeeper({
        clock: this.clock,
        isComplete: true,
        bootstrap: () => assert.fail('the start is complete'),
        watch: (onChange, onEnd) => {
          this.log('watch');
          Object.assign(this, { change: onChange, endWatch: onEnd });
          return Promise.resolve();
        },
        report: (error) => this.log(String(error)),
        ...this.#logged(options),
      });
    }

    log(step: string): void {
      this.steps.push(`${this.clock.monotonic() / 1000} ${step}`);
    }

    #logged({ bootstrap, restore = () => Promise.resolve(true), ...others }: Partial<ObjectKeeperOptions>) {
      const logged = (name: string, act: () => Promise<boolean>) => () => {
        this.log(name);
        return act();
      };
      const start = bootstrap === undefined ? {} : { bootstrap: logged('bootstrap', bootstrap) };
      return { ...others, ...start, restore: logged('restore', restore) };
    }
  }

  it('restores once after the start, and then sets no timer', async () => {
    const { clock, steps } = new Trial();
    await clock.advance(60_000);
    assert.deepEqual(steps, ['10 watch', '10 restore']);
    assert.equal(clock.waiting, 0);
  });

  it('restores within ten seconds of a change, once for several', async () => {
    const trial = new Trial();
    await trial.clock.advance(60_000);
    trial.change();
    await trial.clock.advance(3000);
    trial.change();
    await trial.clock.advance(57_000);
    assert.deepEqual(trial.steps, ['10 watch', '10 restore', '70 restore']);
  });

  it('restores again after a change while it restores', async () => {
    const trial: Trial = new Trial({
      restore: () => {
        if (trial.steps.length === 2) trial.change();
        return Promise.resolve(true);
      },
    });
    await trial.clock.advance(60_000);
    assert.deepEqual(trial.steps, ['10 watch', '10 restore', '20 restore']);
  });

  it('tries again every ten seconds after a refusal or an error', async () => {
    const results = [() => Promise.resolve(false), () => Promise.reject(new Error('no disk'))];
    const { clock, steps } = new Trial({ restore: () => results.shift()?.() ?? Promise.resolve(true) });
    await clock.advance(60_000);
    assert.deepEqual(steps, ['10 watch', '10 restore', '20 restore', '20 Error: no disk', '30 restore']);
  });

  it('watches and restores again when its watch ends or fails', async () => {
    let failures = 0;
    const trial: Trial = new Trial({
      watch: (_, onEnd) => {
        trial.log('watch');
        trial.endWatch = onEnd;
        return trial.steps.length > 2 && failures++ === 0 ? Promise.reject(new Error('lost')) : Promise.resolve();
      },
    });
    await trial.clock.advance(15_000);
    trial.endWatch();
    await trial.clock.advance(60_000);
    assert.deepEqual(trial.steps, ['10 watch', '10 restore', '25 watch', '25 Error: lost', '35 watch', '35 restore']);
  });

  it('completes the start first, and reports what fails', async () => {
    const results = [() => Promise.reject(new Error('no disk')), () => Promise.resolve(false)];
    const bootstrap = () => results.shift()?.() ?? Promise.resolve(true);
    const { clock, steps } = new Trial({ isComplete: false, bootstrap });
    await clock.advance(60_000);
    assert.deepEqual(steps, [
      '10 bootstrap',
      '10 Error: no disk',
      '20 bootstrap',
      '30 bootstrap',
      '40 watch',
      '40 restore',
    ]);
  });

  it('waits for a run that takes long', async () => {
    let end: (isDone: boolean) => void = () => undefined;
    const bootstrap = () => new Promise<boolean>((resolve) => (end = resolve));
    const { clock, steps } = new Trial({ isComplete: false, bootstrap });
    await clock.advance(55_000);
    assert.deepEqual(steps, ['10 bootstrap']);
    end(false);
    await settle();
    await clock.advance(10_000);
    assert.deepEqual(steps, ['10 bootstrap', '65 bootstrap']);
  });

  it('does nothing once it is disposed of', async () => {
    const trial = new Trial();
    await trial.clock.advance(15_000);
    trial.keeper[Symbol.dispose]();
    trial.change();
    await trial.clock.advance(60_000);
    assert.deepEqual(trial.steps, ['10 watch', '10 restore']);
  });
});
