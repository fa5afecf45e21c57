import { type Answer, toErrorAnswer } from '../answers/answer.ts';
import type { ReadDomainRules } from '../domains/domain-rules.ts';
import { hostName, toHostName } from '../domains/host-name.ts';
import type { Circumstances } from '../domains/project.ts';
import { quote } from '../json/quote.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';

/** The rules, the seed and the clock by which the domains of a sandbox go. */
export async function circumstancesOf(
  { clock, settings }: Sandbox,
  readRules: ReadDomainRules,
): Promise<Circumstances> {
  return { rules: await readRules(), seed: settings.seed, now: clock.now() };
}

/** The name that a path has, in its canonical form. */
export function toName(given: string): string {
  return toHostName(given) ?? '';
}

/** The answer to a body with something that is no host name. */
export function notHostName(field: string, given: string): Answer {
  return invalid(`"${field}" must be ${hostName}, but is ${quote(given)}.`);
}

/** The answer to a body with a name that nobody can register, such as a public suffix. */
export function notRegistrable(field: string, given: string): Answer {
  return invalid(
    `"${field}" must be a host name below a public suffix, such as docs.example.com, but is ${quote(given)}.`,
  );
}

export function invalid(problem: string): Answer {
  return toErrorAnswer('invalid_body', problem);
}

/** The answer to what the procedure, or the facts, do not allow. */
export function refuse(problem: string): Answer {
  return toErrorAnswer('domain_refused', problem);
}

/** Says why a name cannot be one of a project; undefined where it can. */
export type FindHostProblem = (name: string) => string | undefined;

/** Tells the hosts of the twin itself from those that a project may have. */
export function createFindHostProblem(allowedHosts: readonly string[]): FindHostProblem {
  const own = new Set(allowedHosts.map((host) => host.toLowerCase()));
  return (name) => {
    if (name.endsWith('.localhost'))
      return `${name} is this machine, as all names that end in .localhost are. Give another one.`;
    if (!own.has(name) && !own.has('*')) return undefined;
    return `${own.has(name) ? name : 'Any host'} is a host of the API here. Start the twin without it in --allowed-hosts.`;
  };
}
