import { messageOf } from '@binnacle/apimachinery/errors';
import { useEffect, useState } from 'preact/hooks';
import { type Load as LoadReading, LOAD_METRICS, loadBetween, parseMetrics, type Sample } from '../../model/index.js';
import { later, monotonic } from '../browser.js';
import type { Connection } from '../connection.js';
import { useApp } from '../context.js';
import { count } from '../texts.js';

const INTERVAL_MS = 2000;
/** Two minutes. */
const MOST_READINGS = 60;

/** What the server is doing, from its metrics. */
export function Load() {
  const { connection } = useApp();
  const [readings, setReadings] = useState<readonly LoadReading[]>([]);
  const [error, setError] = useState('');
  useEffect(() => {
    const poll = new Poll(connection, setError, (reading) =>
      setReadings((before) => [...before.slice(1 - MOST_READINGS), reading]),
    );
    return () => poll.end();
  }, [connection]);
  const newest = readings.at(-1);
  if (error !== '') return <div class="empty">The server does not show its metrics: {error}</div>;
  if (newest === undefined) return <div class="empty">Measuring for two seconds …</div>;
  return (
    <section class="fill load" aria-label="Load">
      <div class="cards">
        <Card title="Requests" value={`${rounded(newest.rate)}/s`} series={readings.map(({ rate }) => rate)} />
        <Card
          title="Median latency"
          value={duration(newest.median)}
          series={readings.map(({ median }) => median ?? 0)}
        />
        <Card title="99 % are faster than" value={duration(newest.p99)} series={readings.map(({ p99 }) => p99 ?? 0)} />
        <Card
          title="Server errors"
          value={`${rounded(newest.failures)}/s`}
          series={readings.map(({ failures }) => failures)}
        />
        <Card
          title="Open watches"
          value={String(newest.watchCount)}
          series={readings.map(({ watchCount }) => watchCount)}
        />
        <Card
          title="In progress, waiting"
          value={`${newest.inflight}, ${newest.queued}`}
          series={readings.map(({ inflight }) => inflight)}
        />
        {newest.memory > 0 && (
          <Card
            title="Memory"
            value={`${Math.round(newest.memory / 1048576)} MiB`}
            series={readings.map(({ memory }) => memory)}
          />
        )}
      </div>
      <div class="bars">
        <Bars title="Requests by verb" unit="/s" rows={newest.verbs} />
        <Bars title="Requests by resource" unit="/s" rows={newest.resources} />
        <Bars title="Watches by resource" unit="" rows={newest.watches} />
      </div>
    </section>
  );
}

/** Reads the metrics again and again, one request at a time. */
class Poll {
  readonly #connection: Connection;
  readonly #onError: (message: string) => void;
  readonly #onReading: (reading: LoadReading) => void;
  #before: { readonly samples: readonly Sample[]; readonly time: number } | undefined;
  #hasEnded = false;

  constructor(connection: Connection, onError: (message: string) => void, onReading: (reading: LoadReading) => void) {
    this.#connection = connection;
    this.#onError = onError;
    this.#onReading = onReading;
    void this.#read();
  }

  end(): void {
    this.#hasEnded = true;
  }

  async #read(): Promise<void> {
    try {
      const samples = parseMetrics(await this.#connection.read('/metrics', 'text/plain'), LOAD_METRICS);
      if (this.#hasEnded) return;
      const time = monotonic();
      const { samples: before, time: since } = this.#before ?? {};
      this.#before = { samples, time };
      if (before !== undefined && since !== undefined)
        this.#onReading(loadBetween(before, samples, (time - since) / 1000));
    } catch (error) {
      if (!this.#hasEnded) this.#onError(messageOf(error));
      return;
    }
    later(INTERVAL_MS, () => {
      if (!this.#hasEnded) void this.#read();
    });
  }
}

interface CardProps {
  readonly title: string;
  readonly value: string;
  readonly series: readonly number[];
}

function Card({ title, value, series }: CardProps) {
  return (
    <div class="card">
      <h2>{title}</h2>
      <p class="figure">{value}</p>
      <Sparkline series={series} />
    </div>
  );
}

function Sparkline({ series }: { readonly series: readonly number[] }) {
  const most = Math.max(...series, Number.EPSILON);
  const points = series.map((value, index) => {
    const x = ((index + MOST_READINGS - series.length) / (MOST_READINGS - 1)) * 200;
    return `${x.toFixed(1)},${(38 - (value / most) * 34).toFixed(1)}`;
  });
  const first = points[0]?.split(',')[0] ?? '0';
  return (
    <svg class="spark" viewBox="0 0 200 40" preserveAspectRatio="none" aria-hidden="true">
      <polygon points={`${first},40 ${points.join(' ')} 200,40`} />
      <polyline points={points.join(' ')} />
    </svg>
  );
}

interface BarsProps {
  readonly title: string;
  readonly unit: string;
  readonly rows: readonly (readonly [string, number])[];
}

function Bars({ title, unit, rows }: BarsProps) {
  const most = rows[0]?.[1] ?? 1;
  return (
    <div class="card">
      <h2>{title}</h2>
      {rows.length === 0 && <p class="dim">none</p>}
      <ul class="plain-list">
        {rows.slice(0, 12).map(([name, value]) => (
          <li key={name} class="bar">
            <span>{name}</span>
            <span class="track">
              <i style={{ width: `${(value / most) * 100}%` }} />
            </span>
            <span class="dim">
              {unit === '' ? value : rounded(value)}
              {unit}
            </span>
          </li>
        ))}
      </ul>
      {rows.length > 12 && <p class="dim">and {count(rows.length - 12, 'other')}</p>}
    </div>
  );
}

const rounded = (value: number): string => (value >= 10 || value === 0 ? String(Math.round(value)) : value.toFixed(1));

function duration(seconds: number | undefined): string {
  if (seconds === undefined) return '–';
  return seconds < 1 ? `${(seconds * 1000).toPrecision(2)} ms` : `${seconds.toFixed(2)} s`;
}
