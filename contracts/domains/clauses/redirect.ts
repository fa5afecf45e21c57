import type { ReportedExchange } from '../../report/events.ts';
import { type DomainName, toNameText } from '../domain-name.ts';
import {
  getEach,
  locationOf,
  type RedirectFacts,
  type RedirectVisit,
  type WebOptions,
} from '../follow-redirect.ts';
import { headerOf } from '../get.ts';
import type { Repeat } from '../to-shell-line.ts';
import { broken, inconclusive, judgeSilence, kept, type Ruling, unanswered } from './ruling.ts';

/** Whether a redirect answers its status and leads to its domain, at each address of its name. */
export function judgeRedirect(facts: RedirectFacts): Ruling {
  const { from, to, status, failure, visits, isCutOff } = facts;
  const name = toNameText(from);
  const expected = `${status} with a Location on ${toNameText(to)}`;
  if (visits.length === 0)
    return failure === undefined
      ? broken({
          message: `${name} has no address, so it redirects nobody`,
          expected,
          actual: 'it has no address',
        })
      : unanswered({ message: `${name} did not answer`, expected, actual: failure });
  const wrong = visits.filter((visit) => problemsOf(visit, facts).length > 0);
  if (wrong.length > 0) return toBreach(wrong, facts, expected);
  const silent = visits.flatMap(({ address, silence }) =>
    silence ? [{ address, ...silence }] : [],
  );
  const toRepeat = (address: string) =>
    repeatOf(visits.find((visit) => visit.address === address) as RedirectVisit, visits);
  const ruling = judgeSilence(silent, { name, asked: visits.length, expected, toRepeat });
  if (ruling) return ruling;
  return isCutOff ? inconclusive('there was no time left to follow it to its end') : kept;
}

/** What is wrong at these addresses, and at which where it is not the same at all. */
function toBreach(wrong: readonly RedirectVisit[], facts: RedirectFacts, expected: string): Ruling {
  const { from, to, status, visits } = facts;
  const places = Map.groupBy(
    wrong.flatMap((visit) =>
      problemsOf(visit, facts).map((problem) => ({ problem, address: visit.address })),
    ),
    ({ problem }) => problem,
  );
  const problems = [...places].map(([problem, at]) =>
    at.length === visits.length
      ? problem
      : `${problem} (${at.map(({ address }) => address).join(', ')})`,
  );
  const [one] = wrong as [RedirectVisit, ...RedirectVisit[]];
  const name = toNameText(from);
  const what = wrong.some(({ circle }) => circle)
    ? `The redirect of ${name} leads in a circle`
    : `The redirect of ${name} does not lead to ${toNameText(to)} with ${status}`;
  const where =
    wrong.length < visits.length ? ` at ${wrong.length} of ${visits.length} addresses` : '';
  return broken({
    message: `${what}${where}`,
    ...(problems.length > 1 && { problems }),
    expected,
    actual: problems.join('; '),
    repeat: repeatOf(one, visits),
  });
}

/** What is wrong with the answer of an address; nothing where there is none. */
function problemsOf({ exchange, circle }: RedirectVisit, facts: RedirectFacts): string[] {
  const { response } = exchange;
  if (response === undefined) return [];
  const location = headerOf(exchange, 'location');
  const leadsTo = locationOf(exchange);
  const isThere = leadsTo !== undefined && leadsTo.host === hostAt(leadsTo.protocol, facts);
  return [
    ...(response.status === facts.status ? [] : [`it answers ${response.status}`]),
    ...(isThere ? [] : [`its Location ${location ? `is ${location}` : 'is missing'}`]),
    ...(circle ? [`it comes back to where it was: ${toWay(circle)}`] : []),
  ];
}

function repeatOf({ exchange, address }: RedirectVisit, visits: readonly RedirectVisit[]): Repeat {
  return { tool: 'curl', exchange, place: { address, isOnly: visits.length === 1 } };
}

/** The domain of a redirect as a URL of a scheme has it. */
function hostAt(protocol: string, { to }: RedirectFacts): string {
  return new URL(`${protocol}//${toNameText(to)}`).host;
}

function toWay(circle: readonly string[]): string {
  const shown = circle.length > 5 ? [...circle.slice(0, 4), '...'] : circle;
  return shown.join(' -> ');
}

/** Whether a domain that was removed serves nothing, at any address, over HTTPS or HTTP. */
export async function judgeRemoved(domain: DomainName, options: WebOptions): Promise<Ruling> {
  const name = toNameText(domain);
  const { visits, failure } = await getEach(domain, `removed ${name}`, options);
  const found = visits.find(({ exchange }) => isServed(domain, exchange));
  if (found) {
    const { exchange, address } = found;
    const isOnly = visits.every((visit) => visit.address === address);
    const { status = 0 } = exchange.response ?? {};
    const to = locationOf(exchange);
    return broken({
      message: `${name} was removed, but still ${to ? 'redirects' : 'serves a page'}`,
      expected: 'nothing, such as no address, no connection or 404',
      actual: to ? `${status} to ${to.href}` : String(status),
      repeat: { tool: 'curl', exchange, place: { address, isOnly } },
    });
  }
  if (failure !== undefined)
    return inconclusive(`its addresses could not be looked up: ${failure}`);
  const statuses = visits.flatMap(({ exchange: { response } }) =>
    response ? [response.status] : [],
  );
  const other = statuses.find((status) => status >= 400 && !gone.includes(status));
  if (other !== undefined)
    return inconclusive(`it answers ${other}, which says nothing of a removal`);
  if (visits.length > 0 && visits.every(({ silence }) => silence?.isLocal))
    return inconclusive('no address of the name can be reached from this machine');
  const slow = visits.find(({ silence }) => silence?.isSlow);
  return slow?.silence && statuses.length === 0
    ? inconclusive(`it may only be slow: ${slow.address}: ${slow.silence.reason}`)
    : kept;
}

const gone = [400, 404, 410, 421];

function isServed(domain: DomainName, exchange: ReportedExchange): boolean {
  const { response, request } = exchange;
  if (response === undefined || response.status >= 400) return false;
  const to = locationOf(exchange);
  // HTTPS, to which the server sends whoever asks over HTTP, is asked besides.
  const isUpgrade = to?.protocol === 'https:' && to.hostname === domain.name;
  return !(isUpgrade && request.url.startsWith('http:'));
}
