import type { CalledPlace } from '../http/authenticate.ts';
import { ownFolder } from '../security/oauth-server.ts';
import type { Client } from './clients.ts';
import { grantScopes, lifetimes, type OAuthOptions } from './issue.ts';
import { OAuthError } from './oauth-error.ts';
import type { Parameters } from './parameters.ts';
import { approvalSeconds } from './token-grants.ts';

type DeviceRequest = {
  parameters: Parameters;
  client: Client | undefined;
  place: CalledPlace;
  root: string;
};

/** How long a device waits between two requests, in seconds. */
const interval = 5;

/** The answer of the device authorization endpoint (RFC 8628 §3.2). Throws OAuthError. */
export function authorizeDevice(
  { server, tokens }: OAuthOptions,
  { parameters, client, place, root }: DeviceRequest,
): Record<string, string | number> {
  if (!client) throw new OAuthError('invalid_client', 'The client must send its client_id.');
  const { key } = client;
  const scope = grantScopes(parameters.get('scope'), server.scopes);
  const device = tokens.issue('device', key, {
    place,
    scope,
    seconds: lifetimes.device,
    more: { azp: key.name },
  });
  // Letters that no one takes for others (RFC 8628 §6.1).
  const letters = [...device.slice(-8)].map((char) =>
    'BCDFGHJKLMNPQRSTVWXZ'.charAt(char.charCodeAt(0) % 20),
  );
  const userCode = `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`;
  const verification = `${root}${ownFolder}/verify`;
  return {
    device_code: device,
    user_code: userCode,
    verification_uri: verification,
    verification_uri_complete: `${verification}?user_code=${userCode}`,
    expires_in: lifetimes.device,
    interval,
  };
}

/** What a user sees who comes to enter a code. */
export function describeApproval({ sandbox }: CalledPlace): Record<string, string> {
  return {
    message: `No code has to be entered here: each device is approved ${approvalSeconds} seconds after it asked, by the clock of the sandbox.`,
    clock: new Date(sandbox.clock.now()).toISOString(),
  };
}
