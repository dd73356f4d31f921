/** The README has the table of phases and events. */
export type ReflectorPhase = 'listing' | 'streaming' | 'watching' | 'waiting' | 'stopped';

/** The classes of failed requests that the transitions distinguish. */
export type ReflectorFailure = 'expired' | 'too-large' | 'unsupported' | 'transient' | 'other';

export interface ReflectorState {
  readonly phase: ReflectorPhase;
  /** The last resourceVersion seen; undefined before the first list. */
  readonly version: string | undefined;
  /** The phase after `waiting`. */
  readonly afterwards: 'begin' | 'watch';
  /** Consecutive failures, which determine the delay. */
  readonly failures: number;
  /** Whether to begin with `streaming` rather than `listing`. */
  readonly streams: boolean;
}

export type ReflectorEvent =
  | { readonly type: 'listed'; readonly version: string }
  | { readonly type: 'progress'; readonly version: string }
  /** The server ended the watch. `short`: within a second and without an event. */
  | { readonly type: 'ended'; readonly short: boolean }
  | { readonly type: 'failed'; readonly failure: ReflectorFailure; readonly short: boolean }
  | { readonly type: 'waited' }
  | { readonly type: 'stop' };

export function initialState(streams: boolean): ReflectorState {
  return begin({ phase: 'stopped', version: undefined, afterwards: 'begin', failures: 0, streams });
}

/** The state after an event. Events that do not apply to the phase are ignored. */
export function transition(state: ReflectorState, event: ReflectorEvent): ReflectorState {
  if (event.type === 'stop') return { ...state, phase: 'stopped' };
  switch (state.phase) {
    case 'listing':
    case 'streaming':
      return whileBeginning(state, event);
    case 'watching':
      return whileWatching(state, event);
    case 'waiting':
      if (event.type !== 'waited') return state;
      return state.afterwards === 'begin' ? begin(state) : { ...state, phase: 'watching' };
    case 'stopped':
      return state;
  }
}

function whileBeginning(state: ReflectorState, event: ReflectorEvent): ReflectorState {
  switch (event.type) {
    case 'listed':
      return { ...state, phase: 'watching', version: event.version };
    case 'ended':
      return wait(state, 'begin');
    case 'failed':
      if (state.phase === 'streaming' && event.failure === 'unsupported') return begin({ ...state, streams: false });
      return wait(state, 'begin');
    default:
      return state;
  }
}

function whileWatching(state: ReflectorState, event: ReflectorEvent): ReflectorState {
  switch (event.type) {
    case 'progress':
      return { ...state, version: event.version, failures: 0 };
    case 'ended':
      return event.short ? wait(state, 'watch') : { ...state, failures: 0 };
    case 'failed': {
      const lasting = event.short ? state : { ...state, failures: 0 };
      return wait(lasting, event.failure === 'transient' ? 'watch' : 'begin');
    }
    default:
      return state;
  }
}

function begin(state: ReflectorState): ReflectorState {
  return { ...state, phase: state.streams ? 'streaming' : 'listing' };
}

function wait(state: ReflectorState, afterwards: 'begin' | 'watch'): ReflectorState {
  return { ...state, phase: 'waiting', afterwards, failures: state.failures + 1 };
}
