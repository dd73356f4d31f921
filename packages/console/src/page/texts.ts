import type { Health } from '../model/index.js';

/** `12s`, `5m`, `3h`, `2d`. */
export function age(from: number, to: number): string {
  const seconds = Math.max(0, Math.floor((to - from) / 1000));
  if (seconds < 100) return `${seconds}s`;
  if (seconds < 100 * 60) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

/** `10:05:51`, in the browser's time zone. */
export function clockText(time: number): string {
  const date = new Date(time);
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
}

/** `10:05`, with the seconds unless they are 0, and with the date for a day before today. */
export function shortClock(time: number, today: number): string {
  const date = new Date(time);
  if (date.getSeconds() !== 0) return clockText(time);
  const day = date.toDateString() === new Date(today).toDateString() ? '' : `${date.getMonth() + 1}/${date.getDate()} `;
  return `${day}${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

export function count(value: number, word: string): string {
  return `${value.toLocaleString('en')} ${word}${value === 1 ? '' : 's'}`;
}

/** The command that starts a server with the state at a resourceVersion. */
export function forkCommand(version: string): string {
  return `binnacle fork ${version}`;
}

/** Events have names that no one reads: their objects and a number. */
export function shownName(kind: string, name: string): string {
  return kind === 'Event' ? name.replace(/\.[0-9a-f]{8,}$/, '') : name;
}

/** Shapes, so that colour is not the only sign. */
export const HEALTH_SIGN: Readonly<Record<Health, string>> = { good: '●', busy: '◐', bad: '▲', done: '○', none: '·' };
export const HEALTH_WORD: Readonly<Record<Health, string>> = {
  good: 'well',
  busy: 'on its way',
  bad: 'needs attention',
  done: 'finished',
  none: 'no state',
};
