import { toNameText } from '../domain-name.ts';
import { locationOf, type RedirectFacts } from '../follow-redirect.ts';
import { headerOf } from '../get.ts';
import { broken, inconclusive, kept, type Ruling, unanswered } from './ruling.ts';

/** Whether a redirect answers its status and leads to its domain. */
export function judgeRedirect(facts: RedirectFacts): Ruling {
  const { from, to, status, first, circle, failure, isNowhere, isCutOff } = facts;
  const name = toNameText(from);
  const expected = `${status} with a Location on ${toNameText(to)}`;
  const { response } = first;
  if (response === undefined) {
    const breach = { expected, actual: failure ?? first.failure ?? 'no answer', exchange: first };
    return isNowhere
      ? broken({ message: `${name} has no address, so it redirects nobody`, ...breach })
      : unanswered({ message: `${name} did not answer`, ...breach });
  }
  const location = headerOf(first, 'location');
  const leadsTo = locationOf(first);
  const isThere = leadsTo !== undefined && leadsTo.host === hostAt(leadsTo.protocol, facts);
  const problems = [
    ...(response.status === status ? [] : [`it answers ${response.status}`]),
    ...(isThere ? [] : [`its Location ${location ? `is ${location}` : 'is missing'}`]),
    ...(circle ? [`it comes back to where it was: ${toWay(circle)}`] : []),
  ];
  if (problems.length === 0)
    return isCutOff ? inconclusive('there was no time left to follow it to its end') : kept;
  return broken({
    message: circle
      ? `The redirect of ${name} leads in a circle`
      : `The redirect of ${name} does not lead to ${toNameText(to)} with ${status}`,
    ...(problems.length > 1 && { problems }),
    expected,
    actual: problems.join('; '),
    exchange: first,
  });
}

/** The domain of a redirect as a URL of a scheme has it. */
function hostAt(protocol: string, { to }: RedirectFacts): string {
  return new URL(`${protocol}//${toNameText(to)}`).host;
}

function toWay(circle: readonly string[]): string {
  const shown = circle.length > 5 ? [...circle.slice(0, 4), '...'] : circle;
  return shown.join(' -> ');
}
