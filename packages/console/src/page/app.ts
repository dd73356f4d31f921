import { messageOf } from '@binnacle/apimachinery/errors';
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import {
  ChangeLog,
  Collection,
  type Filter,
  matcher,
  PATHS,
  type Row,
  type SessionInfo,
  type StartedFork,
  Timeline,
} from '../model/index.js';
import { initialTheme, keepTheme, later, now, showTheme, type Theme } from './browser.js';
import type { Connection } from './connection.js';
import { Frames } from './frames.js';
import { type Moment, PastStates } from './past-states.js';

export type ViewName = 'changes' | 'workloads' | 'objects' | 'nodes' | 'load' | 'compare' | 'faults';
export type Overlay = 'help' | 'search' | 'fork' | undefined;
export type Tab = 'fields' | 'status' | 'history' | 'edit' | 'log';

/** An object that a person has opened. It may be gone. */
export interface Selected {
  readonly uid: string;
  readonly kind: number;
  readonly namespace: string;
  readonly name: string;
}

/** The fork that was asked for last. */
export type ForkState =
  | { readonly type: 'starting'; readonly version: string }
  | { readonly type: 'started'; readonly version: string; readonly fork: StartedFork }
  | { readonly type: 'refused'; readonly version: string; readonly message: string };

const RECONNECT_MS = 2000;
/** How long a changed row is highlighted. */
const FRESH_MS = 1500;

/** The state of the page, and what changes it. */
export class App {
  readonly connection: Connection;
  readonly session: SessionInfo;
  readonly live = new Collection();
  readonly log = new ChangeLog();
  readonly timeline = new Timeline();
  readonly past: PastStates;
  /** Changes whenever `live`, `log` or `timeline` have changed, as often as views should render. */
  readonly tick = signal(0);
  /** Milliseconds since the epoch, every second. */
  readonly clock = signal(now());
  readonly view = signal<ViewName>('workloads');
  readonly filter = signal<Filter>({ namespace: '', text: '', noise: false });
  readonly listKind = signal<number | undefined>(undefined);
  readonly selected = signal<Selected | undefined>(undefined);
  readonly tab = signal<Tab>('fields');
  readonly overlay = signal<Overlay>(undefined);
  readonly fork = signal<ForkState | undefined>(undefined);
  readonly theme = signal<Theme>(initialTheme());
  readonly opened = signal<ReadonlySet<string>>(new Set());
  readonly closed = signal<ReadonlySet<string>>(new Set());
  /** Why there are no live changes at present; empty: there are. */
  readonly outage = signal('');
  readonly matches: ReadonlySignal<ReturnType<typeof matcher>>;
  /** Changes a second, over the last five. */
  readonly rate = signal(0);
  readonly #fresh = new Map<string, number>();
  readonly #frames = new Frames(() => this.#show());

  constructor(connection: Connection, session: SessionInfo) {
    this.connection = connection;
    this.session = session;
    this.past = new PastStates(connection, session.history, this.log);
    // Kinds are replaced as a whole and seldom, so the function stays the same while objects change.
    const kinds = computed(() => this.shown.kinds);
    this.matches = computed(() => matcher(this.filter.value, kinds.value));
    showTheme(this.theme.value);
    this.#everySecond();
  }

  /** What the views show: the objects now, or at the chosen moment. A reader renders again when they change. */
  get shown(): Collection {
    void this.tick.value;
    return this.past.shown.value ?? this.live;
  }

  /** Follows the live stream until the page is closed. */
  async follow(): Promise<never> {
    if (this.session.history) void this.#readRecent();
    for (;;) {
      try {
        await this.#followOnce();
        this.outage.value = 'the console has ended the stream';
      } catch (error) {
        this.outage.value = messageOf(error);
      }
      await new Promise<void>((resolve) => {
        later(RECONNECT_MS, resolve);
      });
    }
  }

  /** Whether an object changed a moment ago. */
  isFresh(uid: string): boolean {
    return this.past.shown.value === undefined && this.#fresh.has(uid);
  }

