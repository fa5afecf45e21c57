import { nearestName } from './nearest-name.ts';
import { settingList, toVariable } from './setting-list.ts';
import { UsageError } from './usage-error.ts';

/** Environment variables, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a variable; undefined where it is empty or not meant for us. */
export function readVariable(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value && !isServiceLink(value) ? value : undefined;
}

/** Refuses an unknown variable: it is likely a mistyped one. Throws {@link UsageError}. */
export function refuseUnknownVariable(env: Environment): void {
  const known = [...settingList.map(({ variable }) => variable), toVariable('config')];
  const unknown = Object.keys(env).find(
    (name) =>
      name.startsWith('TWIN_') && !known.includes(name) && !isOfService(name, env[name] ?? ''),
  );
  if (unknown === undefined) return;
  const nearest = nearestName(
    unknown.slice('TWIN_'.length),
    known.map((name) => name.slice('TWIN_'.length)),
  );
  const advice =
    nearest === undefined
      ? 'Unset it, or see --help.'
      : `Did you mean TWIN_${nearest}? See --help.`;
  throw new UsageError(`There is no setting ${unknown}. ${advice}`);
}

/**
 * Whether Kubernetes or Docker sets a variable in containers beside services that are called "twin"
 * or "twin-...".
 */
function isOfService(name: string, value: string): boolean {
  return serviceVariable.test(name) || isServiceName(name, value) || isServiceLink(value);
}

const serviceVariable =
  /^TWIN_((\w+_)?(SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?|ENV_\w+)|NAME)$/;

/** The name of such a service in Docker, as `TWIN_API_NAME=/web/twin-api`. */
function isServiceName(name: string, value: string): boolean {
  return name.endsWith('_NAME') && value.startsWith('/');
}

/** What Kubernetes sets `TWIN_PORT` or `TWIN_API_PORT` to beside such a service. */
function isServiceLink(value: string): boolean {
  return /^(tcp|udp|sctp):\/\//.test(value);
}
