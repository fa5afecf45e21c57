import { randomInt } from 'node:crypto';
import type { TextAnswer } from '../answers/answer.ts';
import type { CalledPlace } from '../http/authenticate.ts';
import { ownFolder } from '../security/oauth-server.ts';
import type { Client } from './clients.ts';
import { grantScopes, lifetimes, type OAuthOptions } from './issue.ts';
import { OAuthError, type Parameters, required } from './oauth-error.ts';
export type DeviceOptions = OAuthOptions & { devices: Devices };

type DeviceRequest = {
  parameters: Parameters;
  client: Client | undefined;
  place: CalledPlace;
  root: string;
};

/** What the page shows to the user of a device: where to enter its code, or the device. */
export type DeviceView = {
  /** What was typed that is the code of no device. */
  unknownCode?: string;
  /** Why it cannot do what was asked. */
  problem?: string;
  device?: Device;
};

/** Makes the page for the user of a device. */
export type ToDevicePage = (view: DeviceView) => Promise<TextAnswer>;

/** Where a user enters the code of a device. */
export const verifyPath = `${ownFolder}/verify`;

/** How long a device waits between two requests, in seconds. */
const interval = 5;

/** How long a device waits for its user, who then agrees, in seconds by the clock of the sandbox. */
const approvalSeconds = 10;

/** The answer of the device authorization endpoint (RFC 8628 §3.2). Throws OAuthError. */
export function authorizeDevice(
  { server, tokens, devices }: DeviceOptions,
  { parameters, client, place, root }: DeviceRequest,
): Record<string, string | number> {
  if (!client) throw new OAuthError('invalid_client', 'The client must send its client_id.');
  const { key } = client;
  const scope = grantScopes(parameters.get('scope'), server.scopes);
  const { sandbox, sandboxName } = place;
  const now = sandbox.clock.now();
  const userCode = devices.add({
    client: key.name,
    scope,
    sandbox: sandboxName ?? sandbox.name,
    agreesAt: now + approvalSeconds * 1000,
    endsAt: now + lifetimes.device * 1000,
  });
  const device = tokens.issue('device', key, {
    place,
    scope,
    seconds: lifetimes.device,
    more: { azp: key.name, user_code: userCode },
  });
  const verification = root + verifyPath;
  return {
    device_code: device,
    user_code: userCode,
    verification_uri: verification,
    verification_uri_complete: `${verification}?user_code=${userCode}`,
    expires_in: lifetimes.device,
    interval,
  };
}

/** What to show to a user who comes to enter a code, or did. */
export function findDevice(
  devices: Devices,
  { parameters, place }: Pick<DeviceRequest, 'parameters' | 'place'>,
): DeviceView {
  const typed = parameters.get('user_code');
  if (typed === undefined) return {};
  const device = devices.find(typed, place);
  return device ? { device } : { unknownCode: typed };
}

const decisions: Readonly<Record<string, Decision>> = { allow: 'allowed', deny: 'denied' };

/**
 * Notes what a user decided, which holds for good, and gives what to show then. Throws OAuthError.
 */
export function decideDevice(
  devices: Devices,
  request: Pick<DeviceRequest, 'parameters' | 'place'>,
): DeviceView {
  const given = required(request.parameters, 'decision');
  const decision = Object.hasOwn(decisions, given) ? decisions[given] : undefined;
  if (!decision) throw new OAuthError('invalid_request', 'The decision must be allow or deny.');
  const view = findDevice(devices, request);
  if (view.device) view.device.decision ??= decision;
  return view;
}

/** Whether a device may have its tokens by now. Throws OAuthError where it may not (RFC 8628 §3.5). */
export function ensureAllowed(
  devices: Devices,
  { userCode, issuedAt }: { userCode: unknown; issuedAt: number },
  { sandbox }: CalledPlace,
): void {
  const decision = devices.decisionOf(userCode);
  if (decision === 'denied') throw new OAuthError('access_denied', 'The user denied it.');
  if (decision === 'allowed' || sandbox.clock.now() >= issuedAt + approvalSeconds * 1000) return;
  throw new OAuthError(
    'authorization_pending',
    `The user has not decided yet, and agrees after ${approvalSeconds} seconds.`,
  );
}

/** What a user decided about a device. */
type Decision = 'allowed' | 'denied';

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
interface Devices {
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