  open({ uid, kind, namespace, name }: Selected | Row, tab: Tab = this.tab.value): void {
    batch(() => {
      this.selected.value = { uid, kind, namespace, name };
      this.tab.value = tab === 'edit' ? 'fields' : tab;
    });
  }

  close(): void {
    this.selected.value = undefined;
  }

  show(view: ViewName): void {
    this.view.value = view;
  }

  setFilter(change: Partial<Filter>): void {
    this.filter.value = { ...this.filter.value, ...change };
  }

  /** Opens or closes a line of the tree; `isOpen`: how it is now. */
  toggle(uid: string, isOpen: boolean): void {
    const [opened, closed] = [new Set(this.opened.value), new Set(this.closed.value)];
    (isOpen ? closed : opened).add(uid);
    (isOpen ? opened : closed).delete(uid);
    batch(() => {
      this.opened.value = opened;
      this.closed.value = closed;
    });
  }

  switchTheme(): void {
    this.theme.value = this.theme.value === 'dark' ? 'light' : 'dark';
    showTheme(this.theme.value);
    keepTheme(this.theme.value);
  }

  goTo(moment: Moment | undefined): void {
    this.past.goTo(moment);
  }

  /** Starts a server with the objects at the moment that is shown, and shows the result. One at a time. */
  async startFork(): Promise<void> {
    const version = this.past.shown.value?.complete;
    if (version === undefined || !this.session.forks || this.fork.value?.type === 'starting') return;
    this.fork.value = { type: 'starting', version };
    this.overlay.value = 'fork';
    try {
      this.fork.value = { type: 'started', version, fork: await this.connection.fork(version) };
    } catch (error) {
      this.fork.value = { type: 'refused', version, message: messageOf(error) };
    }
  }

  /** Goes to the change before or after the moment that is shown. */
  step(direction: -1 | 1): void {
    const at = this.past.moment.value?.time ?? now();
    const matches = this.matches.value;
    const times = this.log.changes.filter(matches).map(({ time }) => time);
    const next = direction < 0 ? times.findLast((time) => time < at - 1) : times.find((time) => time > at + 1);
    if (next !== undefined) this.goTo({ time: next });
    else if (direction > 0) this.goTo(undefined);
  }

  async #followOnce(): Promise<void> {
    // After an interruption, objects that the stream does not name before it is complete are gone.
    const missing = new Set(Array.from(this.live.rows(), ({ uid }) => uid));
    for await (const each of this.connection.stream(PATHS.live, new AbortController().signal)) {
      this.outage.value = '';
      this.live.apply(each);
      for (const { uid } of each.rows ?? []) missing.delete(uid);
      if (each.complete !== undefined && missing.size > 0) {
        this.live.apply({ gone: [...missing] });
        missing.clear();
      }
      const { changes = [], dropped = 0 } = each;
      this.log.add(changes, dropped);
      this.timeline.add(changes);
      const time = now();
      for (const { uid } of changes) this.#fresh.set(uid, time);
      this.#frames.request();
    }
  }

  async #readRecent(): Promise<void> {
    try {
      for await (const { changes = [] } of this.connection.stream(PATHS.recent, new AbortController().signal)) {
        this.log.merge(changes);
        this.timeline.add(changes);
        this.#frames.request();
      }
    } catch {
      // The list then begins with the live changes.
    }
  }

  #show(): void {
    const limit = now() - FRESH_MS;
    for (const [uid, time] of this.#fresh) if (time < limit) this.#fresh.delete(uid);
    this.tick.value += 1;
  }

  #everySecond(): void {
    const time = now();
    const recent = this.timeline.buckets(time - 5000, time, 1)[0]?.total ?? 0;
    batch(() => {
      this.clock.value = time;
      this.rate.value = recent / 5;
    });
    if (this.#fresh.size > 0) this.#frames.request();
    later(1000, () => this.#everySecond());
  }
}
