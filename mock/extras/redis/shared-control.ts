import type { ClockState } from '../../clock.ts';
import type { ControlState } from '../../sandboxes/control-state.ts';
import type { SnapshotMarks } from './shared-snapshots.ts';
import type { Fields } from './usage.ts';

/** What is set by hand in a sandbox, as it is stored. */
export type SharedControl = {
  control: ControlState;
  /** The names of the counts of faults. */
  marks: Readonly<Record<string, string>>;
  /** The plans that keys were moved to. */
  plans: Fields;
  snapshots: SnapshotMarks;
};

/** Writes it as JSON; what is left out is as in a sandbox that has just begun. */
export function toControlText({
  control,
  marks = {},
  plans = {},
  snapshots = {},
}: Partial<SharedControl> & Pick<SharedControl, 'control'>): string {
  const { settings } = control.latency;
  const shared: SharedControl = {
    control: { ...control, latency: { settings } },
    marks,
    plans,
    snapshots,
  };
  return JSON.stringify(shared);
}

/** A clock as scripts/numbers.lua reads it. */
export function toClockText({ frozenAt, offset }: ClockState): string {
  return frozenAt === undefined ? `+${offset}` : `=${frozenAt}`;
}

/** Reads it. */
export function readControl(text: string): SharedControl {
  return JSON.parse(text) as SharedControl;
}
