import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { abortable, type Clock, sleep, systemRandom, type Timer } from '@binnacle/apimachinery/clock';
import { DynamicClient } from '../dynamic/index.js';
import { FakeStore, VirtualClock, type ScriptedAnswer, ScriptedTransport } from '../testing/index.js';
import { ConnectionError, type TransportRequest } from '../transport/index.js';
import { LeaderElector, LeadershipLostError } from './index.js';

/** How long the work takes to end, in milliseconds of its clock: after a stop, and after a lost lease. */
const STOP_MILLISECONDS = 20_000;
const LOSS_MILLISECONDS = 3000;

/** A clock with its own rate and offset. Steps may change the offset. */
class SkewedClock implements Clock {
  readonly #base: Clock;
  readonly #rate: number;
  offset: number;

  constructor(base: Clock, rate: number, offset: number) {
    this.#base = base;
    this.#rate = rate;
    this.offset = offset;
  }

  now(): number {
    return this.#base.now() * this.#rate + this.offset;
  }

  monotonic(): number {
    return this.#base.monotonic() * this.#rate;
  }

  setTimer(run: () => void, milliseconds: number): Timer {
    return this.#base.setTimer(run, milliseconds / this.#rate);
  }
}

/** The faults of a candidate's requests. `fading`: one is slow, and later ones are refused. */
const faults = ['arrives', 'slow', 'refused', 'never-arrives', 'answer-lost', 'late', 'fading'] as const;
type Fault = (typeof faults)[number];

interface Nature {
  /** The rate of its clock. */
  readonly rate: number;
  /** Its random number, which places its delays between the shortest and the longest. */
  readonly patience: number;
}

interface Candidate extends Omit<Nature, 'rate'> {
  readonly clock: SkewedClock;
  elector: LeaderElector;
  stop: AbortController;
  fault: Fault;
  running: Promise<void> | undefined;
}

/** Several candidates with their own clocks and networks, one server, and a check that no two work at once. */
class Election {
  readonly time = new VirtualClock();
  readonly server = new FakeStore();
  readonly candidates: Candidate[];
  readonly working = new Set<string>();
  /** Violations. */
  readonly violations: string[] = [];

  constructor(natures: readonly Nature[]) {
    this.candidates = natures.map(({ rate, patience }, index) => {
      const clock = new SkewedClock(this.time, rate, index * 86_400_000);
      const fault: Fault = 'arrives';
      const candidate = { clock, patience, stop: new AbortController(), fault, running: undefined };
      return Object.assign(candidate, { elector: this.#elector(candidate) });
    });
  }

  start(candidate: Candidate): void {
    if (candidate.running !== undefined) return;
    candidate.stop = new AbortController();
    candidate.elector = this.#elector(candidate);
    const running = candidate.elector
      .run((signal) => this.#work(candidate, signal), candidate.stop.signal)
      .catch((error: unknown) => {
        if (!(error instanceof LeadershipLostError)) this.violations.push(String(error));
      })
      .finally(() => {
        candidate.running = undefined;
      });
    candidate.running = running;
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'time') {
      await this.time.advance(step.milliseconds);
      return;
    }
    const candidate = this.candidates[step.candidate];
    assert.ok(candidate !== undefined);
    if (step.do === 'start') this.start(candidate);
    else if (step.do === 'stop') candidate.stop.abort();
    else if (step.do === 'fault') candidate.fault = step.fault;
    else candidate.clock.offset += step.by;
  }

  get leaders(): Candidate[] {
    return this.candidates.filter(({ elector }) => elector.isLeader);
  }

  async #work({ elector, clock }: Candidate, signal: AbortSignal): Promise<void> {
    if (this.working.size > 0) this.violations.push(`${elector.identity} begins while others work`);
    this.working.add(elector.identity);
    await abortable(new Promise<never>(() => undefined), signal).catch(() => undefined);
    for (let rest = STOP_MILLISECONDS; rest > 0 && elector.isLeader; rest -= 100) await sleep(clock, 100);
    if (!elector.isLeader) await sleep(clock, LOSS_MILLISECONDS - 100);
    this.working.delete(elector.identity);
  }

  #elector(candidate: Omit<Candidate, 'elector'>): LeaderElector {
    const { clock, patience } = candidate;
    const transport = new ScriptedTransport((request, { signal }) =>
      abortable(this.#answer(request, candidate), signal),
    );
    const random = { ...systemRandom, number: () => patience };
    const options = { namespace: 'shop', name: 'controller', clock, random, onError: () => undefined };
    return new LeaderElector(new DynamicClient(transport), options);
  }

  async #answer(request: TransportRequest, candidate: Omit<Candidate, 'elector'>): Promise<ScriptedAnswer> {
    const { fault } = candidate;
    switch (fault) {
      case 'arrives':
        return this.server.answer(request);
      case 'refused':
        return new ConnectionError('connecting', 'down');
      case 'never-arrives':
        return new Promise(() => undefined);
      case 'answer-lost':
        this.server.answer(request);
        return new Promise(() => undefined);
      case 'slow':
      case 'fading': {
        const answer = this.server.answer(request);
        if (fault === 'fading') candidate.fault = 'refused';
        await sleep(this.time, 4000);
        return answer;
      }
      case 'late':
        await sleep(this.time, 12_000);
        return this.server.answer(request);
    }
  }
}

