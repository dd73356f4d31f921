import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import { respondText, writeResponse } from '../http/index.js';
import type { Handler, RequestContext } from '../request/index.js';
import type { ProfileKind } from './sample-process.js';
import type { StackProfile } from './stack-tree.js';

const ROOT = '/debug/pprof/';
const DEFAULT_SECONDS = 30;
const MOST_SECONDS = 120;

const kinds: Readonly<Record<ProfileKind, string>> = {
  allocs: 'allocations of the next seconds',
  heap: 'allocations of the next seconds that are in use at their end',
  profile: 'time on the CPU in the next seconds',
};

/** The pages below `/debug/pprof`. */
export interface ProfilePages {
  handlerFor(path: string): Handler | undefined;
}

export interface ProfilePagesOptions {
  readonly clock: Clock;
  /** Samples the process until `end` resolves. */
  readonly sample?: (kind: ProfileKind, end: () => Promise<void>) => Promise<StackProfile>;
}

export function profilePages({ clock, sample = sampleLoaded }: ProfilePagesOptions): ProfilePages {
  return {
    handlerFor: (path) => {
      if (path === '/debug/pprof') return redirect;
      if (!path.startsWith(ROOT)) return undefined;
      const name = path.slice(ROOT.length);
      if (name === '') return index;
      return isKind(name) ? (context) => answerProfile(context, name, { clock, sample }) : unknown;
    },
  };
}

const isKind = (name: string): name is ProfileKind => Object.hasOwn(kinds, name);

const redirect: Handler = (context) => writeResponse(context, 301, { location: 'pprof/' }, '');

const index: Handler = (context) => {
  const lines = Object.entries(kinds).map(
    ([name, description]) => `${name}?seconds=${DEFAULT_SECONDS}: ${description}\n`,
  );
  return respondText(
    context,
    200,
    `Profiles for go tool pprof, of at most ${MOST_SECONDS} seconds:\n\n${lines.join('')}`,
  );
};

const unknown: Handler = (context) => respondText(context, 404, 'Unknown profile\n');

/** Most servers make no profile. */
const sampleLoaded: Required<ProfilePagesOptions>['sample'] = async (kind, end) => {
  const { sampleProcess } = await import('./sample-process.js');
  return sampleProcess(kind, end);
};

/** Whether a profile is being made, by any server of this process. */
let isBusy = false;

async function answerProfile(
  context: RequestContext,
  kind: ProfileKind,
  { clock, sample }: Required<ProfilePagesOptions>,
): Promise<void> {
  const seconds = secondsOf(context.query.get('seconds'));
  if (seconds > MOST_SECONDS) {
    return respondText(context, 400, `profile duration exceeds the limit of ${MOST_SECONDS} seconds\n`);
  }
  if (isBusy) return respondText(context, 500, 'Could not enable profiling: profiling already in use\n');
  // As in Go, a stop of the server ends a profile early, and the client gets what was sampled.
  const end = () => sleep(clock, seconds * 1000, context.exchange.signal).catch(() => undefined);
  const bytes = await makeProfile(kind, end, { clock, sample });
  const headers = {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${kind}"`,
    'x-content-type-options': 'nosniff',
  };
  await writeResponse(context, 200, headers, bytes);
}

/** A profile until `end` resolves. A client that is slow to read it keeps no other from theirs. */
async function makeProfile(
  kind: ProfileKind,
  end: () => Promise<void>,
  { clock, sample }: Required<ProfilePagesOptions>,
): Promise<Buffer> {
  isBusy = true;
  try {
    const [begun, start] = [clock.now(), clock.monotonic()];
    const profile = await sample(kind, end);
    const duration = clock.monotonic() - start;
    const { toPprof } = await import('./to-pprof.js');
    // The format is compressed in itself.
    return await promisify(gzip)(await toPprof(profile, { begun, duration }));
  } finally {
    isBusy = false;
  }
}

/** Upstream takes the default for all that is not a positive number. */
function secondsOf(text: string | null): number {
  return /^[0-9]{1,9}$/.test(text ?? '') && Number(text) > 0 ? Number(text) : DEFAULT_SECONDS;
}
