/** The time that everything in the twin uses, in Unix milliseconds. */
export interface Clock {
  now(): number;
}

/** A clock that can be stopped and moved. */
export interface ControlledClock extends Clock {
  readonly frozen: boolean;
  /** Stops at an instant (Unix milliseconds). */
  freeze(instant: number): void;
  /** Advances by milliseconds; a stopped clock stays stopped. */
  advance(milliseconds: number): void;
  /** Follows the system's clock again. */
  reset(): void;
  /** Its state relative to the system's clock. */
  save(): ClockState;
  /** Restores such a state. */
  load(state: ClockState): void;
}

/**
 * A clock that is stopped at an instant (Unix milliseconds), or runs this many milliseconds ahead
 * of the system.
 */
export type ClockState =
  | { frozenAt: number; offset?: never }
  | { frozenAt?: never; offset: number };

/** The last instant that a Date can hold, in Unix milliseconds. */
const lastInstant = 8.64e15;

/**
 * Whether a clock can show it: from 1970 on, and a year clear of the last instant, for windows and
 * bans that end later.
 */
export function isInstant(milliseconds: number): boolean {
  return milliseconds >= 0 && milliseconds < lastInstant - 366 * 86_400_000;
}

/** A date, perhaps with a time, and that perhaps with a zone. */
const iso =
  /^((?:[+-]\d{6}|\d{4})-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * Parses an ISO 8601 date and time to Unix milliseconds, in UTC unless it names a zone. NaN if
 * invalid, such as 31 February, which JavaScript reads as 3 March.
 */
export function parseInstant(text: string): number {
  const [, day, time = '00:00', zone = 'Z'] = iso.exec(text) ?? [];
  if (day === undefined || !new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day))
    return Number.NaN;
  return Date.parse(`${day}T${time}${zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2').toUpperCase()}`);
}

export function createClock(systemNow: () => number = Date.now): ControlledClock {
  let instant = 0;
  let offset = 0;
  // A field instead of a getter, which would make each of many clocks twice as large.
  const clock: { -readonly [member in keyof ControlledClock]: ControlledClock[member] } = {
    frozen: false,
    now: () => (clock.frozen ? instant : systemNow() + offset),
    freeze(at) {
      clock.frozen = true;
      instant = at;
    },
    advance(milliseconds) {
      if (clock.frozen) instant += milliseconds;
      else offset += milliseconds;
    },
    reset: () => clock.load({ offset: 0 }),
    save: () => (clock.frozen ? { frozenAt: instant } : { offset }),
    load(state) {
      clock.frozen = state.frozenAt !== undefined;
      instant = state.frozenAt ?? 0;
      offset = state.offset ?? 0;
    },
  };
  return clock;
}

/** How long something takes: milliseconds, or the sum of these parts. */
export type Duration =
  | number
  | { days?: number; hours?: number; minutes?: number; seconds?: number; milliseconds?: number };

const unitMillis = new Map([
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1000],
  ['milliseconds', 1],
]);

/** Parses a duration to milliseconds. Throws a RangeError if it is invalid or negative. */
export function parseDuration(duration: Duration): number {
  const parts: Readonly<Record<string, unknown>> =
    typeof duration === 'object' ? duration : { milliseconds: duration };
  const sum = Object.entries(parts ?? {}).reduce(
    (all, [unit, count]) =>
      all + (unitMillis.get(unit) ?? Number.NaN) * (typeof count === 'number' ? count : Number.NaN),
    0,
  );
  if (sum >= 0 && Object.keys(parts ?? {}).length > 0) return sum;
  const shown = typeof duration === 'number' ? String(duration) : JSON.stringify(duration);
  throw new RangeError(
    `A duration is a number of milliseconds, or an object of ${[...unitMillis.keys()].join(', ')}, and not negative, but is ${shown}.`,
  );
}
