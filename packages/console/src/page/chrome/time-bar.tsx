import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Bucket, positionOf, type Scale, ticks, timeAt } from '../../model/index.js';
import type { App } from '../app.js';
import { useApp } from '../context.js';
import { age, clockText, forkCommand, shortClock } from '../texts.js';

const BAR_HEIGHT = 34;
const BUCKET_PIXELS = 5;
const LEAST_SPAN_MS = 2 * 60 * 1000;
const SPANS: readonly { readonly title: string; readonly ms: number }[] = [
  { title: '2 min', ms: LEAST_SPAN_MS },
  { title: '15 min', ms: 15 * 60 * 1000 },
  { title: '1 h', ms: 60 * 60 * 1000 },
  { title: '3 h', ms: 3 * 60 * 60 * 1000 },
];
/** A key moves the moment by this share of the span. */
const KEY_SHARE = 1 / 60;

/** The changes over time, and the moment that is shown. Dragging it goes to the past. */
export function TimeBar() {
  const app = useApp();
  const [chosen, setSpan] = useState<number | undefined>(undefined);
  const moment = app.past.moment.value;
  // While a person looks at the past, the scale stands still.
  const held = useRef(0);
  if (moment === undefined) held.current = app.clock.value;
  const to = Math.max(held.current, moment?.time ?? 0);
  const span = chosen ?? spanSince(app.tick.value >= 0 ? app.timeline.oldest : 0, to);
  return (
    <footer class={moment === undefined ? 'time' : 'time past'}>
      <Where />
      <Track from={to - span} to={to} />
      <div class="spans" role="group" aria-label="Span of the time bar">
        {SPANS.map(({ title, ms }) => (
          <button key={title} type="button" class="plain" aria-pressed={span === ms} onClick={() => setSpan(ms)}>
            {title}
          </button>
        ))}
      </div>
    </footer>
  );
}

/** The smallest span that shows all changes that are known. */
function spanSince(oldest: number, to: number): number {
  return (SPANS.find(({ ms }) => to - ms <= oldest) ?? SPANS.at(-1))?.ms ?? LEAST_SPAN_MS;
}

function Where() {
  const app = useApp();
  const { past } = app;
  const moment = past.moment.value;
  if (moment === undefined) {
    return (
      <div class="where">
        <strong class="live">
          <i /> Live
        </strong>
        <span class="dim">drag the bar to look back</span>
      </div>
    );
  }
  return (
    <div class="where" role="status">
      <strong>{clockText(moment.time)}</strong>
      <span class="dim">
        {past.error.value !== '' ? (
          <span class="state bad" title={past.error.value}>
            not kept: {past.error.value.slice(0, 60)}
          </span>
        ) : past.isLoading.value ? (
          'reading …'
        ) : (
          `${age(moment.time, app.clock.value)} ago, revision ${past.shown.value?.complete ?? ''}`
        )}
      </span>
      <div class="where-buttons">
        <button type="button" class="button" onClick={() => app.goTo(undefined)}>
          Back to now <kbd>l</kbd>
        </button>
        <Fork version={past.shown.value?.complete} />
      </div>
    </div>
  );
}

/** Without a console that starts forks, offers the command. */
function Fork({ version }: { readonly version: string | undefined }) {
  const app = useApp();
  const [copied, setCopied] = useState('');
  if (!app.session.history || version === undefined) return null;
  if (app.session.forks) {
    return (
      <button
        type="button"
        class="button"
        title="start another server with the objects as they were then"
        onClick={() => void app.startFork()}
      >
        Fork from here <kbd>F</kbd>
      </button>
    );
  }
  const command = forkCommand(version);
  const copy = () =>
    navigator.clipboard.writeText(command).then(
      () => setCopied(command),
      () => setCopied(''),
    );
  return (
    <button
      type="button"
      class="button"
      title="copy the command that starts another server as it was then"
      onClick={() => void copy()}
    >
      {copied === command ? 'Copied:' : 'Copy'} <code>{command}</code>
    </button>
  );
}

function Track({ from, to }: { readonly from: number; readonly to: number }) {
  const app = useApp();
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(800);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  const scale: Scale = { from, to, width };
  const moment = app.past.moment.value;
  const mark = app.past.mark.value;
  const go = (event: PointerEvent) => goToPointer(app, event, scale, box.current);
  return (
    <div
      class="track"
      ref={box}
      role="slider"
      tabIndex={0}
      aria-label="Moment"
      aria-valuemin={from}
      aria-valuemax={to}
      aria-valuenow={moment?.time ?? to}
      aria-valuetext={moment === undefined ? 'now' : clockText(moment.time)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1) go(event);
      }}
      onKeyDown={(event) => onSliderKey(app, event, scale)}
    >
      <Histogram scale={scale} />
      {ticks(scale, 8).map((time) => (
        <span key={time} class="tick" style={{ left: `${positionOf(time, scale)}px` }}>
          {shortClock(time, to)}
        </span>
      ))}
      {mark !== undefined && mark.time >= from && mark.time <= to && (
        <span
          class="mark"
          title={`marked: ${clockText(mark.time)}`}
          style={{ left: `${positionOf(mark.time, scale)}px` }}
        />
      )}
      <span class="needle" style={{ left: `${positionOf(Math.max(from, moment?.time ?? to), scale)}px` }} />
    </div>
  );
}

function goToPointer(app: App, event: PointerEvent, scale: Scale, box: HTMLDivElement | null): void {
  if (box === null) return;
  const x = event.clientX - box.getBoundingClientRect().left;
  app.goTo(x >= scale.width - 3 ? undefined : { time: timeAt(x, scale) });
}

function onSliderKey(app: App, event: KeyboardEvent, { from, to }: Scale): void {
  const direction = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
  if (direction === 0) return;
  event.preventDefault();
  event.stopPropagation();
  const at = (app.past.moment.value?.time ?? to) + direction * (to - from) * KEY_SHARE;
  app.goTo(at >= to ? undefined : { time: Math.round(Math.max(from, at)) });
}

function Histogram({ scale }: { readonly scale: Scale }) {
  const app = useApp();
  const tick = app.tick.value;
  const { from, to, width } = scale;
  const buckets = useMemo(
    () => app.timeline.buckets(from, to, Math.max(1, Math.floor(width / BUCKET_PIXELS))),
    [app, tick, from, to, width],
  );
  const most = buckets.reduce((highest, { total }) => Math.max(highest, total), 1);
  return (
    <svg class="histogram" width={width} height={BAR_HEIGHT} aria-hidden="true">
      {buckets.map((bucket, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <Column key={index} bucket={bucket} x={index * BUCKET_PIXELS} most={most} />
      ))}
    </svg>
  );
}

/** Heights grow with the logarithm, so that one change still shows beside a thousand. */
function Column({
  bucket: { total, bad },
  x,
  most,
}: {
  readonly bucket: Bucket;
  readonly x: number;
  readonly most: number;
}) {
  if (total === 0) return null;
  const height = Math.max(3, (Math.log1p(total) / Math.log1p(most)) * BAR_HEIGHT);
  const badHeight = bad === 0 ? 0 : Math.max(3, (bad / total) * height);
  return (
    <>
      <rect x={x} y={BAR_HEIGHT - height} width={BUCKET_PIXELS - 1} height={height - badHeight} />
      {badHeight > 0 && (
        <rect class="bad" x={x} y={BAR_HEIGHT - badHeight} width={BUCKET_PIXELS - 1} height={badHeight} />
      )}
    </>
  );
}
