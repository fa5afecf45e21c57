import type { TextAnswer } from '../../answers/answer.ts';
import type { CalledPlace } from '../../http/authenticate.ts';
import { ownFolder } from '../schemes/oauth-server.ts';
import type { Client, Device, Devices, OAuthCall, OAuthContext } from './context.ts';
import { grantScopes, lifetimes } from './issue.ts';
import { refuse, required } from './oauth-error.ts';

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
  { server, tokens, devices }: OAuthContext,
  { parameters, place, root }: OAuthCall,
  { key }: Client,
): Record<string, string | number> {
  const scope = grantScopes(parameters.get('scope'), server.scopes);
  const { sandbox, sandboxName } = place;
  const now = sandbox.clock.now();
  const seconds = lifetimes.device;
  const userCode = devices.add({
    client: key.name,
    scope,
    sandbox: sandboxName ?? sandbox.name,
    agreesAt: now + approvalSeconds * 1000,
    endsAt: now + seconds * 1000,
  });
  const more = { azp: key.name, user_code: userCode };
  const verification = root + verifyPath;
  return {
    device_code: tokens.issue('device', key, { place, scope, seconds, more }),
    user_code: userCode,
    verification_uri: verification,
    verification_uri_complete: `${verification}?user_code=${userCode}`,
    expires_in: seconds,
    interval,
  };
}

/** What to show to a user who comes to enter a code, or did. */
export function findDevice(
  { devices }: OAuthContext,
  { parameters, place }: Pick<OAuthCall, 'parameters' | 'place'>,
): DeviceView {
  const typed = parameters.get('user_code');
  if (typed === undefined) return {};
  const device = devices.find(typed, place);
  return device ? { device } : { unknownCode: typed };
}

/**
 * Notes what a user decided, which holds for good, and gives what to show then. Throws OAuthError.
 */
export function decideDevice(
  context: OAuthContext,
  call: Pick<OAuthCall, 'parameters' | 'place'>,
): DeviceView {
  const given = required(call.parameters, 'decision');
  if (given !== 'allow' && given !== 'deny')
    refuse('invalid_request', 'The decision must be allow or deny.');
  const view = findDevice(context, call);
  if (view.device) view.device.decision ??= given === 'allow' ? 'allowed' : 'denied';
  return view;
}

/** Whether a device may have its tokens by now. Throws OAuthError where it may not (RFC 8628 §3.5). */
export function ensureAllowed(
  devices: Devices,
  { userCode, issuedAt }: { userCode: unknown; issuedAt: number },
  { sandbox }: CalledPlace,
): void {
  const decision = devices.decisionOf(userCode);
  if (decision === 'denied') refuse('access_denied', 'The user denied it.');
  if (decision === 'allowed' || sandbox.clock.now() >= issuedAt + approvalSeconds * 1000) return;
  refuse(
    'authorization_pending',
    `The user has not decided yet, and agrees after ${approvalSeconds} seconds.`,
  );
}
