import type { ClockState, ControlledClock } from '../clock.ts';
import type { Sandbox } from './sandbox.ts';

/** Moves the clock of a sandbox to what `aim` makes of it when it moves. */
export type MoveClock = (
  sandbox: Sandbox,
  aim: (clock: ControlledClock) => ClockState,
) => Promise<void>;

/** Moves a clock and does nothing else. */
const moveAlone: MoveClock = async (sandbox, aim) => {
  const { clock } = sandbox;
  await sandbox.change(() => clock.load(aim(clock)));
};

/** Returns the mover of the extra that runs what falls due, or one that does nothing else. */
export function moverOf(extras: readonly { moveClock?: MoveClock | undefined }[]): MoveClock {
  return extras.find((one) => one.moveClock)?.moveClock ?? moveAlone;
}