type Step =
  | { readonly do: 'time'; readonly milliseconds: number }
  | { readonly do: 'start'; readonly candidate: number }
  | { readonly do: 'stop'; readonly candidate: number }
  | { readonly do: 'fault'; readonly candidate: number; readonly fault: Fault }
  | { readonly do: 'set-clock'; readonly candidate: number; readonly by: number };

const candidate = fc.nat({ max: 2 });
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('time' as const), milliseconds: fc.integer({ min: 100, max: 20_000 }) }),
  },
  fc.record({ do: fc.constant('start' as const), candidate }),
  fc.record({ do: fc.constant('stop' as const), candidate }),
  fc.record({ do: fc.constant('fault' as const), candidate, fault: fc.constantFrom(...faults) }),
  fc.record({ do: fc.constant('set-clock' as const), candidate, by: fc.integer({ min: -1e9, max: 1e9 }) }),
);
/** The fastest clock runs 1.128 times as fast as the slowest: 13 s on a slow clock are less than 15 s on a fast one. */
const nature = fc.record({ rate: fc.constantFrom(0.94, 1.06), patience: fc.constantFrom(0, 0.3, 0.9) });
const natures = fc.tuple(nature, nature, nature);

/** A leader with a slow clock learns of its last renewal long after the others have observed it. */
const slowLeader: [Nature, Nature, Nature] = [
  { rate: 0.94, patience: 0 },
  { rate: 1.06, patience: 0 },
  { rate: 1.06, patience: 0 },
];
const lastAnswerIsSlow: Step[] = [
  { do: 'time', milliseconds: 10_000 },
  { do: 'fault', candidate: 0, fault: 'fading' },
  { do: 'time', milliseconds: 20_000 },
];

describe('leader election in random walks', () => {
  it('never has two leaders, and has one again after all faults end', async () => {
    let terms = 0;
    await fc.assert(
      fc.asyncProperty(natures, fc.array(steps, { maxLength: 40, size: 'max' }), async (who, walk) => {
        const election = new Election(who);
        const { time, candidates } = election;
        for (const each of candidates) election.start(each);
        for (const each of walk) {
          await election.take(each);
          assert.ok(election.leaders.length <= 1);
          assert.deepEqual(election.violations, []);
          terms += election.leaders.length;
        }
        for (const each of candidates) each.fault = 'arrives';
        await time.advance(30_000);
        for (const each of candidates) election.start(each);
        await time.advance(30_000);
        assert.equal(election.leaders.length, 1);
        assert.equal(election.working.size, 1);

        election.leaders[0]?.stop.abort();
        await time.advance((STOP_MILLISECONDS + 4400 + 500) / 0.94);
        assert.equal(election.leaders.length, 1, 'released, and taken with the next look');

        for (const each of candidates) each.stop.abort();
        await time.advance(60_000);
        assert.equal(time.waiting, 0);
        assert.deepEqual(election.violations, []);
      }),
      { numRuns: 60, examples: [[slowLeader, lastAnswerIsSlow]] },
    );
    assert.ok(terms > 60);
  });
});
