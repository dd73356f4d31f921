const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const whole = (milliseconds: number, unit: number) => Math.trunc(milliseconds / unit);
const pair = (major: number, majorUnit: string, minor: number, minorUnit: string) =>
  minor === 0 ? `${major}${majorUnit}` : `${major}${majorUnit}${minor}${minorUnit}`;

/**
 * Formats milliseconds for people, with two or three significant figures: `45s`, `3m5s`, `2h`, `5d3h`, `3y20d`. A value
 * slightly below zero, from clock skew, is `0s`; a lower one is `<invalid>`. Upstream: `duration.HumanDuration`.
 */
export function humanDuration(milliseconds: number): string {
  const seconds = whole(milliseconds, second);
  if (seconds < -1) return '<invalid>';
  if (milliseconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = whole(milliseconds, minute);
  if (minutes < 10) return pair(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = whole(milliseconds, hour);
  if (hours < 8) return pair(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = whole(milliseconds, day);
  if (hours < 8 * 24) return pair(days, 'd', hours % 24, 'h');
  if (hours < 2 * 365 * 24) return `${days}d`;
  const years = Math.trunc(days / 365);
  return hours < 8 * 365 * 24 ? pair(years, 'y', days % 365, 'd') : `${years}y`;
}
