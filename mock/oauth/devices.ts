import { randomInt } from 'node:crypto';
import type { CalledPlace } from '../http/authenticate.ts';

/** What a user decided about a device. */
export type Decision = 'allowed' | 'denied';

/** A device that waits for its user (RFC 8628). */
export type Device = {
  userCode: string;
  /** The name of its client. */
  client: string;
  scope: string;
  sandbox: string;
  /** When it agrees by itself, and when its code ends, in Unix milliseconds. */
  agreesAt: number;
  endsAt: number;
  decision?: Decision;
};

/** The devices that asked this process; other processes do not know of them. */
export interface Devices {
  /** Adds one, and gives the code that its user enters. */
  add(device: Omit<Device, 'userCode'>): string;
  /** The device of a code that a user typed, whose code has not ended. */
  find(typed: string, place: CalledPlace): Device | undefined;
  /** The decision on the device with a code, if there is one. */
  decisionOf(userCode: unknown): Decision | undefined;
  /** Forgets it, once it has its tokens. */
  remove(userCode: unknown): void;
}

/** So many are held, the latest. */
const maxDevices = 10_000;

/** Letters that nobody takes for others, and that make no words (RFC 8628 §6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';

/** Makes a memory of devices. */
export function createDevices(): Devices {
  const byCode = new Map<unknown, Device>();
  return {
    add(device) {
      const drawn = Array.from({ length: 8 }, () => letters.charAt(randomInt(letters.length)));
      const userCode = toUserCode(drawn.join(''));
      byCode.set(userCode, { ...device, userCode });
      const [oldest] = byCode.keys();
      if (byCode.size > maxDevices) byCode.delete(oldest);
      return userCode;
    },
    find(typed, { sandbox, sandboxName }) {
      const device = byCode.get(toUserCode(typed));
      const isHere = device?.sandbox === (sandboxName ?? sandbox.name);
      return isHere && sandbox.clock.now() < device.endsAt ? device : undefined;
    },
    decisionOf: (userCode) => byCode.get(userCode)?.decision,
    remove: (userCode) => void byCode.delete(userCode),
  };
}

/** A code as it is shown, whatever case and punctuation it was typed with. */
function toUserCode(typed: string): string {
  const own = typed.toUpperCase().replace(/[^A-Z]/g, '');
  return `${own.slice(0, 4)}-${own.slice(4)}`;
}
