/** A window; `figure` names its limit in a plan, `saved` its counters in a snapshot. */
type Row = {
  per: string;
  seconds: number;
  figure: string;
  saved: string;
  /** The limit of plans that name none; if there is none, each plan has to name one. */
  unstated?: number;
};

/** The windows in which the calls of a key are counted, shortest first (§8). They follow UTC. */
export const windows = [
  { per: 'minute', seconds: 60, figure: 'perMinute', saved: 'minutes' },
  { per: 'day', seconds: 86_400, figure: 'perDay', saved: 'days' },
] as const satisfies readonly Row[];

type WindowRow = (typeof windows)[number] & Row;
export type Period = WindowRow['per'];
export type SavedWindows = WindowRow['saved'];
/** The requests that a key may make in each window. */
export type Figures = Record<WindowRow['figure'], number>;

/** Makes a value for each window, by its period. */
export function byPeriod<Value>(make: (row: WindowRow) => Value): Record<Period, Value> {
  const values = {} as Record<Period, Value>;
  for (const row of windows) values[row.per] = make(row);
  return values;
}

/** The windows by their periods. */
export const windowsByPeriod = byPeriod((row) => row);

/** Makes the figures of a plan. */
export function toFigures(make: (row: WindowRow) => number): Figures {
  const figures = {} as Figures;
  for (const row of windows) figures[row.figure] = make(row);
  return figures;
}

/** Describes the figures of a plan, such as "60 a minute, 1,000 a day". */
export function describeFigures(figures: Figures): string {
  return windows
    .map(({ per, figure }) => `${figures[figure].toLocaleString('en')} a ${per}`)
    .join(', ');
}
